import type { ListedPaste } from "#contract/pastes";
import { firstLine, readableLines } from "#contract/text/first-line";
import { recognise } from "#contract/text/kind";
import { t } from "../../../i18n/i18n.ts";
import { sourceWords } from "../../../ui/file/kind.ts";

type Text = Pick<ListedPaste, "remark" | "content_preview" | "plain">;

/** What a text is called: its title, else its first line. */
export const titleOf = ({ remark, content_preview: preview, plain }: Text): string =>
  remark?.trim() || firstLine(preview, plain) || t("admin.texts.blank");

/** What comes behind that. */
export function restOf({ remark, content_preview: preview, plain }: Text): string {
  const lines = readableLines(preview, plain);
  return lines.slice(remark?.trim() ? 0 : lines.indexOf(firstLine(preview, plain)) + 1).join(" ");
}

/** Kinds that are no source code of a program. */
const notSource = /^(JSON|XML|YAML|CSV|INI|Log|Diff|Crontab|Variables|Dockerfile|Makefile|nginx)$/;

/** What kind of text it is, in words. */
export function textKind(text: Text): string {
  if (!text.plain) return t("file.named.markdown");
  const found = recognise(text.content_preview);
  if (!found) return t("file.named.plain");
  return notSource.test(found.name) ? found.name : sourceWords(found.name);
}
