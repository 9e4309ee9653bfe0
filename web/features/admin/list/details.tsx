import type { ReactNode } from "react";
import { CopyButton } from "../../../ui/copy-button.tsx";

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Some facts below a name. */
export const Section = ({ title, children }: SectionProps) => (
  <section>
    <h3 className="mb-1.5 font-semibold text-muted text-xs">{title}</h3>
    <dl className="divide-y divide-line rounded-lg border border-line px-3.5">{children}</dl>
  </section>
);

interface DetailProps {
  readonly name: string;
  readonly children: ReactNode;
  /** What a button beside it copies. */
  readonly copy?: { readonly text: string; readonly label: string };
}

/** One fact of a share, with a button that copies something of it. */
export const Detail = ({ name, children, copy }: DetailProps) => (
  <div className="flex items-center gap-3 py-2">
    <dt className="w-24 shrink-0 self-start text-muted">{name}</dt>
    <dd className="wrap-anywhere min-w-0 flex-1">{children}</dd>
    {copy && (
      <dd className="-my-2 -mr-2">
        <CopyButton iconOnly {...copy} />
      </dd>
    )}
  </div>
);
