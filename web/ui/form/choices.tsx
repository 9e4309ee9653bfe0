import { useId } from "react";
import { classes } from "../../lib/classes.ts";

interface ChoicesProps<Value extends string> {
  readonly legend: string;
  /** Keeps the legend for those who cannot see what the choice belongs to. */
  readonly hiddenLegend?: boolean;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly disabled?: boolean;
  /** Nothing right is chosen yet: a form that was sent in vain leads here. */
  readonly invalid?: boolean;
  readonly onChoose: (value: Value) => void;
  /** How they stand beside each other. */
  readonly className: string;
}

/** One of a few, all in sight; arrow keys go from one to the next. */
export function Choices<Value extends string>({ legend, choices, value, onChoose, ...looks }: ChoicesProps<Value>) {
  const group = useId();
  const { hiddenLegend = false, disabled = false, invalid = false, className } = looks;
  return (
    <fieldset disabled={disabled} className="min-w-0 disabled:opacity-50">
      <legend className={hiddenLegend ? "sr-only" : "mb-1.5 font-medium text-sm"}>{legend}</legend>
      <div className={className}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classes(
              "relative flex min-h-9 cursor-pointer items-center justify-center rounded-lg border px-2 py-1 text-center text-[13px] leading-tight transition-colors pointer-coarse:min-h-11",
              "has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2",
              choice.value === value
                ? "border-accent bg-accent-soft font-medium text-accent"
                : "border-line text-text hover:border-line-strong hover:bg-sunken",
            )}
          >
            <input
              type="radio"
              name={group}
              checked={choice.value === value}
              aria-invalid={invalid || undefined}
              onChange={() => onChoose(choice.value)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
