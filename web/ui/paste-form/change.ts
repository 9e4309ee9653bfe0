import type { PasteChange, WholePaste } from "#contract/pastes";
import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { viewLimit } from "../share-options/options.ts";

/** The form for a text share, as its fields hold it. */
export interface Filled {
  readonly content: string;
  readonly remark: string;
  readonly slug: string;
  /** As a datetime-local field holds it; empty is never. */
  readonly expiry: string;
  readonly views: string;
  readonly password: string;
  readonly clearPassword: boolean;
  readonly resetViews: boolean;
}

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

/** Whether something in the form would be lost with it, right or wrong. */
export function isTouched(filled: Filled, paste: WholePaste): boolean {
  const before = filledFrom(paste);
  const fields = Object.keys(before) as (keyof Filled)[];
  return fields.some((field) => filled[field] !== before[field]);
}

/** Only what differs travels: an untouched expiry keeps its seconds, an untouched text its ten megabytes at home. */
export function changeOf(filled: Filled, paste: WholePaste): PasteChange {
  const before = filledFrom(paste);
  const slug = filled.slug.trim();
  const remark = filled.remark.trim() || null;
  const expiresAt = filled.expiry === before.expiry ? undefined : fromLocalInput(filled.expiry);
  const maxViews = viewLimit(filled.views);
  return {
    ...(filled.content === before.content ? {} : { content: filled.content }),
    ...(filled.remark === before.remark || remark === paste.remark ? {} : { remark }),
    ...(slug === paste.slug ? {} : { newSlug: slug || null }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(maxViews === undefined || maxViews === paste.max_views ? {} : { maxViews }),
    ...(filled.password && !filled.clearPassword ? { password: filled.password } : {}),
    ...(filled.clearPassword ? { clearPassword: true } : {}),
    ...(filled.resetViews ? { resetViews: true } : {}),
  };
}
