import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useOneAtATime } from "../../lib/one-at-a-time.ts";
import { differs } from "./filled.ts";

interface ShareFormParts<Filled extends object, Change extends object, Problems extends object> {
  /** The form before anything was changed. */
  readonly before: Filled;
  readonly changeOf: (filled: Filled) => Change;
  /** What the browser can tell is wrong; nothing in it when all is well. */
  readonly problemsIn: (filled: Filled) => Problems;
  /** What a refusal of the server says about single fields. */
  readonly problemsOf: (error: unknown) => Partial<Problems>;
  /** Sends the change and shows what came of it; throws when it is refused. Not called when nothing differs. */
  readonly save: (change: Change) => Promise<unknown>;
  /** Saved with nothing changed. */
  readonly onUnchanged: () => void;
}

/** The state of a form that changes a share, whatever stands behind its link. */
export function useShareForm<Filled extends object, Change extends object, Problems extends object>(
  parts: ShareFormParts<Filled, Change, Problems>,
) {
  const { before, changeOf, problemsIn, problemsOf, save, onUnchanged } = parts;
  const form = useRef<HTMLFormElement>(null);
  const oneAtATime = useOneAtATime();
  const [filled, setFilled] = useState(before);
  const [busy, setBusy] = useState(false);
  /** How often Save was pressed in vain: from the first time on, what is wrong is shown as it is typed. */
  const [stopped, setStopped] = useState(0);
  const [refused, setRefused] = useState<unknown>();
  const told = problemsOf(refused);
  const problems: Partial<Problems> = stopped > 0 ? { ...problemsIn(filled), ...told } : told;

  useEffect(() => {
    if (stopped > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [stopped]);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (Object.keys(problemsIn(filled)).length > 0) return setStopped(stopped + 1);
    const change = changeOf(filled);
    if (Object.keys(change).length === 0) return onUnchanged();
    await oneAtATime(() => send(change));
  };

  const send = async (change: Change) => {
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
      setFilled((present) => ({ ...present, ...part }));
      setRefused(undefined);
    },
    problems,
    touched: differs(filled, before),
    busy,
    /** What the server refused that belongs to no field. */
    refused: Object.keys(told).length > 0 ? undefined : refused,
    submit,
  };
}
