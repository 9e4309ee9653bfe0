import { classes } from "../../lib/classes.ts";

/** Of one width where that holds their words, whose own depends on the font. */
const FEW = "flex flex-wrap *:[button]:flex-1";
/** In a row where a phone has room for them, else in two rows that look meant. */
const MANY = "grid grid-cols-3 max-sm:min-[360px]:grid-cols-5";

interface PresetsProps<Value extends string | number> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value | undefined;
  readonly onChoose: (value: Value) => void;
}

/** The usual values of an option, one press each. */
export function Presets<Value extends string | number>({ label, choices, value, onChoose }: PresetsProps<Value>) {
  return (
    <fieldset className={classes("gap-1.5", choices.length > 4 ? MANY : FEW)}>
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
          className={classes(
            "h-8 whitespace-nowrap rounded-lg border px-1 text-[13px] transition-colors pointer-coarse:h-11",
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
