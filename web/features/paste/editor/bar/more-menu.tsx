import Clipboard from "lucide-react/icons/clipboard-copy";
import ClipboardText from "lucide-react/icons/clipboard-type";
import CodeXml from "lucide-react/icons/code-xml";
import Ellipsis from "lucide-react/icons/ellipsis";
import FileCode from "lucide-react/icons/file-code";
import FileText from "lucide-react/icons/file-text";
import FileType from "lucide-react/icons/file-type";
import ImageDown from "lucide-react/icons/image-down";
import Printer from "lucide-react/icons/printer";
import { type ReactNode, useState } from "react";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { useOneAtATime } from "../../../../lib/one-at-a-time.ts";
import { saveFile } from "../../../../lib/save-file.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { Menu } from "../../../../ui/overlay/menu.tsx";
import { copyAndTell } from "../../../../ui/toast/copy-and-tell.ts";
import { toast } from "../../../../ui/toast/toast.ts";

/** Something else that can be done with the text. */
export interface MoreItem {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly danger?: boolean;
  readonly run: () => void;
}

interface MoreMenuProps {
  readonly text: string;
  /** The text is Markdown, and short enough to be rendered. */
  readonly markdown: boolean;
  readonly items: readonly MoreItem[];
}

/** Now as files are named here: `markdown-20261122-101530`. */
const stamp = (): string => `markdown-${new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-")}`;

/** Rendering and the picture maker travel when they are asked for. */
const takeOut = () => import("../export.ts");

/** Forms in which the text goes to the clipboard. */
const copiesOf = (text: string) => [
  {
    id: "copyMarkdown",
    label: t("editing.copy.markdown"),
    icon: <Clipboard aria-hidden />,
    make: () => Promise.resolve(text),
  },
  {
    id: "copyHtml",
    label: t("editing.copy.html"),
    icon: <CodeXml aria-hidden />,
    make: () => takeOut().then(({ htmlOf }) => htmlOf(text)),
  },
  {
    id: "copyPlain",
    label: t("editing.copy.plain"),
    icon: <ClipboardText aria-hidden />,
    make: () => takeOut().then(({ plainOf }) => plainOf(text)),
  },
];

/** Ways to take the text out, and whatever else the page offers. */
export function MoreMenu({ text, markdown, items }: MoreMenuProps) {
  useLanguage();
  const [at, setAt] = useState<DOMRect>();
  const oneAtATime = useOneAtATime();
  const doing = (act: () => Promise<unknown>) => () =>
    void oneAtATime(act).catch(() => toast({ tone: "error", text: t("editing.export.failed") }));
  const save = (ending: string, make: () => Promise<Blob | null>) =>
    doing(async () => {
      const blob = await make();
      if (blob === null) throw new Error("The browser made no picture.");
      saveFile(`${stamp()}.${ending}`, blob);
    });
  const copies = copiesOf(text).map(({ make, ...item }) => ({
    ...item,
    group: 1,
    run: doing(async () => copyAndTell(await make())),
  }));
  const exports = [
    {
      id: "saveMarkdown",
      label: t("editing.export.markdown"),
      icon: <FileText aria-hidden />,
      run: save("md", async () => new Blob([text], { type: "text/markdown;charset=utf-8" })),
    },
    {
      id: "saveHtml",
      label: t("editing.export.html"),
      icon: <FileCode aria-hidden />,
      run: save(
        "html",
        async () => new Blob([await (await takeOut()).pageOf(text)], { type: "text/html;charset=utf-8" }),
      ),
    },
    {
      id: "saveWord",
      label: t("editing.export.word"),
      icon: <FileType aria-hidden />,
      run: save("docx", async () => await (await takeOut()).wordOf(text)),
    },
    {
      id: "savePng",
      label: t("editing.export.png"),
      icon: <ImageDown aria-hidden />,
      run: save("png", async () => {
        const { blob, leftOut } = await (await takeOut()).pictureOf(text);
        if (leftOut > 0) void toast({ tone: "ok", text: t("editing.export.leftOut", { count: leftOut }) });
        return blob;
      }),
    },
    {
      id: "print",
      label: t("editing.export.print"),
      icon: <Printer aria-hidden />,
      run: doing(async () => (await takeOut()).print(text)),
    },
  ].map((item) => ({ ...item, group: 2 }));
  const own = items.map((item) => ({ ...item, group: 0 }));
  const offered = text === "" ? own : markdown ? [...own, ...copies, ...exports] : [...own, ...copies.slice(0, 1)];
  if (offered.length === 0) return null;
  return (
    <>
      <IconButton
        label={t("editing.more")}
        aria-haspopup="menu"
        onClick={(event) => setAt(event.currentTarget.getBoundingClientRect())}
      >
        <Ellipsis aria-hidden />
      </IconButton>
      {at ? <Menu label={t("editing.more")} items={offered} at={at} onClose={() => setAt(undefined)} /> : null}
    </>
  );
}
