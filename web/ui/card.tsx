import type { ComponentPropsWithRef, ReactNode } from "react";
import { classes } from "../lib/classes.ts";

/** A raised area on the page. */
export function Card({ className, ...rest }: ComponentPropsWithRef<"section">) {
  return <section {...rest} className={classes("rounded-xl border border-line bg-raised shadow-raised", className)} />;
}

interface CentredCardProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

/** The small card in the middle of a page that asks or tells one thing. */
export function CentredCard({ icon, title, children }: CentredCardProps) {
  return (
    <div className="grid flex-1 place-items-center px-4 py-10">
      <Card className="w-full max-w-[380px] p-6 sm:p-8">
        {icon && (
          <div className="mb-4 grid size-11 place-items-center rounded-xl bg-accent-soft text-accent [&_svg]:size-[22px]">
            {icon}
          </div>
        )}
        <h1 className="mb-2 font-semibold text-lg leading-snug">{title}</h1>
        {children}
      </Card>
    </div>
  );
}

/** A grey shape in the place of something that is loading; the caller gives it the final size. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classes("animate-shimmer rounded-md bg-line", className)} />;
}

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly text: string;
  /** The one thing that fills the place. */
  readonly action?: ReactNode;
}

/** What a place says while nothing is in it: what it is for, and how to fill it. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center px-6 py-16 text-center">
      {icon && (
        <div className="mb-4 grid size-14 place-items-center rounded-2xl bg-sunken text-muted [&_svg]:size-7">
          {icon}
        </div>
      )}
      <h2 className="mb-1 font-semibold text-base">{title}</h2>
      <p className="mb-5 max-w-[42ch] text-balance text-muted">{text}</p>
      {action}
    </div>
  );
}
