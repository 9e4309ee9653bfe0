import WrapText from "lucide-react/icons/wrap-text";
import { type ComponentType, useMemo, useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import type { ViewerKind } from "#contract/shown-as";
import { declaredEncoding, decodeText, type EncodingName, encodings } from "#contract/text/encodings";
import { MAX_SHOWN_DATA, MAX_SHOWN_TEXT, SHOWN_HEAD } from "#contract/viewer-limits";
import { loadWords, t, useLanguage } from "../../i18n/i18n.ts";
import { useCode } from "../../page/code.ts";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Frame, Modes, Pick } from "../file/frame.tsx";
import type { ViewerProps } from "../file/props.ts";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import type { TextSource } from "../file/use-worker-session.ts";
import { ViewerNote } from "../file/viewer-note.tsx";
import { WholeFile } from "../file/whole-file.tsx";
import { grammarFor } from "./languages.ts";
import { LargeText } from "./large-text.tsx";
import { useColours } from "./use-colours.ts";

/** What a text looks like that is more than its letters. */
interface LookProps extends TextSource {
  /** Empty where it is too long to be kept on the page: those who show that read its bytes. */
  readonly text: string;
  readonly name: string;
}

interface View {
  readonly load: () => Promise<ComponentType<LookProps>>;
  /** The longest text that it takes, in bytes. */
  readonly most?: number;
}

/** A look with the words that it has beyond those of all texts. */
const withWords = (load: View["load"]) => async () => (await Promise.all([load(), loadWords("viewer")]))[0];

const looks: Partial<Record<ViewerKind, View>> = {
  markdown: { load: async () => (await import("./markdown-text-view.tsx")).MarkdownTextView },
  html: { load: withWords(async () => (await import("../html/html-view.tsx")).HtmlView) },
  csv: {
    load: withWords(async () => (await import("../table/csv-view.tsx")).CsvView),
    most: MAX_SHOWN_DATA,
  },
  json: {
    load: withWords(async () => (await import("../json/json-view.tsx")).JsonView),
    most: MAX_SHOWN_DATA,
  },
};

/** Loads what shows a text of a kind as what it means. */
export const loadView = async (as: ViewerKind): Promise<void> => void (await looks[as]?.load());

/** A text: as it was written, with numbered lines and colours, and as what it means. Its encoding is guessed and can be chosen. */
export function TextViewer({ file, as, read }: ViewerProps) {
  const most = looks[as]?.most ?? MAX_SHOWN_TEXT;
  const cut = file.size > most;
  return (
    <WholeFile address={read} most={cut ? SHOWN_HEAD : most} cut={cut}>
      {(bytes) => <Text bytes={bytes} name={file.filename} as={as} whole={cut ? file.size : undefined} />}
    </WholeFile>
  );
}

interface TextProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly as: ViewerKind;
  /** The size of the file where these bytes are its beginning only. */
  readonly whole: number | undefined;
}

