import X from "lucide-react/icons/x";
import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import { MAX_FILENAME_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useStore } from "../../../lib/store.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { type CollectNote, MAX_ROWS } from "../state/collecting.ts";
import type { UploadPageState } from "../state/upload-state.ts";

/** Names that a sentence can hold, and characters of each. */
const NAMED = 3;
const LONGEST = 40;

function nameIn(name: string): string {
  const shown = shownName(name);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}

/** Says which files were not taken into the list, and why. */
export function CollectNotes({ collecting }: Pick<UploadPageState, "collecting">) {
  const language = useLanguage();
  const note = useStore(collecting.note);
  if (!note) return null;
  const refused = refusals(note, language);
  return (
    <Notice
      tone={refused.length > 0 ? "error" : "plain"}
      className="mx-3 mb-3"
      action={
        <IconButton label={t("upload.note.dismiss")} onClick={collecting.dismiss} className="-my-2 -mr-2">
          <X aria-hidden />
        </IconButton>
      }
    >
      {[...refused, ...quietWords(note)].map((sentence) => (
        <p key={sentence} className="wrap-anywhere">
          {sentence}
        </p>
      ))}
    </Notice>
  );
}

function refusals({ tooLarge, limit, misnamed, unreadable, leftOut }: CollectNote, language: Language): string[] {
  const [first, ...more] = tooLarge;
  const said = { limit: formatBytes(limit, language) };
  const sentences: string[] = [];
  if (first && more.length === 0) {
    const size = formatBytes(first.size, language);
    sentences.push(t("upload.note.tooLarge", { ...said, name: nameIn(first.name), size }));
  } else if (first) {
    const names = listed(tooLarge.map(({ name }) => name));
    sentences.push(t("upload.note.manyTooLarge", { ...said, count: tooLarge.length, names }));
  }
  const long = misnamed.filter((name) => name.length > MAX_FILENAME_CHARACTERS);
  if (long.length > 0) sentences.push(t("upload.note.nameTooLong", { names: listed(long) }));
  const impossible = misnamed.filter((name) => !long.includes(name));
  if (impossible.length > 0) sentences.push(t("upload.note.nameImpossible", { names: listed(impossible) }));
  if (unreadable.length > 0) sentences.push(t("upload.note.unreadable", { names: listed(unreadable) }));
  if (leftOut > 0) sentences.push(t("upload.note.listFull", { max: MAX_ROWS }));
  return sentences;
}

function quietWords({ passedOver, only, nothing }: CollectNote): string[] {
  if (nothing) return [t("upload.note.emptyFolder")];
  if (passedOver === 0) return [];
  return only !== undefined
    ? [t("upload.note.passedOver", { name: nameIn(only) })]
    : [t("upload.note.manyPassedOver", { count: passedOver })];
}

function listed(names: readonly string[]): string {
  const some = names.slice(0, NAMED).map(nameIn).join(t("upload.note.comma"));
  return names.length > NAMED ? t("upload.note.andMore", { names: some }) : some;
}
