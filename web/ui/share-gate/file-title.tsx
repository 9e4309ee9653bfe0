import { shownName } from "../../lib/shown-name.ts";
import { type ContentChange, useContentFocus } from "./content-focus.ts";

interface FileTitleProps {
  readonly filename: string;
  /** What has just put the file here, unless the page began with it: then the focus comes here. */
  readonly change: ContentChange;
}

/** The looks of that name. */
export const FILE_TITLE = "wrap-anywhere font-semibold text-lg leading-snug outline-none sm:text-xl";

/** The name of the file that a page shows. */
export function FileTitle({ filename, change }: FileTitleProps) {
  const heading = useContentFocus(change);
  return (
    <h1 ref={heading} tabIndex={-1} className={FILE_TITLE}>
      <bdi>{shownName(filename)}</bdi>
    </h1>
  );
}
