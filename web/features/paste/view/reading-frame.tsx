import type { ReactNode } from "react";

interface ReadingFrameProps {
  /** Its name, what is known of it, and what can be done with it. */
  readonly head: ReactNode;
  readonly children: ReactNode;
  readonly aside?: ReactNode;
}

/** Where a text stands, with what is said of it: on the page of the app, and on the one that the server writes before it. */
export const ReadingFrame = ({ head, children, aside }: ReadingFrameProps) => (
  <div className={READING_PLACE}>
    <article className={READING_COLUMN}>
      <header className="mb-6 grid gap-3 border-line border-b pb-4 sm:mb-8">{head}</header>
      {children}
    </article>
    {aside}
  </div>
);

/** The text stands in the middle whether or not something stands beside it, which is known only later. */
export const READING_PLACE =
  "mx-auto w-full max-w-[1200px] justify-center px-4 py-6 sm:py-10 xl:grid xl:grid-cols-[1fr_minmax(0,680px)_1fr]";
export const READING_COLUMN = "mx-auto w-full min-w-0 max-w-[680px] xl:col-start-2";

/** The looks of its name; a text without one has it for those who do not see the page. */
export const headingClasses = (named: boolean): string =>
  named ? "font-semibold text-xl leading-snug outline-none" : "sr-only";

interface BesideTextProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** What stands beside a text where there is room. */
export const BesideText = ({ title, children }: BesideTextProps) => (
  <aside className="sticky top-20 hidden max-h-[calc(100dvh-6rem)] w-56 self-start justify-self-end overflow-y-auto xl:block">
    <p className="mb-2 px-2 font-medium text-xs text-muted uppercase tracking-wide">{title}</p>
    {children}
  </aside>
);

/** The looks of what folds the outline away where there is none. */
export const foldClasses =
  "inline-flex min-h-9 items-center gap-2 rounded-lg text-[13px] text-muted pointer-coarse:min-h-11";
