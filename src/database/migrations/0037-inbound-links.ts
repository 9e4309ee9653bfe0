/** What links with the right to upload take: how much, of what and from whom; and what has come by them. */
export const inboundLinks = [
  "alter table links add column max_files integer not null default 0", // 0 is without limit
  "alter table links add column max_bytes integer not null default 0",
  "alter table links add column max_file_bytes integer not null default 0",
  "alter table links add column kinds text not null default '[]'", // a JSON list of endings and media types; empty is all
  "alter table links add column ask_name integer not null default 0 check (ask_name in (0, 1))",
  "alter table links add column ask_message integer not null default 0 check (ask_message in (0, 1))",
  "alter table links add column sender_folders integer not null default 0 check (sender_folders in (0, 1))",
  // Files and bytes that have come, and those that are on their way.
  "alter table links add column files integer not null default 0",
  "alter table links add column bytes integer not null default 0",
  "alter table links add column full_told integer not null default 0 check (full_told in (0, 1))",

  `create table link_receipts (
    id text primary key, -- a digest of what its sender has
    link text not null,
    sender text,
    message text,
    folder text, -- of this sender alone, in the tree of the link; null is the folder of all
    created_at integer not null
  ) strict, without rowid`,
  "create unique index link_receipts_by_folder on link_receipts (link, folder) where folder is not null",
  "create index link_receipts_by_link on link_receipts (link, created_at)",

  `create table link_arrivals (
    id text primary key,
    link text not null,
    receipt text not null,
    visitor text not null, -- the opening by which it came
    path text not null, -- in the tree of the link
    storage text not null,
    key text not null,
    name text not null,
    size integer not null, -- bytes, as far as they are counted
    state text not null check (state in ('coming', 'there')),
    is_numbered integer not null check (is_numbered in (0, 1)), -- its name is its own while it is coming
    upload text, -- that in parts, which brings it
    etag text,
    sha256 text, -- in hexadecimal digits; null where the bytes came in several pieces
    created_at integer not null,
    arrived_at integer
  ) strict, without rowid`,
  "create unique index link_arrivals_by_place on link_arrivals (storage, key) where state = 'coming' and is_numbered = 1",
  "create index link_arrivals_by_receipt on link_arrivals (receipt)",
  "create index link_arrivals_by_link on link_arrivals (link)",
  "create index link_arrivals_by_upload on link_arrivals (upload) where upload is not null",
  "create index link_arrivals_coming on link_arrivals (created_at) where state = 'coming'",
];
