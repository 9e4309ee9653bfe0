/** Limits of shares under names that a call does not have: a typing error must not make a share without its limit. */
import { Failure } from "#contract/failures";

/** What a caller sent by name. */
type Sent = Readonly<Record<string, unknown>>;

/** Longer than any name of a limit. Longer ones, and such with other letters, are no typing error and are not repeated to anybody. */
const NAME = /^[\w .-]{1,40}$/;

/** Names without their separators, in lower case: of when something ends, how often it opens, and what opens it. */
const LIMITS = [
  /expir(?!ed$)/,
  /^ttl|^lifetime|^valid(for|till|to|until)|^(delete|destroy|keep|remove)(after|at|for|in|on|until)/,
  /^max.|.limits?$|^views$|^burn|^(one|single)(shot|time|use|view)/,
  /^(access|plain|share|view)?(pass(code|phrase|word|wort|wd)?|pwd|pw)$/,
];

/** Reports whether a name says how long, how often or by whom something may be opened, as far as anybody can tell. */
export function isLimitName(name: string): boolean {
  if (!NAME.test(name)) return false;
  const letters = name.toLowerCase().replaceAll(/[ ._-]/g, "");
  return LIMITS.some((pattern) => pattern.test(letters));
}

/** Values that ask for no limit, as forms send them for fields that nobody has filled in. */
const nothing: readonly unknown[] = [undefined, null, "", false, "false", 0, "0", "never"];

/** Reports whether a name says a limit, and its value asks for one. */
export const saysLimit = (name: string, value: unknown): boolean => !nothing.includes(value) && isLimitName(name);

/** How often something has been opened, as answers have it: a limit only where no other name says one of openings. */
const isCount = (name: string, sent: Sent): boolean =>
  name === "views" && Object.keys(sent).some((other) => /^max_?views$/i.test(other));

/**
 * What was sent, with each limit under the name that the call has for it: `known` are its names, `aliases` other names of some. 400
 * limit.unknown for one that the call would not see, and for one that is said twice and differently.
 */
export function withLimits(sent: Sent, known: readonly string[], aliases: Readonly<Record<string, string>>): Sent {
  const read: Record<string, unknown> = { ...sent };
  for (const [name, value] of Object.entries(sent)) {
    if (known.includes(name) || !saysLimit(name, value) || isCount(name, sent)) continue;
    const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    const before = meant === undefined ? undefined : read[meant];
    if (meant === undefined || (!nothing.includes(before) && before !== value))
      throw new Failure("limit.unknown", { field: name, known: known.filter(isLimitName).join(", ") });
    read[meant] = value;
  }
  return read;
}
