/** Links to several things of the tree: what each lets its visitors do, what it leads to, and which downloads were counted. */
export const links = [
  `create table links (
    id text primary key, -- later ones are greater
    slug text not null,
    title text,
    note text, -- Markdown
    label text, -- for its owner alone
    words text not null, -- title, label and slug in lower case, which a search looks through
    rights integer not null, -- bits: 1 view, 2 download, 4 upload
    password_hash text,
    expires_at integer, -- null is never
    max_opens integer not null, -- 0 is without limit
    opens integer not null default 0,
    max_downloads integer not null, -- 0 is without limit
    downloads integer not null default 0,
    networks text not null, -- a JSON list; empty is everywhere
    is_active integer not null check (is_active in (0, 1)),
    version integer not null, -- raised by each change that ends the grants
    created_by text not null,
    created_at integer not null,
    updated_at integer not null
  ) strict, without rowid`,
  "create unique index links_by_slug on links (slug)",
  "create index links_by_owner on links (created_by, id)",
  "create index links_by_expiry on links (expires_at) where expires_at is not null",

  `create table link_items (
    link text not null,
    position integer not null, -- as its owner has ordered them
    storage text not null,
    key text not null, -- that of a folder ends in a slash; empty is the whole storage
    mount text not null, -- through which it was chosen
    name text not null, -- when it came into the link
    gone_at integer, -- when it was deleted for ever
    primary key (link, position)
  ) strict, without rowid`,
  "create index link_items_by_place on link_items (storage, key)",

  // One visitor may fetch a file again while the opening lasts, as for the next range of it.
  `create table link_downloads (
    link text not null,
    visitor text not null,
    thing text not null, -- a digest of what was downloaded
    until integer not null, -- the end of the opening
    primary key (link, visitor, thing)
  ) strict, without rowid`,
  "create index link_downloads_by_end on link_downloads (until)",
];
