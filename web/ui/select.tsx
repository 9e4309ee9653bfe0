import ChevronDown from "lucide-react/icons/chevron-down";
import { useId } from "react";
import { classes } from "../lib/classes.ts";

interface SelectProps {
  readonly label: string;
  /** Keeps the label for those who cannot see the place of the choice. */
  readonly hiddenLabel?: boolean;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly className?: string;
}

/** One of many, by the list that the platform has for it. */
export function Select({ label, hiddenLabel = false, choices, value, onChoose, className }: SelectProps) {
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
          onChange={(event) => onChoose(event.target.value)}
          className="h-9 w-full appearance-none truncate rounded-lg border border-line bg-raised pr-9 pl-3 transition-colors hover:border-line-strong pointer-coarse:h-11"
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </div>
  );
}
