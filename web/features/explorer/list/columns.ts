/** The widths of the columns where there is room for them. */
const wide =
  "sm:grid-cols-[36px_minmax(0,1fr)_104px_190px_44px] pointer-coarse:sm:grid-cols-[44px_minmax(0,1fr)_104px_190px_44px]";

/** How the columns of the list lie: on a phone size and time stand below the name, in their own line, and what sorts in a row. */
export const columns = {
  grid: `grid items-center gap-x-2 px-2 grid-cols-[44px_minmax(0,1fr)_auto_auto] ${wide}`,
  head: `grid items-center gap-x-2 px-2 max-sm:justify-start max-sm:gap-x-4 grid-cols-[44px_auto_auto_auto] ${wide}`,
  size: "sm:justify-end",
  modified: "sm:pl-4",
} as const;
