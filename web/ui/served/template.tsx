import type { ReactNode } from "react";

/** Where the server puts a value into a page that build.ts writes (src/fronts/site/template.ts). */
export const place = (name: string): string => `[[${name}]]`;

interface WhereProps {
  readonly has?: string;
  readonly lacks?: string;
  readonly children: ReactNode;
}

/** What stays where a place is filled, or where it is not. */
export const Where = ({ has, lacks, children }: WhereProps) => (
  <>
    {has ? `[[#${has}]]` : `[[^${lacks}]]`}
    {children}
    {`[[/${has ?? lacks}]]`}
  </>
);
