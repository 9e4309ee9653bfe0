import { MAX_VIEWS } from "#contract/limits";
import type { NewPaste } from "#contract/pastes";
import { slugProblem } from "#contract/paths";
import { t } from "../../i18n/i18n.ts";

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
  /** As it was typed; empty and 0 are unlimited. */
  readonly maxViews: string;
  readonly remark: string;
}

export const noOptions: ShareOptions = { slug: "", password: "", expiry: { kind: "never" }, maxViews: "", remark: "" };

/** The expiry presets in hours. */
export const expiryPresets = [
  { hours: 1, long: "paste.options.expiry.hour", short: "paste.options.expiry.hourShort" },
  { hours: 24, long: "paste.options.expiry.day", short: "paste.options.expiry.dayShort" },
  { hours: 168, long: "paste.options.expiry.week", short: "paste.options.expiry.weekShort" },
  { hours: 720, long: "paste.options.expiry.month", short: "paste.options.expiry.monthShort" },
] as const;

/** The view limit that a field holds, or undefined when it is none. */
export function viewLimit(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d*$/.test(trimmed)) return undefined;
  const number = Number(trimmed);
  return number <= MAX_VIEWS ? number : undefined;
}

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
    ...(expiry.kind === "never" ? {} : { expiresAt: expiresAt(expiry, now) }),
  };
}

/** What is wrong with one option, as a sentence to show at its chip. */
export interface OptionProblem {
  readonly field: keyof ShareOptions;
  readonly message: string;
}

/** What the browser can tell is wrong before it asks the server. */
export function optionProblem({ slug, expiry, maxViews }: ShareOptions, now: number): OptionProblem | undefined {
  const wrongSlug = slug ? slugProblem(slug) : undefined;
  if (wrongSlug === "slug.invalid") return { field: "slug", message: t("share.problem.slugInvalid") };
  if (wrongSlug) return { field: "slug", message: t("share.problem.slugReserved") };
  if (viewLimit(maxViews) === undefined) return { field: "maxViews", message: t("share.problem.viewsInvalid") };
  if (expiry.kind !== "at") return undefined;
  if (Number.isNaN(expiry.time)) return { field: "expiry", message: t("share.problem.expiryInvalid") };
  if (expiry.time <= now) return { field: "expiry", message: t("share.problem.expiryPast") };
  return undefined;
}
