import { MAX_CONTENT_BYTES, MAX_PASSWORD_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_VIEWS } from "#contract/limits";
import type { PasteChange, WholePaste } from "#contract/pastes";
import { slugProblem } from "#contract/paths";
import { isFailure } from "../../../api/failure.ts";
import { fromLocalInput, toLocalInput } from "../../../lib/time.ts";

/** What the form holds, as its fields hold it. */
export interface Draft {
  readonly slug: string;
  readonly content: string;
  readonly remark: string;
  /** As a datetime-local field holds it. */
  readonly expiry: string;
  readonly maxViews: string;
  readonly password: string;
  readonly clearPassword: boolean;
  readonly resetViews: boolean;
}

/** The words for an error at a field. */
type Problem =
  | "admin.edit.slugInvalid"
  | "admin.edit.slugReserved"
  | "admin.edit.slugTaken"
  | "admin.edit.contentEmpty"
  | "admin.edit.contentTooLarge"
  | "admin.edit.remarkTooLong"
  | "admin.edit.expiryPast"
  | "admin.edit.maxViewsInvalid"
  | "admin.edit.passwordTooLong";
export type Problems = { readonly [Field in keyof Draft]?: Problem };

/** The form for a text as it stands. */
export const draftOf = (text: WholePaste): Draft => ({
  slug: text.slug,
  content: text.content,
  remark: text.remark ?? "",
  expiry: toLocalInput(text.expires_at),
  maxViews: String(text.max_views),
  password: "",
  clearPassword: false,
  resetViews: false,
});

/** What the form says that the text does not say already; an unchanged field is not sent. */
export function changeOf(draft: Draft, text: WholePaste): PasteChange {
  const before = draftOf(text);
  const changed = (field: keyof Draft) => draft[field] !== before[field];
  const maxViews = Number(draft.maxViews);
  const newPassword = draft.clearPassword ? "" : draft.password;
  return {
    ...(changed("slug") ? { newSlug: draft.slug.trim() || null } : {}),
    ...(changed("content") ? { content: draft.content } : {}),
    ...(changed("remark") ? { remark: draft.remark.trim() } : {}),
    ...(changed("expiry") ? { expiresAt: fromLocalInput(draft.expiry) } : {}),
    ...(maxViews === text.max_views ? {} : { maxViews }),
    ...(newPassword ? { password: newPassword } : {}),
    ...(draft.clearPassword ? { clearPassword: true } : {}),
    ...(draft.resetViews ? { resetViews: true } : {}),
  };
}

const slugProblems = {
  "slug.invalid": "admin.edit.slugInvalid",
  "slug.reserved": "admin.edit.slugReserved",
} as const;

/** What is wrong with the form; `now` in epoch milliseconds. */
export function problemsIn(draft: Draft, text: WholePaste, now: number): Problems {
  const change = changeOf(draft, text);
  const found: { -readonly [Field in keyof Draft]?: Problem } = {};
  const slug = change.newSlug ? slugProblem(change.newSlug) : undefined;
  if (slug) found.slug = slugProblems[slug];
  if (draft.content.trim() === "") found.content = "admin.edit.contentEmpty";
  else if (tooLarge(draft.content)) found.content = "admin.edit.contentTooLarge";
  if (draft.remark.length > MAX_REMARK_CHARACTERS) found.remark = "admin.edit.remarkTooLong";
  if (change.expiresAt && Date.parse(change.expiresAt) <= now) found.expiry = "admin.edit.expiryPast";
  if (!/^\d{0,10}$/.test(draft.maxViews) || Number(draft.maxViews) > MAX_VIEWS) {
    found.maxViews = "admin.edit.maxViewsInvalid";
  }
  if (draft.password.length > MAX_PASSWORD_CHARACTERS) found.password = "admin.edit.passwordTooLong";
  return found;
}

/** A character takes at most three bytes of UTF-8 per unit of a JavaScript string, so short texts need no counting. */
const tooLarge = (content: string): boolean =>
  content.length * 3 > MAX_CONTENT_BYTES && new TextEncoder().encode(content).length > MAX_CONTENT_BYTES;

/** The field that a refusal of the server speaks of, or nothing when it speaks of the whole. */
export function problemsOf(error: unknown): Problems {
  if (isFailure(error, "slug.taken")) return { slug: "admin.edit.slugTaken" };
  if (isFailure(error, "slug.invalid")) return { slug: "admin.edit.slugInvalid" };
  if (isFailure(error, "slug.reserved")) return { slug: "admin.edit.slugReserved" };
  if (isFailure(error, "expiry.past")) return { expiry: "admin.edit.expiryPast" };
  if (isFailure(error, "content.empty")) return { content: "admin.edit.contentEmpty" };
  if (isFailure(error, "content.tooLarge")) return { content: "admin.edit.contentTooLarge" };
  return {};
}
