import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { isFailure } from "../../../api/failure.ts";
import { useSaveSettings } from "../../../api/settings.ts";
import { useOneAtATime } from "../../../lib/one-at-a-time.ts";
import { differs } from "../../../ui/form/fields.ts";

interface FormParts<Values extends object> {
  readonly group: number;
  /** The form as the server has it. */
  readonly before: Values;
  /** The settings that the form stands for, by their names. */
  readonly settingsOf: (values: Values) => Readonly<Record<string, string>>;
  /** What the browser can tell is wrong, in the language shown, by the names of the settings. */
  readonly problemsIn: (values: Values) => Readonly<Record<string, string>>;
}

/** What came of the last save: all of it holds, some of it, or nothing because of what is wrong or could not be sent. */
export type Outcome = "saved" | "partly" | "wrong" | Error;

/**
 * A form over a group of settings. Only what differs is sent; what the server refuses is shown at its field, and the rest holds.
 */
export function useSettingsForm<Values extends object>({ group, before, settingsOf, problemsIn }: FormParts<Values>) {
  const form = useRef<HTMLFormElement>(null);
  const oneAtATime = useOneAtATime();
  const { mutateAsync: save } = useSaveSettings(group);
  /** What was changed, over what the server has; so a change elsewhere shows in the fields that nobody touched. */
  const [changes, setChanges] = useState<Partial<Values>>({});
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  /** How often Save was pressed in vain: from the first time on, what is wrong is shown as it is typed. */
  const [stopped, setStopped] = useState(0);
  const values = { ...before, ...changes };
  const problems = { ...refused, ...(stopped > 0 ? problemsIn(values) : {}) };

  useEffect(() => {
    const field = stopped > 0 ? form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') : undefined;
    field?.focus({ preventScroll: true });
    // The bar with the button lies over the end of the page, and would cover the field or what is wrong with it.
    field?.scrollIntoView({ block: "center" });
  }, [stopped]);

  const send = async (wanted: Readonly<Record<string, string>>) => {
    setBusy(true);
    try {
      const errors = await save(wanted);
      const wrong = Object.keys(errors).length;
      setRefused(errors);
      setOutcome(wrong === 0 ? "saved" : wrong < Object.keys(wanted).length ? "partly" : "wrong");
      if (wrong > 0) return setStopped((times) => times + 1);
      setChanges({});
      setStopped(0);
    } catch (error) {
      // The change is out of our hands: what is shown is again what the server had last.
      if (isFailure(error, "queued")) setChanges({});
      setOutcome(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };

  return {
    form,
    values,
    problems,
    busy,
    outcome,
    touched: differs(values, before),
    fill(part: Partial<Values>) {
      setChanges((present) => ({ ...present, ...part }));
      setRefused({});
      setOutcome(undefined);
    },
    discard() {
      setChanges({});
      setRefused({});
      setStopped(0);
      setOutcome(undefined);
    },
    /** Sends these settings at once, whatever the form says. */
    set: (wanted: Readonly<Record<string, string>>) => oneAtATime(() => send(wanted)),
    async submit(event: SyntheticEvent) {
      event.preventDefault();
      if (Object.keys(problemsIn(values)).length > 0) {
        setOutcome("wrong");
        return setStopped(stopped + 1);
      }
      const [now, then] = [settingsOf(values), settingsOf(before)];
      const wanted = Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== then[name]));
      if (Object.keys(wanted).length === 0) return setChanges({});
      await oneAtATime(() => send(wanted));
    },
  };
}

/** What a page of settings needs of its form, whatever is in it. */
export type SettingsForm = Pick<
  ReturnType<typeof useSettingsForm<object>>,
  "form" | "busy" | "outcome" | "touched" | "discard" | "submit"
>;
