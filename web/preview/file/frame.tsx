import type { ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import { Card } from "../../ui/card.tsx";

/** The height of what scrolls within itself: what the header and the file's name leave of the window. */
export const tall = "h-[max(420px,calc(100dvh-220px))]";

interface FrameProps {
  /** Names the tools. */
  readonly label: string;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** Where a document is shown: its tools above it. */
export const Frame = ({ label, tools, children }: FrameProps) => (
  <Card className="flex min-w-0 flex-col overflow-clip">
    {tools && (
      <div
        role="toolbar"
        aria-label={label}
        className="flex flex-wrap items-center gap-x-1 gap-y-1 border-line border-b bg-raised px-2 py-1.5"
      >
        {tools}
      </div>
    )}
    {children}
  </Card>
);

interface PickProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onPick: (value: Value) => void;
}

/** One of several, in a toolbar. */
export const Pick = <Value extends string>({ label, value, options, onPick }: PickProps<Value>) => (
  <select
    aria-label={label}
    title={label}
    value={value}
    onChange={({ target }) => {
      const picked = options.find((option) => option.value === target.value);
      if (picked) onPick(picked.value);
    }}
    className="h-9 max-w-44 max-sm:max-w-36 pointer-coarse:text-base rounded-lg border border-line bg-raised px-2 text-[13px] text-text hover:border-line-strong pointer-coarse:h-11"
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);

/** Two or three ways to see the same, side by side. */
export const Modes = <Value extends string>({ label, value, options, onPick }: PickProps<Value>) => (
  <fieldset className="flex rounded-lg bg-sunken p-0.5">
    <legend className="sr-only">{label}</legend>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onPick(option.value)}
        className={classes(
          "h-8 rounded-md px-3 text-[13px] pointer-coarse:h-11",
          option.value === value ? "bg-raised font-medium text-text shadow-raised" : "text-muted hover:text-text",
        )}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
);
