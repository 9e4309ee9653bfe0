import type { ReactNode } from "react";

/** A line above what a viewer shows, which says what is not shown of the file. */
export const ViewerNote = ({ children }: { readonly children: ReactNode }) => (
  <p className="border-line border-b bg-sunken px-4 py-2 text-[13px] text-muted">{children}</p>
);
