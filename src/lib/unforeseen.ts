import type { LogFields } from "./log.ts";

const LONGEST = 300;

/**
 * What the log says of an error that nobody foresaw: what it is and where it comes from, without what it quotes. A parser
 * names what it could not read and a validator what it found, which is what somebody sent or stored. So only the first line of
 * the message stays, without texts in quotes, and of the stack only the places.
 */
export function unforeseen(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const [line = ""] = error.message.split("\n");
  // A quote behind a backslash belongs to the text.
  const said = line.replace(/"(?:[^"\\]|\\.?)*("|$)/g, '"…"').slice(0, LONGEST);
  const places = error.stack?.split("\n").filter((entry) => /^\s+at /.test(entry));
  return { error: `${error.name}: ${said}`, stack: places?.join("\n") };
}
