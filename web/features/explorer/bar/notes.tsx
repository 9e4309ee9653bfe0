import X from "lucide-react/icons/x";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useStore } from "../../../lib/store.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { Note } from "../model/notes.ts";
import type { Operations } from "../model/operations.ts";
import { CANCELLED, noOutcome, type Outcome, placesAfter } from "../model/outcome.ts";
import { named } from "../model/tree-calls.ts";

/** Files that are named, each with its reason; the rest is counted. */
const NAMED = 5;

/** What is under way, and what did not succeed: each file with its reason, and the way to try again. */
export function Notes({ operations }: { readonly operations: Operations }) {
  useLanguage();
  // What the server goes on with by itself stands in the list of tasks.
  const notes = useStore(operations.notes).filter(({ running, progress, isHere }) => !running || !progress || isHere);
  if (notes.length === 0) return null;
  return (
    <div className="grid gap-2">
      {notes.map((note) =>
        note.running ? (
          <Running key={note.id} note={note} />
        ) : (
          <Ended key={note.id} note={note} onDismiss={() => operations.dismiss(note.id)} />
        ),
      )}
    </div>
  );
}

function Running({ note: { verb, count, progress, cancel } }: { readonly note: Note }) {
  useLanguage();
  const total = progress?.total;
  return (
    <Notice
      tone="plain"
      action={
        cancel && progress ? (
          <Button variant="plain" className="-my-1.5 -mr-2" onClick={cancel}>
            {t("shell.actions.cancel")}
          </Button>
        ) : null
      }
    >
      {t(`explorer.running.${verb}`, { count })}
      {progress && total ? (
        // Not read out again and again: the sentence before it is, and the end.
        <span aria-hidden className="tabular-nums">
          {` ${t("explorer.running.progress", { done: progress.done, total })}`}
          {progress.current ? <bdi className="wrap-anywhere"> · {shownName(progress.current)}</bdi> : null}
        </span>
      ) : null}
    </Notice>
  );
}

function Ended({ note, onDismiss }: { readonly note: Note; readonly onDismiss: () => void }) {
  useLanguage();
  const { verb, outcome, retry } = note;
  const failed = outcome?.failed ?? [];
  // Whoever has cancelled it themself is told of no failure.
  const isCancelled = failed.every(({ code }) => code === CANCELLED);
  return (
    <Notice
      tone={isCancelled ? "plain" : "error"}
      action={
        <span className="-my-1.5 -mr-2 flex">
          {retry && (
            <Button variant="plain" onClick={retry}>
              {t("shell.actions.retry")}
            </Button>
          )}
          <IconButton label={t("explorer.outcome.dismiss")} onClick={onDismiss}>
            <X aria-hidden />
          </IconButton>
        </span>
      }
    >
      {isCancelled ? t(`explorer.outcome.${verb}Cancelled`) : <Failures verb={verb} outcome={outcome ?? noOutcome} />}
    </Notice>
  );
}

interface FailuresProps {
  readonly verb: Note["verb"];
  readonly outcome: Outcome;
}

function Failures({ verb, outcome: { done, failed } }: FailuresProps) {
  useLanguage();
  const count = placesAfter(done).length;
  return (
    <>
      <p className="font-medium">
        {count > 0
          ? t(`explorer.outcome.${verb}Some`, { done: count, failed: failed.length })
          : t(`explorer.outcome.${verb}None`, { failed: failed.length })}
      </p>
      <ul>
        {failed.slice(0, NAMED).map(({ path, reason }) => (
          <li key={path} className="wrap-anywhere">
            {t("explorer.outcome.one", { name: shownName(named(path)), reason })}
          </li>
        ))}
      </ul>
      {failed.length > NAMED && <p>{t("explorer.outcome.more", { count: failed.length - NAMED })}</p>}
    </>
  );
}
