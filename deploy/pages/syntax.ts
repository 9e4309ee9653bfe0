import { parseSync } from "rolldown/utils";

/** A node of a syntax tree (ESTree). */
export interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

/** In the place of a part of a source. */
export type Edit = readonly [start: number, end: number, text: string];

/** Takes a source apart. */
export function parsed(code: string, lang: "js" | "ts"): Syntax {
  const { program, errors } = parseSync(`source.${lang}`, code, { lang });
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return program as unknown as Syntax;
}

/** Reports whether a part of a node is a node itself. */
export const isSyntax = (part: unknown): part is Syntax => typeof part === "object" && part !== null && "type" in part;

/** The nodes of which a node is made. */
export const partsOf = (node: Syntax): Syntax[] => Object.values(node).flat().filter(isSyntax);

/** A source with parts written anew, of which none is within another. */
export const withEdits = (code: string, edits: readonly Edit[]): string =>
  edits
    .toSorted(([one], [other]) => other - one)
    .reduce((short, [start, end, text]) => short.slice(0, start) + text + short.slice(end), code);
