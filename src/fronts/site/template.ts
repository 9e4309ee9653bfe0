/** What a page of the build is filled with, by the name of its place. */
export type Values = Readonly<Record<string, string | undefined>>;

const SECTION = /\[\[([#^])(\w+)\]\]([\s\S]*?)\[\[\/\2\]\]/g;
const PLACE = /\[\[(\w+)\]\]/g;

/**
 * Fills a page: `[[name]]` with a value, which is HTML; `[[#name]]...[[/name]]` stays where there is one, `[[^name]]...[[/name]]` where there
 * is none. Values are not looked into again.
 */
export const filled = (page: string, values: Values): string =>
  page
    .replace(SECTION, (_, sign: string, name: string, inner: string) =>
      (sign === "#") === (values[name] !== undefined) ? inner : "",
    )
    .replace(PLACE, (_, name: string) => values[name] ?? "");
