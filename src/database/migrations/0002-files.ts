/** Storages, what the built-in one remembers beside its files, uploads on their way, and the shares of files. */
export const files = [
  `create table storage_configs (
    id text primary key,
    name text not null,
    provider_type text not null,
    bucket_name text not null,
    default_folder text not null,
    is_public integer not null,
    is_default integer not null,
    total_storage_bytes integer,
    signature_expires_in integer not null,
    created_at integer not null,
    updated_at integer not null
  ) strict`,

  // Two rows for one key only while one file takes another's place; the stamp says which of them is there.
  `create table disk_attributes (
    bucket text not null,
    key text not null,
    stamp text not null,
    content_type text not null,
    etag text not null,
    primary key (bucket, key, stamp)
  ) strict, without rowid`,

  `create table disk_multiparts (
    id text primary key,
    bucket text not null,
    key text not null,
    content_type text not null,
    part_size integer,
    created_at integer not null
  ) strict`,
  `create table disk_parts (
    multipart text not null references disk_multiparts (id) on delete cascade,
    number integer not null,
    etag text not null,
    size integer not null,
    file text not null,
    start integer not null,
    primary key (multipart, number)
  ) strict, without rowid`,

  // A finished upload stays as the record of its object, for as long as the object is there.
  `create table uploads (
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
    unique (storage, key)
  ) strict`,
  `create index uploads_unfinished on uploads (state, touched_at) where state <> 'ready'`,
  `create index uploads_by_storage on uploads (storage, size)`,

  // A share is pending until its file has arrived: it holds its slug, and nobody sees it.
  `create table files (
    number integer primary key,
    id text not null unique,
    slug text not null unique,
    filename text not null,
    storage text not null references storage_configs (id),
    key text not null,
    upload text references uploads (id),
    pending integer not null,
    content_type text not null,
    size integer not null,
    etag text,
    remark text,
    password_hash text,
    expires_at integer,
    max_views integer not null,
    views integer not null default 0,
    spent_at integer,
    use_proxy integer not null,
    version integer not null default 1,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    request_key text,
    request_digest text
  ) strict`,
  `create unique index files_request_key on files (request_key) where request_key is not null`,
  `create index files_by_owner on files (created_by, number) where pending = 0`,
  `create index files_ready on files (number) where pending = 0`,
  `create index files_pending on files (upload) where pending = 1`,
  `create index files_by_upload on files (upload) where upload is not null`,
  `create index files_expiry on files (expires_at) where expires_at is not null`,
  `create index files_spent on files (spent_at) where spent_at is not null`,
];
