import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { type RefusedField, refusalAt } from "../../api/refusals.ts";
import { useOneAtATime } from "../../lib/one-at-a-time.ts";
import { differs } from "./fields.ts";

/** What a form is about, and what becomes of it. */
export interface FormParts<Values extends object, Change extends object, Problems extends object> {
  /** The form before anything was changed. */
  readonly before: Values;
  readonly changeOf: (values: Values) => Change;
  /** What the browser can tell is wrong; nothing in it when all is well. */
  readonly problemsIn: (values: Values) => Problems;
  /** The fields at which a refusal of the server is shown. */
  readonly refusable: readonly (RefusedField & keyof Problems)[];
  /** Sends the change and shows what came of it; throws when it is refused. Not called when nothing differs. */
  readonly save: (change: Change) => Promise<unknown>;
  /** Saved with nothing changed. */
  readonly onUnchanged: () => void;
}

/** The state of a form that is filled in, checked, sent and, when it is refused, filled in again. */
export function useForm<Values extends object, Change extends object, Problems extends object>(
  parts: FormParts<Values, Change, Problems>,
) {
  const { before, changeOf, problemsIn, refusable, save, onUnchanged } = parts;
  const form = useRef<HTMLFormElement>(null);
  const oneAtATime = useOneAtATime();
  const [values, setValues] = useState(before);
  const [busy, setBusy] = useState(false);
  /** How often Save was pressed in vain: from the first time on, what is wrong is shown as it is typed. */
  const [stopped, setStopped] = useState(0);
  const [refused, setRefused] = useState<unknown>();
  const refusal = refusalAt(refused, refusable);
  const refusedField = refusal ? { [refusal.field]: refusal.words } : {};
  const problems = { ...(stopped > 0 ? problemsIn(values) : {}), ...refusedField } as Partial<Problems>;

  useEffect(() => {
    if (stopped === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus({ preventScroll: true });
    // With what is said below it, which the foot of a sheet would cover.
    wrong?.scrollIntoView({ block: "center" });
  }, [stopped]);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (Object.keys(problemsIn(values)).length > 0) return setStopped(stopped + 1);
    const change = changeOf(values);
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
    values,
    fill(part: Partial<Values>) {
      setValues((present) => ({ ...present, ...part }));
      setRefused(undefined);
    },
    problems,
    touched: differs(values, before),
    busy,
    /** What the server refused that belongs to no field. */
    refused: refusal ? undefined : refused,
    submit,
  };
}

/** The state of a form as its fields need it. */
export interface FormFields<Values, Problems> {
  readonly values: Values;
  readonly fill: (part: Partial<Values>) => void;
  readonly problems: Partial<Problems>;
}
