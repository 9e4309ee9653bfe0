import { t, useLanguage } from "../../i18n/i18n.ts";
import { CopyButton } from "../copy-button.tsx";

/** What programs of a kind ask for. */
export const Facts = ({ children }: { readonly children: React.ReactNode }) => (
  <dl className="divide-y divide-line rounded-lg border border-line pl-3.5">{children}</dl>
);

interface FactProps {
  readonly name: string;
  /** What is typed or pasted elsewhere. */
  readonly text: string;
  readonly hint?: string;
}

/** A value to paste, by its name. */
export function Fact({ name, text, hint }: FactProps) {
  useLanguage();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 py-2">
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="wrap-anywhere col-start-1 font-mono text-[13px]">{text}</dd>
      {hint && <dd className="col-start-1 text-[13px] text-muted leading-snug">{hint}</dd>}
      <dd className="col-start-2 row-span-3 row-start-1">
        <CopyButton iconOnly text={text} label={t("connect.fact.copy", { name })} />
      </dd>
    </div>
  );
}

/** Something to know that nobody pastes. */
export const Said = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div className="py-2 pr-3.5">
    <dt className="text-[13px] text-muted">{name}</dt>
    <dd>{text}</dd>
  </div>
);
