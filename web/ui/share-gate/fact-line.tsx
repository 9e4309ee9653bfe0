import { Children, type ReactNode } from "react";
import { classes } from "../../lib/classes.ts";

interface FactLineProps {
  readonly children: ReactNode;
  readonly centred?: boolean;
}

/** Facts about a share, in one muted line; each child is a fact. */
export const FactLine = ({ children, centred = false }: FactLineProps) => (
  <p className="overflow-x-clip text-[13px] text-muted">
    {/* Each fact brings the dot before it; at the beginning of a line that lies outside, where it is cut off. A line in the
        middle has no outside near it, and does with a gap. */}
    <span className={classes("flex flex-wrap", centred ? "justify-center gap-x-4" : "-ml-3.5")}>
      {Children.toArray(children).map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts have no names and hold no state
        <span key={index} className="flex">
          {centred ? null : (
            <span aria-hidden className="w-3.5 shrink-0 text-center">
              {index > 0 && "·"}
            </span>
          )}
          <span>{fact}</span>
        </span>
      ))}
    </span>
  </p>
);
