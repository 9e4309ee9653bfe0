import { classes } from "../../lib/classes.ts";

interface PresetsProps<Value extends string | number> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value | undefined;
  readonly onChoose: (value: Value) => void;
}

/** The usual values of an option, one press each. */
export function Presets<Value extends string | number>({ label, choices, value, onChoose }: PresetsProps<Value>) {
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
          className={classes(
            "h-8 rounded-lg border px-3 text-[13px] transition-colors pointer-coarse:h-11 pointer-coarse:px-4",
            choice.value === value
              ? "border-accent bg-accent-soft font-medium text-accent"
              : "border-line text-text hover:border-line-strong hover:bg-sunken",
          )}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
