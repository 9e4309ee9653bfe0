import { useQuery } from "@tanstack/react-query";
import BookOpen from "lucide-react/icons/book-open";
import { type MouseEvent, useEffect, useMemo, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { endingOf } from "#contract/file-kinds";
import { fs } from "#contract/fs/fs";
import { nameOf } from "#contract/paths";
import { declaredEncoding, decodeText } from "#contract/text/encodings";
import { MAX_SHOWN_README } from "#contract/viewer-limits";
import type { Call } from "../../../api/call.ts";
import { failureText } from "../../../api/failure.ts";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { readBytes } from "../../../preview/file/read-bytes.ts";
import { MarkdownView } from "../../../preview/markdown/markdown-view.tsx";
import { TREE_PATH } from "../../../preview/markdown/relative.ts";
import { Button } from "../../../ui/button.tsx";
import { Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { toast } from "../../../ui/toast/toast.ts";
import type { Entry } from "../model/entry.ts";
import { throughServer, thumbAddress } from "../preview/addresses.ts";
import { type Tree, useTree } from "../tree.ts";
import { fileAddress, inTree } from "./in-tree.ts";

interface FolderReadmeProps {
  readonly file: Entry;
  readonly folder: string;
  readonly base: string;
}

/** The text that introduces a folder, as it is read: Markdown, or plain where its name says so. */
export function FolderReadme({ file, folder, base }: FolderReadmeProps) {
  useLanguage();
  const name = shownName(file.name);
  const tooLarge = (file.size ?? 0) > MAX_SHOWN_README;
  const { call, addressOf } = useTree();
  const { data: text, error, isFetching, refetch } = useReadme(call, file, !tooLarge);
  const open = { className: "text-accent underline", to: addressOf(folder, file.name) };
  return (
    <>
      <p className="flex items-center gap-2 border-line border-b bg-sunken px-4 py-2 font-medium text-[13px]">
        <BookOpen aria-hidden className="size-4 text-muted" />
        <Link to={open.to} className="truncate hover:underline">
          {name}
        </Link>
      </p>
      {tooLarge ? (
        <p className="p-4 text-muted">
          {t("explorer.readme.tooLarge", { name })} <Link {...open}>{t("explorer.readme.open")}</Link>
        </p>
      ) : error && !isFetching ? (
        <Notice tone="plain" action={<Button onClick={() => void refetch()}>{t("shell.actions.retry")}</Button>}>
          {failureText(error)}
        </Notice>
      ) : text === undefined ? null : endingOf(file.name) === "txt" ? (
        <pre className="wrap-anywhere mx-auto max-w-[680px] whitespace-pre-wrap p-4 text-[14px] sm:p-8">{text}</pre>
      ) : (
        <Reading text={text} folder={folder} base={base} />
      )}
    </>
  );
}

/** The text of a README, by the caller's right to read it; asked for anew when the file is another. */
const useReadme = (call: Call, { path, etag = "" }: Entry, enabled: boolean) =>
  useQuery({
    queryKey: ["tree", "readme", path, etag],
    queryFn: async ({ signal }) => {
      const { data } = await call(fs.get, { query: { path }, signal });
      const url = fetchableAddress(`${throughServer(data)}&inline=1`);
      const bytes = await readBytes({ url, signal, most: MAX_SHOWN_README });
      return decodeText(bytes, declaredEncoding(bytes) ?? (await detected(bytes)));
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** The encoding of a text that does not tell it. */
const detected = async (bytes: Uint8Array) =>
  (await (await import("../../../preview/text/detect-encoding.ts")).loadEncodingDetector())(bytes);

interface ReadingProps extends Pick<FolderReadmeProps, "folder" | "base"> {
  readonly text: string;
}

function Reading({ text, folder, base }: ReadingProps) {
  const tree = useTree();
  const { call, addressOf } = tree;
  const relative = useMemo(() => inTree(addressOf, folder, base), [addressOf, folder, base]);
  const navigate = useNavigate();
  const pictures = useRef<IntersectionObserver>(undefined);
  useEffect(() => () => pictures.current?.disconnect(), []);
  const onFresh = useMemo(
    () => (elements: readonly HTMLElement[]) => {
      pictures.current ??= new IntersectionObserver(drawNear(call), { rootMargin: "400px" });
      for (const image of elements.flatMap((one) => [...one.querySelectorAll(`img[${TREE_PATH}]`)]))
        pictures.current.observe(image);
    },
    [call],
  );
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const path = link.getAttribute(TREE_PATH);
    const heading = link.getAttribute("href")?.match(/^#(.+)/)?.[1];
    if (path === null && heading === undefined) return;
    event.preventDefault();
    if (path !== null) void goTo(tree, path, navigate);
    else event.currentTarget.querySelector(`[id="${CSS.escape(heading ?? "")}"]`)?.scrollIntoView({ block: "start" });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: links within take keys themselves
    <div onClick={onClick} className="mx-auto min-w-0 max-w-[712px] p-4 sm:p-8">
      <MarkdownView text={text} relative={relative} onFresh={onFresh} />
    </div>
  );
}

/** Goes to what a link means: a folder, or a file that is shown. */
async function goTo({ call, addressOf }: Tree, path: string, navigate: (address: string) => void): Promise<void> {
  try {
    const { data } = await call(fs.get, { query: { path } });
    navigate(data.isDirectory ? addressOf(path) : fileAddress(addressOf, path));
  } catch {
    await toast({ tone: "error", text: t("explorer.readme.missing") });
  }
}

/** Fetches pictures that come near the window. */
const drawNear =
  (call: Call) =>
  (entries: readonly IntersectionObserverEntry[], observer: IntersectionObserver): void => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
      observer.unobserve(target);
      void draw(call, target);
    }
  };

/** Draws a picture of the tree, by the caller's right to read it; what cannot be shown stays its words. */
async function draw(call: Call, image: HTMLImageElement): Promise<void> {
  try {
    const { data } = await call(fs.get, { query: { path: image.getAttribute(TREE_PATH) ?? "" } });
    const through = throughServer(data);
    if (data.typeName !== "image" || !through) throw new Error(`${nameOf(data.path)} is no picture.`);
    image.src = thumbAddress(data, "1280") ?? fetchableAddress(`${through}&inline=1`);
  } catch {
    image.dispatchEvent(new Event("error"));
  }
}
