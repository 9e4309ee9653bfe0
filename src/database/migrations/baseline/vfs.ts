/** The tree: where storages stand in it, and what WebDAV keeps. */
export const vfs = [
  `create table mounts (
    id text primary key,
    name text not null,
    path text not null unique,
    storage text not null references storage_configs (id),
    remark text,
    is_active integer not null check (is_active in (0, 1)),
    sort_order integer not null,
    cache_ttl integer not null, -- seconds that a listing may be kept
    web_proxy integer not null check (web_proxy in (0, 1)), -- 1 when its files have public addresses here
    webdav_policy text not null,
    enable_sign integer not null check (enable_sign in (0, 1)), -- 1 when those addresses must be signed, whatever the settings say
    sign_expires integer, -- seconds, 0 is for ever; null is what the settings say
    created_by text not null,
    last_used integer,
    created_at integer not null,
    updated_at integer not null
  ) strict`,
  `create index mounts_by_storage on mounts (storage)`,

  // Locks (RFC 4918, sections 6 and 7).
  `create table dav_locks (
    token text primary key,
    path text not null,
    deep integer not null, -- 1 when all that lies below is locked too
    shared integer not null, -- 1 when others may hold a shared lock at the same time
    holder text not null, -- who made it, as records name owners
    owner text not null, -- what the client said about its owner, as XML
    life integer not null, -- milliseconds from each refresh on
    until integer not null
  ) strict, without rowid`,

  // Properties that clients gave to objects (RFC 4918, section 4).
  `create table dav_properties (
    storage text not null references storage_configs (id) on delete cascade,
    key text not null,
    folder text not null, -- the key of what the object lies in: those of one folder are found without those below
    namespace text not null,
    name text not null,
    value text not null, -- the whole element, as XML that stands for itself
    primary key (storage, key, namespace, name)
  ) strict, without rowid`,
  `create index dav_properties_folder on dav_properties (storage, folder, key)`,
];
