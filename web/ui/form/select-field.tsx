import ChevronDown from "lucide-react/icons/chevron-down";
import { useId } from "react";
import { classes } from "../../lib/classes.ts";

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  /** Keeps the label out of sight where the place says it. */
  readonly hiddenLabel?: boolean;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  readonly className?: string;
}

/** One of several, by the browser's own list; for a few choices that should all be in sight there is Choices. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hiddenLabel = false, choices, value, onChoose, className } = props;
  const id = useId();
  return (
    <div className={classes("grid gap-1.5", className)}>
      <label htmlFor={id} className={hiddenLabel ? "sr-only" : "font-medium text-sm"}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={({ target }) => {
            const chosen = choices.find((choice) => choice.value === target.value);
            if (chosen) onChoose(chosen.value);
          }}
          className="h-9 w-full appearance-none truncate rounded-lg border border-line-strong bg-raised pr-9 pl-3 text-text transition-colors hover:border-muted pointer-coarse:h-11"
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2.5 size-[18px] -translate-y-1/2 text-muted"
        />
      </div>
    </div>
  );
}
