import { useId, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { dateTime, fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { TextField } from "../form/field.tsx";
import { allowedHours, lastInput } from "./allowed.ts";
import { allowedPresets } from "./options.ts";

interface ExpiryFieldProps {
  /** As a datetime-local field has it, in local time; empty is never. */
  readonly value: string;
  /** What it is now; empty for something new. */
  readonly before: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

type Choice = number | "never" | "custom" | "before";

const HOUR = 3_600_000;

/** When a share ends, by the chips that sharing has; a date is asked for only where somebody wants their own. */
export function ExpiryField({ value, before, error, onChange }: ExpiryFieldProps) {
  const language = useLanguage();
  const label = useId();
  const [choice, setChoice] = useState<Choice>(() => (value === "" ? "never" : "before"));
  const { longest } = allowedHours();
  const presets = allowedPresets(longest);
  // What it is now, or was to be at first.
  const [kept] = useState(before || value);
  const choose = (next: Choice): void => {
    setChoice(next);
    if (next === "never") onChange("");
    else if (next === "before") onChange(kept);
    else if (next !== "custom") onChange(toLocalInput(new Date(Date.now() + next * HOUR).toISOString()));
  };
  const chips: readonly (readonly [Choice, string])[] = [
    ...(kept === "" ? [] : [["before", whenText(kept, language)] as const]),
    ...(longest === 0 || kept === "" ? [["never", t("share.form.expiryNever")] as const] : []),
    ...presets.map(({ hours }) => [hours, spanWords(hours)] as const),
    ["custom", t("share.form.expiryCustom")],
  ];
  return (
    <div>
      <p id={label} className="mb-1.5 font-medium text-sm">
        {t("share.form.expiry")}
      </p>
      <fieldset aria-labelledby={label} className="flex flex-wrap gap-1.5">
        {chips.map(([one, text]) => (
          <button
            key={one}
            type="button"
            aria-pressed={choice === one}
            onClick={() => choose(one)}
            className={classes(
              "h-8 whitespace-nowrap rounded-full border px-3 text-[13px] transition-colors pointer-coarse:h-11",
              choice === one
                ? "border-accent bg-accent-soft font-medium text-accent"
                : "border-line text-text hover:border-line-strong hover:bg-sunken",
            )}
          >
            {text}
          </button>
        ))}
      </fieldset>
      {choice === "custom" && (
        <div className="mt-2 max-w-60">
          <TextField
            type="datetime-local"
            label={t("share.form.expiryPick")}
            value={value}
            min={toLocalInput(new Date().toISOString())}
            max={lastInput()}
            error={error}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
      {choice !== "custom" && error && (
        <p role="alert" className="mt-1.5 text-[13px] text-danger">
          {error}
        </p>
      )}
      {typeof choice === "number" && (
        <p className="mt-1.5 text-[13px] text-muted">{t("share.form.expiryAt", { time: timeOf(value, language) })}</p>
      )}
    </div>
  );
}

/** So many hours in words; in days where they are whole ones. */
export const spanWords = (hours: number): string =>
  hours % 24 === 0 ? t("share.form.expiryDays", { count: hours / 24 }) : t("share.form.expiryHours", { count: hours });

const timeOf = (value: string, language: Parameters<typeof dateTime>[1]): string => {
  const instant = fromLocalInput(value);
  return instant ? dateTime(instant, language) : "";
};

/** What an expiry is now, which can lie behind us. */
function whenText(value: string, language: Parameters<typeof dateTime>[1]): string {
  const time = timeOf(value, language);
  const isOver = Date.parse(fromLocalInput(value) ?? "") <= Date.now();
  return t(isOver ? "share.form.expiryOver" : "share.form.expiryOn", { time });
}
