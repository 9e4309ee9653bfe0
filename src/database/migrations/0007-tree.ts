/**
 * Uploads into the tree take the place of what is there, so their keys are nobody's alone: the table is made anew without the
 * rule that a key belongs to one upload, which now holds for the records of shares only; it remembers what was there, and whether
 * the new file has come. Shares remember that their file was deleted.
 */
export const tree = [
  `create table uploads_anew (
    id text primary key,
    storage text not null references storage_configs (id),
    key text not null,
    content_type text not null,
    size integer,
    state text not null check (state in ('pending', 'ready', 'removing')),
    multipart text,
    part_size integer,
    created_by text not null,
    created_at integer not null,
    touched_at integer not null,
    addressed_until integer not null default 0,
    overwrites integer not null default 0,
    found text,
    arrived integer not null default 0
  ) strict`,
  `insert into uploads_anew (id, storage, key, content_type, size, state, multipart, part_size, created_by, created_at,
      touched_at, addressed_until)
    select id, storage, key, content_type, size, state, multipart, part_size, created_by, created_at, touched_at,
      addressed_until from uploads`,
  `drop table uploads`,
  `alter table uploads_anew rename to uploads`,
  `create unique index uploads_by_key on uploads (storage, key) where overwrites = 0`,
  `create index uploads_over_key on uploads (storage, key) where overwrites = 1`,
  `create index uploads_by_multipart on uploads (multipart) where multipart is not null`,
  `create index uploads_unfinished on uploads (state, touched_at) where state <> 'ready'`,
  `create index uploads_by_storage on uploads (storage, state, size)`,
  `alter table files add column file_gone_at integer`,
  `create index files_by_key on files (storage, key)`,
];
