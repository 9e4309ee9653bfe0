import type { CreatedPaste, OpenedPaste, WholePaste } from "#contract/pastes";

const made = "2026-01-02T03:04:05.000Z";

/** What the server says of a new share. */
export const createdPaste = (more: Partial<CreatedPaste> = {}): CreatedPaste => ({
  id: "id-1",
  slug: "abc234",
  url: "https://satchel.test/paste/abc234",
  remark: null,
  expiresAt: null,
  maxViews: 0,
  hasPassword: false,
  createdAt: made,
  authorizedBy: "admin",
  ...more,
});

/** What the server says of a share that a reader looks at; with `content` it is open. */
export const openedPaste = (more: Partial<OpenedPaste> = {}): OpenedPaste => ({
  slug: "abc234",
  hasPassword: false,
  maxViews: 0,
  views: 1,
  viewsLeft: null,
  createdAt: made,
  remark: null,
  expiresAt: null,
  ...more,
});

/** What the server tells the owner of a share. */
export const wholePaste = (more: Partial<WholePaste> = {}): WholePaste => ({
  id: "id-1",
  slug: "abc234",
  content: "before",
  // Plain texts are edited in a text area, into which tests can type.
  plain: true,
  remark: null,
  has_password: false,
  version: 1,
  expires_at: null,
  max_views: 0,
  views: 3,
  created_by: "admin",
  created_at: made,
  updated_at: made,
  ...more,
});
