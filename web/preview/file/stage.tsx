import type { ReactNode } from "react";
import { classes } from "../../lib/classes.ts";

/** The most that a picture or film may take of the window's height: what the header and the file's name leave. */
export const fitting = "max-h-[max(280px,calc(100dvh-330px))] sm:max-h-[max(320px,calc(100dvh-250px))]";

interface StageProps {
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** Where a picture or film stands. */
export const Stage = ({ children, className }: StageProps) => (
  <div
    className={classes(
      "relative flex min-h-48 items-center justify-center overflow-hidden rounded-xl border border-line bg-sunken",
      className,
    )}
  >
    {children}
  </div>
);
