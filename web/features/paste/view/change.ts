import type { PasteChange, WholePaste } from "#contract/pastes";
import { slugProblem } from "#contract/paths";
import { t } from "../../../i18n/i18n.ts";
import { fromLocalInput, toLocalInput } from "../../../lib/time.ts";
import { viewLimit } from "../../../ui/share-options/views-form.tsx";
import type { OpenPaste } from "./opening.ts";

/** The edit form as it is filled in. */
export interface Filled {
  readonly content: string;
  readonly remark: string;
  readonly slug: string;
  /** As the date field has it; empty is never. */
  readonly expiry: string;
  readonly views: string;
  readonly password: string;
  readonly clearPassword: boolean;
  readonly resetViews: boolean;
}

export type FieldProblems = Partial<Record<"slug" | "views" | "expiry", string>>;

/** The form before anything was changed. */
export const filledFrom = (paste: WholePaste): Filled => ({
  content: paste.content,
  remark: paste.remark ?? "",
  slug: paste.slug,
  expiry: toLocalInput(paste.expires_at),
  views: String(paste.max_views),
  password: "",
  clearPassword: false,
  resetViews: false,
});

/** What the browser can tell is wrong before it asks the server. */
export function problemsIn(filled: Filled, paste: WholePaste, now: number): FieldProblems {
  const wrongSlug = filled.slug && filled.slug !== paste.slug ? slugProblem(filled.slug) : undefined;
  const expiry = filled.expiry === toLocalInput(paste.expires_at) ? null : fromLocalInput(filled.expiry);
  return {
    ...(wrongSlug === "slug.invalid" ? { slug: t("paste.options.suffix.invalid") } : {}),
    ...(wrongSlug === "slug.reserved" ? { slug: t("paste.options.suffix.reserved") } : {}),
    ...(viewLimit(filled.views) === undefined ? { views: t("paste.options.views.invalid") } : {}),
    ...(expiry && Date.parse(expiry) <= now ? { expiry: t("paste.options.expiry.past") } : {}),
  };
}

/** Only what differs travels: an untouched expiry keeps its seconds, an untouched text its ten megabytes at home. */
export function changeOf(filled: Filled, paste: WholePaste): PasteChange {
  const before = filledFrom(paste);
  return {
    ...(filled.content === before.content ? {} : { content: filled.content }),
    ...(filled.remark === before.remark ? {} : { remark: filled.remark.trim() || null }),
    ...(filled.slug === before.slug ? {} : { newSlug: filled.slug }),
    ...(filled.expiry === before.expiry ? {} : { expiresAt: fromLocalInput(filled.expiry) }),
    ...(filled.views === before.views ? {} : { maxViews: viewLimit(filled.views) ?? 0 }),
    ...(filled.password && !filled.clearPassword ? { password: filled.password } : {}),
    ...(filled.clearPassword ? { clearPassword: true } : {}),
    ...(filled.resetViews ? { resetViews: true } : {}),
  };
}

/** The share as it is after a change, so that showing it costs no view. */
export function changedShare(paste: WholePaste, change: PasteChange, slug: string): OpenPaste {
  const maxViews = change.maxViews ?? paste.max_views;
  const views = change.resetViews ? 0 : paste.views;
  return {
    slug,
    content: change.content ?? paste.content,
    remark: change.remark === undefined ? paste.remark : change.remark,
    expiresAt: change.expiresAt === undefined ? paste.expires_at : change.expiresAt,
    hasPassword: change.clearPassword ? false : paste.has_password || change.password !== undefined,
    maxViews,
    views,
    viewsLeft: maxViews === 0 ? null : Math.max(0, maxViews - views),
    createdAt: paste.created_at,
  };
}
