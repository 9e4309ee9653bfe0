import { useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Checkbox } from "../../../ui/field.tsx";
import type { Answer, Choice, Conflict } from "../model/conflicts.ts";
import { useTree } from "../tree.ts";

interface ConflictDialogProps {
  readonly conflict: Conflict;
  readonly onAnswer: (answer: Answer) => void;
}

/** Asks what is to be done where a name is taken. Closing it calls the whole off. */
export function ConflictDialog({ conflict, onAnswer }: ConflictDialogProps) {
  useLanguage();
  const { name, isFolder, more } = conflict;
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
