import { type SyntheticEvent, useId, useMemo, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import type { Entry } from "../model/entry.ts";
import type { Operations } from "../model/operations.ts";
import { placesAfter } from "../model/outcome.ts";
import type { SelectionAct } from "../model/selection.ts";
import { pathAt } from "../model/tree-calls.ts";
import { NamesPreview } from "./names-preview.tsx";
import type { NewName } from "./new-names.ts";
import { RenameFields } from "./rename-fields.tsx";
import { type RenameOptions, useNewNames } from "./use-new-names.ts";

interface RenameManyDialogProps {
  /** Several of one folder. */
  readonly entries: readonly Entry[];
  readonly folder: string;
  /** All that is in the folder. */
  readonly all: readonly Entry[];
  readonly operations: Pick<Operations, "renameAll">;
  readonly select: (act: SelectionAct) => void;
  readonly onClose: () => void;
}

const start: RenameOptions = {
  kind: "replace",
  find: "",
  instead: "",
  isExpression: false,
  pattern: "{name} {n}",
  start: "1",
  keepsEnding: true,
};

/** Asks how several files and folders are to be called, and shows each new name before it is given. Enter confirms. */
export function RenameManyDialog({ entries, folder, all, operations, select, onClose }: RenameManyDialogProps) {
  useLanguage();
  const form = useId();
  const [options, setOptions] = useState(start);
  const taken = useMemo(() => new Set([...all, ...entries].map(({ name }) => name)), [all, entries]);
  const { names, isShown, failure, now } = useNewNames({ entries, taken }, options);
  const isReady = failure === undefined && canBegin(names);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const chosen = now();
    if (failure !== undefined || !chosen || !canBegin(chosen)) return;
    onClose();
    const wanted = chosen
      .filter(({ entry, name }) => name !== entry.name)
      .map(({ entry, name }) => ({ from: entry.path, to: pathAt(entry, folder, name) }));
    void operations.renameAll(wanted, taken).then(({ done }) => {
      if (done.length > 0) select({ do: "only", paths: placesAfter(done) });
    });
  };

  const footer = (
    <>
      <Button onClick={onClose}>{t("shell.actions.cancel")}</Button>
      <Button type="submit" form={form} variant="primary" disabled={isShown && !isReady}>
        {t("explorer.command.rename")}
      </Button>
    </>
  );
  return (
    <Dialog
      steady
      wide
      title={t("explorer.renaming.title", { count: entries.length })}
      onClose={onClose}
      footer={footer}
    >
      <form id={form} onSubmit={submit} noValidate className="grid gap-4">
        <RenameFields
          options={options}
          failure={failure}
          onChoose={(part) => setOptions((before) => ({ ...before, ...part }))}
        />
        <div className="grid gap-2">
          <Summary names={names} />
          <NamesPreview names={names} />
        </div>
      </form>
    </Dialog>
  );
}

/** Reports whether a name changes, and each that does can be given. */
const canBegin = (names: readonly NewName[]): boolean =>
  names.some(({ entry, name }) => name !== entry.name) && !names.some(({ wrong }) => wrong);

/** How many names change, or cannot be given; read out when that changes. */
function Summary({ names }: { readonly names: readonly NewName[] }) {
  useLanguage();
  const wrong = names.filter((one) => one.wrong).length;
  const changes = names.filter(({ entry, name }) => name !== entry.name).length;
  return (
    <p role="status" className={wrong > 0 ? "text-danger" : "text-muted"}>
      {wrong > 0
        ? t("explorer.renaming.wrongCount", { count: wrong })
        : changes > 0
          ? t("explorer.renaming.changes", { count: changes })
          : t("explorer.renaming.none")}
    </p>
  );
}
