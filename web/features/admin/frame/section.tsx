import { type ReactNode, useId } from "react";
import { Card } from "../../../ui/card.tsx";

interface SectionProps {
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly text: string;
  readonly children: ReactNode;
}

/** A part of a page of settings: what it is about, and beside it what can be set. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3 lg:grid-cols-[15rem_minmax(0,60rem)] lg:gap-8">
      <div className="lg:pt-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <p className="mt-1 text-[13px] text-muted">{text}</p>
      </div>
      <Card className="min-w-0 p-4 sm:p-5">{children}</Card>
    </section>
  );
}
