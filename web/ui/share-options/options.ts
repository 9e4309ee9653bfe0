import type { NewPaste } from "#contract/pastes";
import { allowedHours } from "./allowed.ts";
import { expiryWrong, type ShareProblem, sealingWrong, slugWrong, viewLimit, viewsWrong } from "./share-problems.ts";

/** Milliseconds of an hour. */
const HOUR = 3_600_000;

/** How long a share lives: for ever, some hours from its creation, or up to an instant. */
export type Expiry =
  | { readonly kind: "never" }
  | { readonly kind: "after"; readonly hours: number }
  /** The time is NaN while the field holds no time. */
  | { readonly kind: "at"; readonly time: number };

/** What the chips hold, for texts and later for files. */
export interface ShareOptions {
  readonly slug: string;
  readonly password: string;
  readonly expiry: Expiry;
  /** The text that was typed; empty and 0 are unlimited. */
  readonly maxViews: string;
  readonly remark: string;
}

export const noOptions: ShareOptions = { slug: "", password: "", expiry: { kind: "never" }, maxViews: "", remark: "" };

/** What a share has of which nobody has chosen anything yet, as the administrator lets this person share. */
export function startOptions(): ShareOptions {
  const { usual } = allowedHours();
  return usual === 0 ? noOptions : { ...noOptions, expiry: { kind: "after", hours: usual } };
}

/** The expiry presets in hours. */
export const expiryPresets = [
  { hours: 1, long: "paste.options.expiry.hour", short: "paste.options.expiry.hourShort" },
  { hours: 24, long: "paste.options.expiry.day", short: "paste.options.expiry.dayShort" },
  { hours: 168, long: "paste.options.expiry.week", short: "paste.options.expiry.weekShort" },
  { hours: 720, long: "paste.options.expiry.month", short: "paste.options.expiry.monthShort" },
] as const;

/** Those within so many hours, and these themselves; 0 is without limit. */
export const allowedPresets = (longest: number) =>
  expiryPresets.filter(({ hours }) => longest === 0 || hours <= longest);

/** The instant an expiry means for something created `now`, or null for never. */
export function expiresAt(expiry: Expiry, now: number): string | null {
  if (expiry.kind === "never") return null;
  return new Date(expiry.kind === "at" ? expiry.time : now + expiry.hours * HOUR).toISOString();
}

/** The body of a creation: what was left empty is not sent. */
export function newPasteOf(content: string, options: ShareOptions, now: number): NewPaste {
  const { slug, password, remark, expiry } = options;
  const maxViews = viewLimit(options.maxViews) ?? 0;
  return {
    content,
    ...(slug ? { slug } : {}),
    ...(password ? { password } : {}),
    ...(remark.trim() ? { remark: remark.trim() } : {}),
    ...(maxViews > 0 ? { maxViews } : {}),
    // Where there is a default, never has to be said.
    ...(expiry.kind === "never" && allowedHours().usual === 0 ? {} : { expiresAt: expiresAt(expiry, now) }),
  };
}

/** What is wrong with one option, to be said at its chip. */
export interface OptionProblem {
  readonly field: keyof ShareOptions;
  readonly words: ShareProblem;
}

/** All that the browser can tell is wrong before it asks the server; `sealed` says that the password seals. */
export function optionProblems(options: ShareOptions, now: number, sealed = false): OptionProblem[] {
  const { slug, password, expiry, maxViews } = options;
  const wrong = {
    slug: slugWrong(slug),
    password: sealed ? sealingWrong(password) : undefined,
    maxViews: viewsWrong(maxViews),
    expiry: expiry.kind === "at" ? expiryWrong(expiry.time, now) : undefined,
  };
  return (["slug", "password", "maxViews", "expiry"] as const).flatMap((field) => {
    const words = wrong[field];
    return words ? [{ field, words }] : [];
  });
}

/** The first of them, which a press on the button leads to. */
export const optionProblem = (options: ShareOptions, now: number, sealed = false): OptionProblem | undefined =>
  optionProblems(options, now, sealed)[0];
