import type { ReactNode } from "react";
import { classes } from "../../../lib/classes.ts";

/** What is known of a resource, in pairs of name and value. */
export const Facts = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-[13px]">{children}</dl>
);

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly mono?: boolean;
  /** Takes the whole line. */
  readonly wide?: boolean;
}

/** One of the facts. */
export const Fact = ({ name, children, mono = false, wide = false }: FactProps) => (
  <div className={classes("min-w-0", wide && "col-span-2")}>
    <dt className="text-muted text-xs">{name}</dt>
    <dd className={classes("wrap-anywhere", mono && "font-mono")}>{children}</dd>
  </div>
);