function Text({ bytes, name, as, whole }: TextProps) {
  useLanguage();
  const look = looks[as];
  const [meant, setMeant] = useState(look !== undefined);
  const [wrap, setWrap] = useState(true);
  const guessed = useEncoding(bytes);
  const [chosen, setChosen] = useState<EncodingName>();
  const encoding = chosen ?? guessed;
  // A longer one is shown as what it means, by a worker that keeps it.
  const isLong = bytes.length > MAX_SHOWN_TEXT;
  const text = useMemo(() => (isLong ? "" : decoded(bytes, encoding, whole)), [bytes, encoding, isLong, whole]);
  const lines = useMemo(() => text.split("\n").length - (text.endsWith("\n") ? 1 : 0), [text]);
  const tools = (
    <>
      {look && !isLong && (
        <Modes
          label={t("text.view.shownAs")}
          value={meant ? "meant" : "source"}
          options={[
            { value: "meant", label: t(`text.look.${as as "markdown" | "html" | "csv" | "json"}`) },
            { value: "source", label: t("text.view.source") },
          ]}
          onPick={(mode) => setMeant(mode === "meant")}
        />
      )}
      {/* Above a table or a tree, what counts are its rows. */}
      {meant && look ? null : (
        <span className="px-2 text-[13px] text-muted tabular-nums max-sm:hidden">
          {t("text.view.counts", { count: lines, characters: t("text.view.characters", { count: text.length }) })}
        </span>
      )}
      <span className="ml-auto" />
      <Pick
        label={t("text.view.encoding")}
        value={chosen ?? "auto"}
        options={[
          { value: "auto", label: t("text.view.detected", { encoding: guessed }) },
          ...encodings.map((value) => ({ value, label: value })),
        ]}
        onPick={(picked) => setChosen(picked === "auto" ? undefined : picked)}
      />
      {meant && look ? null : (
        <IconButton label={t("text.view.wrap")} aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          <WrapText aria-hidden />
        </IconButton>
      )}
      {isLong ? null : <CopyButton iconOnly text={text} label={t("text.view.copy")} />}
    </>
  );
  const blank = !isLong && !/\S/.test(text);
  return (
    <Frame label={t("file.view.tools")} tools={tools}>
      {whole === undefined ? null : <Cut shown={bytes.length} whole={whole} />}
      {blank ? (
        <p className="p-6 text-muted">{t("file.view.blank")}</p>
      ) : meant && look ? (
        <Meant key={encoding} look={look} as={as} {...{ text, bytes, encoding, name }} />
      ) : (
        <Source text={text} name={name} wrap={wrap} />
      )}
    </Frame>
  );
}

/** The text of a file; of a beginning without its last line, which may be cut within a letter. */
function decoded(bytes: Uint8Array, encoding: EncodingName, whole: number | undefined): string {
  const text = decodeText(bytes, encoding);
  return whole === undefined || !text.includes("\n") ? text : text.slice(0, text.lastIndexOf("\n") + 1);
}

/** Says above the beginning of a large text that there is more of it. */
function Cut({ shown, whole }: { readonly shown: number; readonly whole: number }) {
  const language = useLanguage();
  return (
    <ViewerNote>
      {t("text.view.head", { shown: formatBytes(shown, language), whole: formatBytes(whole, language) })}
    </ViewerNote>
  );
}

interface SourceProps extends Pick<LookProps, "text" | "name"> {
  readonly wrap: boolean;
}

function Source({ text, name, wrap }: SourceProps) {
  useLanguage();
  const coloured = useColours(text, grammarFor(name));
  return (
    <div className="min-w-0 bg-(--code-surface) p-3 text-(--code-text) sm:p-4">
      <LargeText text={text} label={t("file.view.content")} wrap={wrap} coloured={coloured} />
    </div>
  );
}

interface MeantProps extends LookProps {
  readonly look: View;
  readonly as: ViewerKind;
}

/** The encoding of a text. What detects it by letters is loaded for those that need it; until then they are taken for western. */
function useEncoding(bytes: Uint8Array): EncodingName {
  const known = useMemo(() => declaredEncoding(bytes), [bytes]);
  const { data } = useCode(known ? "nothing to detect" : "detecting encodings", async () =>
    known ? null : { detect: await (await import("./detect-encoding.ts")).loadEncodingDetector() },
  );
  return useMemo(() => known ?? data?.detect(bytes) ?? "Windows-1252", [known, data, bytes]);
}

/** The text as what it means; as it was written until the code for that is there, and when that does not come. */
function Meant({ look, as, ...props }: MeantProps) {
  const { data: Shown, isPending, error } = useCode(`look of ${as}`, look.load);
  if (Shown) return <Shown {...props} />;
  if (isPending) return <ReadingSkeleton />;
  // The page says that it cannot show a long one: there is no text to fall back to.
  if (props.text === "") throw error;
  return <Source text={props.text} name={props.name} wrap />;
}
