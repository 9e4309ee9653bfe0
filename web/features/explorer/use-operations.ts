import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { nameOf, parentOf } from "#contract/paths";
import { credential } from "../../api/session/credential.ts";
import { onStorageChange } from "../../api/storage-changes.ts";
import { t } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { createStore } from "../../lib/store.ts";
import { browserPorts } from "../../transfer/browser.ts";
import { createCrossCopy } from "../../transfer/cross-copy.ts";
import { toast } from "../../ui/toast/toast.ts";
import { clipboard } from "./model/clipboard.ts";
import type { Answer, Ask, Conflict } from "./model/conflicts.ts";
import { renew, showMoved } from "./model/listing.ts";
import { createOperations, type Operations } from "./model/operations.ts";
import { type Moved, placesAfter } from "./model/outcome.ts";
import { jobFeed } from "./model/page-jobs.ts";
import { undoing } from "./model/undo.ts";
import { createBrowserCopies } from "./tasks/browser-copies.ts";
import { pageTasks } from "./tasks/page-tasks.ts";
import { useTree } from "./tree.ts";

const cross = createCrossCopy({ ...browserPorts, fetch: (address, signal) => fetch(address, { signal }) });

onStorageChange(cross.reconsider);

/** Copies between storages through this page. */
const copyInBrowser = createBrowserCopies({ cross, tasks: pageTasks });

/** A question about a name that is taken, waiting for its answer. */
interface Question {
  readonly conflict: Conflict;
  readonly answer: (answer: Answer) => void;
}

/** What was done, for who cannot see it, where no toast says it; the number tells it from the same sentence before. */
interface Said {
  readonly text: string;
  readonly times: number;
}

/** What is done with files and folders, for as long as the explorer is open; and the questions that it has. */
export function useOperations() {
  const queries = useQueryClient();
  const { call, link } = useTree();
  const [question] = useState(() => createStore<Question | undefined>(undefined));
  const [said] = useState(() => createStore<Said>({ text: "", times: 0 }));
  const operations: Operations = useMemo(() => {
    const made: Operations = createOperations({
      call,
      feed: jobFeed,
      copyInBrowser: copyInBrowser,
      signedIn: () => !link && credential.state.get().authType !== "none",
      ask: askBy(question),
      renew: (...folders) => renew(queries, ...folders),
      showMoved: (moves) => showMoved(queries, moves),
      undo: undoing,
      onDone(verb, { done }, step) {
        const count = placesAfter(done).length;
        const name = newName(step);
        const text = name ? t("explorer.done.renamedTo", { name }) : t(`explorer.done.${verb}`, { count });
        if (verb === "unpack") return void toast({ tone: "ok", text });
        if (!step || step.length === 0) return said.set({ text, times: said.get().times + 1 });
        const action = { label: t("explorer.done.takeBack"), run: () => void made.undo(step) };
        const shown = verb === "remove" ? t("explorer.done.trashed", { count }) : text;
        // Undone by the keyboard, it offers nothing any more.
        void toast({ tone: "ok", text: shown, action, until: undoing.over(step) });
      },
    });
    return made;
  }, [queries, call, link, question, said]);
  useEffect(undoing.recall, []);
  // The next person at this screen has done none of this.
  useEffect(
    () =>
      credential.state.subscribe(() => {
        if (credential.state.get().authType !== "none") return;
        clipboard.set(undefined);
        undoing.forget();
      }),
    [],
  );
  return { operations, ask: useMemo(() => askBy(question), [question]), question, said };
}

/** What something is called now that has stayed in its folder; undefined for any other step. */
function newName(step: readonly Moved[] | undefined): string | undefined {
  const [moved, more] = step ?? [];
  if (!moved || more || moved.trash !== undefined || parentOf(moved.from) !== parentOf(moved.to)) return undefined;
  return shownName(nameOf(moved.to));
}

const askBy =
  (question: ReturnType<typeof createStore<Question | undefined>>): Ask =>
  (conflict) =>
    new Promise((resolve) => {
      question.set({
        conflict,
        answer(answer) {
          question.set(undefined);
          resolve(answer);
        },
      });
    });
