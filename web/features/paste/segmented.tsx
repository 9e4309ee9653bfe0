import { classes } from "../../lib/classes.ts";

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** The whole name when the label is an abbreviation. */
  readonly title?: string;
  readonly disabled?: boolean;
}

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A choice between a few ways, all in sight. */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a flex row in all browsers
    <div role="group" aria-label={label} className="inline-flex shrink-0 rounded-[10px] bg-sunken p-0.5">
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          disabled={choice.disabled}
          title={choice.title}
          onClick={() => onChange(choice.value)}
          className={classes(
            "min-h-8 whitespace-nowrap rounded-lg px-3 max-sm:px-2 text-[13px] font-medium transition-colors duration-150 pointer-coarse:min-h-11",
            choice.value === value ? "bg-raised text-text shadow-sm" : "text-muted hover:text-text",
            choice.disabled && "cursor-not-allowed opacity-50",
          )}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
