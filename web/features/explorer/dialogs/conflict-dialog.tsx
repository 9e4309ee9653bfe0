import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { dateTime } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/form/field.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { UNKNOWN } from "../folder/entry-parts.tsx";
import type { Answer, Choice, Conflict, FileFacts } from "../model/conflicts.ts";
import { useTree } from "../tree.ts";

interface ConflictDialogProps {
  readonly conflict: Conflict;
  readonly onAnswer: (answer: Answer) => void;
}

/** Asks what is to be done where a name is taken. Closing it calls the whole off. */
export function ConflictDialog({ conflict, onAnswer }: ConflictDialogProps) {
  useLanguage();
  const { name, isFolder, more, coming, there } = conflict;
  // What comes by a link takes no other's place.
  const { link } = useTree();
  const [forAll, setForAll] = useState(false);
  const choose = (choice: Choice) => onAnswer({ choice, forAll });
  const footer = (
    <>
      <Button onClick={() => choose("skip")}>{t("explorer.conflict.skip")}</Button>
      {link ? null : (
        <Button onClick={() => choose("replace")}>
          {isFolder ? t("explorer.conflict.merge") : t("explorer.conflict.replace")}
        </Button>
      )}
      <Button variant="primary" data-autofocus onClick={() => choose("both")}>
        {t("explorer.conflict.both")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("explorer.conflict.title")} onClose={() => onAnswer(undefined)} footer={footer}>
      <p className="wrap-anywhere text-muted">
        {t(isFolder ? "explorer.conflict.folder" : "explorer.conflict.file", { name: shownName(name) })}
      </p>
      {!isFolder && coming && there && (
        <table className="mt-3 w-full text-left text-[13px]">
          <thead className="sr-only">
            <tr>
              {(["which", "size", "modified"] as const).map((column) => (
                <th key={column}>{t(`explorer.conflict.${column}`)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Facts label={t("explorer.conflict.there")} facts={there} />
            <Facts label={t("explorer.conflict.coming")} facts={coming} />
          </tbody>
        </table>
      )}
      {more > 0 && (
        <Checkbox
          label={t("explorer.conflict.forAll", { count: more })}
          checked={forAll}
          onChange={(event) => setForAll(event.target.checked)}
          className="mt-2"
        />
      )}
    </Dialog>
  );
}

/** Which of both a file is, with what tells them apart. */
function Facts({ label, facts: { size, modified } }: { readonly label: string; readonly facts: FileFacts }) {
  const language = useLanguage();
  return (
    <tr className="border-line border-t">
      <th scope="row" className="py-2 pr-3 font-medium">
        {label}
      </th>
      <td className="py-2 pr-3 text-right text-muted tabular-nums">
        {size === undefined ? UNKNOWN : formatBytes(size, language)}
      </td>
      <td className="py-2 text-right text-muted tabular-nums">
        {modified ? dateTime(new Date(modified).toISOString(), language) : UNKNOWN}
      </td>
    </tr>
  );
}
