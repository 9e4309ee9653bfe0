/** A number that JavaScript would round: it is shown as it was written. */
export class WrittenNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** More digits than a number of JavaScript keeps. */
const manyDigits = /\d{16}/;

/** Older browsers tell a reviver nothing of the source. */
interface ReviverContext {
  readonly source?: string;
}

/** What a JSON text says, or why it is none. */
export function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    // A reviver makes parsing several times slower.
    return { value: manyDigits.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const keepNumber = (_: string, value: unknown, context?: ReviverContext): unknown => {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && manyDigits.test(source)
    ? new WrittenNumber(source)
    : value;
};
