import type { ReactNode, Ref } from "react";
import type { Language } from "#contract/languages";
import { classes } from "../../lib/classes.ts";

interface FileFrameProps {
  /** Its name, and what is known of it. */
  readonly heading: ReactNode;
  readonly actions: ReactNode;
  readonly ref?: Ref<HTMLElement>;
  readonly children: ReactNode;
}

/** Where a file stands that can be shown, with what is said of it: on the page of the app, and on the one that the server writes before it. */
export const FileFrame = ({ heading, actions, ref, children }: FileFrameProps) => (
  <article ref={ref} className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-5 px-4 py-6 sm:py-8">
    <header className="flex flex-col gap-4 sm:flex-row sm:items-start sm:justify-between">
      <div className={HEADING}>{heading}</div>
      {actions}
    </header>
    {children}
  </article>
);

/** The looks of a name with what is known of its file below. */
export const HEADING = "grid w-full min-w-0 gap-1.5";
/** The looks of what its sender says of a file. */
export const REMARK = "wrap-anywhere max-w-[75ch]";

/**
 * The looks of the line of facts. On a phone it has room for two lines, but in Chinese: the app has more to say than the page that the server
 * writes, which may or may not want the second one, and what stands below is not to move for that.
 */
export const factsClasses = (language: Language): string =>
  classes("text-[13px]", language !== "zh" && "max-[430px]:min-h-[2lh]");

/** The looks of what can be done with a file: in a row at the end, or `centred` under each other. */
export const actionsClasses = (centred: boolean): string =>
  classes("flex shrink-0 items-center gap-2 max-sm:flex-col", centred ? "flex-col" : "sm:flex-row-reverse");

/** The looks of its one big button. */
export const downloadClasses = (centred: boolean): string =>
  classes("h-11 px-6 text-base", centred ? "w-full" : "max-sm:w-full");
