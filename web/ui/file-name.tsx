import FileWarning from "lucide-react/icons/file-warning";
import { hasRawBytes } from "#contract/paths";
import { t, useLanguage } from "../i18n/i18n.ts";
import { shownName } from "../lib/shown-name.ts";

/** Characters at the end that stay when the middle of a name goes. */
const TAIL = 10;

/** Making one takes longer than drawing a row. */
const segmenter = new Intl.Segmenter();

/** Where a name may be cut, so that no letter made of several characters (an emoji, an accent) falls apart. */
function splitName(name: string): readonly [head: string, tail: string] {
  const letters = Array.from(segmenter.segment(name), ({ segment }) => segment);
  return [letters.slice(0, -TAIL).join(""), letters.slice(-TAIL).join("")];
}

/** A name on one line; a long one loses its middle, because its end tells what it is. */
export function FileName({ name }: { readonly name: string }) {
  const shown = shownName(name);
  const [head, tail] = splitName(shown);
  return (
    <bdi title={shown} className="flex min-w-0 whitespace-pre font-medium">
      {/* Not `truncate`: that would take the space at the end of it away. */}
      <span className="overflow-hidden text-ellipsis">{head}</span>
      <span className="shrink-0">{tail}</span>
      {hasRawBytes(name) && <RawName />}
    </bdi>
  );
}

/** Says of a name that it is no UTF-8. */
function RawName() {
  useLanguage();
  return (
    <span role="img" aria-label={t("shell.rawName")} title={t("shell.rawName")} className="ml-1.5 shrink-0 self-center">
      <FileWarning aria-hidden className="size-4 text-muted" />
    </span>
  );
}
