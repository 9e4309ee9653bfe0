import { type ReactNode, useId } from "react";
import { classes } from "../../../lib/classes.ts";
import { Card } from "../../../ui/card.tsx";

interface TitledCardProps {
  readonly title: string;
  /** Beside the title: what the card is switched or refreshed by. */
  readonly tools?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A part of the dashboard under its title. */
export function TitledCard({ title, tools, className, children }: TitledCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className={classes("flex min-w-0 flex-col p-4 sm:p-5", className)}>
      <div
        className={classes(
          "mb-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-2",
          tools ? "-mt-1.5 min-h-9" : undefined,
        )}
      >
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {tools}
      </div>
      {children}
    </Card>
  );
}
