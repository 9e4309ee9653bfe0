import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import type { PasteChange, WholePaste } from "#contract/pastes";
import { useOneAtATime } from "../../lib/one-at-a-time.ts";
import { changeOf, type Filled, filledFrom, isTouched } from "./change.ts";
import { type Problems, problemsIn, problemsOf } from "./problems.ts";

interface PasteFormParts {
  readonly paste: WholePaste;
  /** Sends the change and shows what came of it; throws when it is refused. Not called when nothing differs. */
  readonly save: (change: PasteChange) => Promise<unknown>;
  /** Saved with nothing changed. */
  readonly onUnchanged: () => void;
}

/** The state of the form that changes a text share, whichever page it stands on. */
export function usePasteForm({ paste, save, onUnchanged }: PasteFormParts) {
  const form = useRef<HTMLFormElement>(null);
  const oneAtATime = useOneAtATime();
  const [filled, setFilled] = useState(() => filledFrom(paste));
  const [busy, setBusy] = useState(false);
  /** How often Save was pressed in vain: from the first time on, what is wrong is shown as it is typed. */
  const [stopped, setStopped] = useState(0);
  const [refused, setRefused] = useState<unknown>();
  const told = problemsOf(refused);
  const problems: Problems = stopped > 0 ? { ...problemsIn(filled, paste, Date.now()), ...told } : told;

  useEffect(() => {
    if (stopped > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [stopped]);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (Object.keys(problemsIn(filled, paste, Date.now())).length > 0) return setStopped(stopped + 1);
    const change = changeOf(filled, paste);
    if (Object.keys(change).length === 0) return onUnchanged();
    await oneAtATime(() => send(change));
  };

  const send = async (change: PasteChange) => {
    setBusy(true);
    setRefused(undefined);
    try {
      await save(change);
    } catch (error) {
      setRefused(error);
      setStopped(stopped + 1);
    } finally {
      setBusy(false);
    }
  };

  return {
    form,
    filled,
    fill(part: Partial<Filled>) {
      setFilled((before) => ({ ...before, ...part }));
      setRefused(undefined);
    },
    problems,
    touched: isTouched(filled, paste),
    busy,
    /** What the server refused that belongs to no field. */
    refused: Object.keys(told).length > 0 ? undefined : refused,
    submit,
  };
}
