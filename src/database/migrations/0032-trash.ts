/** Deleted files and folders that can still come back, and which mounts keep some. */
export const trash = [
  "alter table mounts add column trash integer not null default 1 check (trash in (0, 1))",
  `create table trash (
    id text primary key,
    storage text not null,
    key text not null, -- in the storage; that of a folder ends in a slash
    name text not null,
    mount text not null, -- in which it was deleted; may be gone since
    origin text not null, -- its key before
    path text not null, -- as it was shown before
    size integer, -- bytes of all of it, null where nobody knew
    files integer,
    owner text not null, -- who deleted it, as records name owners
    deleted_at integer not null,
    purge_at integer not null
  ) strict, without rowid`,
  "create index trash_by_time on trash (deleted_at, id)",
  "create index trash_by_owner on trash (owner, deleted_at, id)",
  "create index trash_by_purge on trash (purge_at, id)",
  "create unique index trash_by_key on trash (storage, key)",
];
