import type { PasteChange, WholePaste } from "#contract/pastes";
import type { OpenPaste } from "./opening.ts";

/** The share as it is after a change, so that showing it costs no view. */
export function changedShare(paste: WholePaste, change: PasteChange, slug: string): OpenPaste {
  const maxViews = change.maxViews ?? paste.max_views;
  const views = change.resetViews ? 0 : paste.views;
  return {
    slug,
    content: change.content ?? paste.content,
    plain: change.plain ?? paste.plain,
    remark: change.remark === undefined ? paste.remark : change.remark,
    expiresAt: change.expiresAt === undefined ? paste.expires_at : change.expiresAt,
    hasPassword: change.clearPassword ? false : paste.has_password || change.password !== undefined,
    maxViews,
    views,
    viewsLeft: maxViews === 0 ? null : Math.max(0, maxViews - views),
    createdAt: paste.created_at,
    created_by: paste.created_by,
  };
}
