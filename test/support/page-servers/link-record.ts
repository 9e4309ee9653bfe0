import type { LinkRecord } from "#contract/links";

/** What the server tells the owner of a link. */
export const linkRecord = (part: Partial<LinkRecord> = {}): LinkRecord => ({
  ...{ id: "one", slug: "trip", url: "/s/trip", title: "Trip", note: null, label: null, rights: ["view", "download"] },
  ...{ items: [], item_count: 0, has_password: false, expires_at: null, max_opens: 0, opens: 0, max_downloads: 0 },
  ...{ downloads: 0, networks: [], max_files: 0, max_bytes: 0, max_file_bytes: 0, kinds: [], ask_name: false },
  ...{
    ask_message: false,
    sender_folders: false,
    recipient: null,
    files: 0,
    bytes: 0,
    is_active: true,
    state: "active",
  },
  ...{ closed_for: null, created_by: "admin" },
  ...{ created_at: "2031-05-04T03:00:00.000Z", updated_at: "2031-05-04T03:00:00.000Z" },
  ...part,
});
