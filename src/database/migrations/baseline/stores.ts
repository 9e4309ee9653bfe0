/** Storages, and what the built-in one remembers beside its files. */
export const stores = [
  `create table storage_configs (
    id text primary key,
    name text not null,
    provider_type text not null, -- of contract/providers.ts
    -- How it is reached; empty for the built-in one, but for the bucket.
    endpoint_url text not null default '',
    bucket_name text not null,
    region text not null default '',
    path_style integer not null default 0, -- 1 if the bucket is in the path of an address
    access_key_id text not null default '',
    sealed_secret text not null default '',
    custom_host text, -- where it hands out files to everybody
    default_folder text not null, -- where shares put their files: empty or ending in a slash
    is_public integer not null, -- 1 when keys may use it
    is_default integer not null,
    total_storage_bytes integer, -- the quota; null is none
    signature_expires_in integer not null, -- seconds
    last_used integer,
    tested_at integer, -- the last test; null when there was none since it was changed
    passed integer, -- 1 if that passed
    created_at integer not null,
    updated_at integer not null
  ) strict`,
  // Two built-in ones cannot share a folder.
  `create unique index storage_configs_built_in on storage_configs (bucket_name) where provider_type = 'Built-in disk'`,

  // Attributes that a file on a disk cannot carry. Two rows for one key only while one file takes another's place; the stamp says
  // which of them is there.
  `create table disk_attributes (
    bucket text not null,
    key text not null,
    stamp text not null,
    content_type text not null,
    etag text not null,
    -- As JSON, null for none: what writers by S3 have kept with the object, its checksums, and the sizes of its parts.
    headers text,
    checksums text,
    parts text,
    primary key (bucket, key, stamp)
  ) strict, without rowid`,

  // Uploads in parts, and the parts that have arrived.
  `create table disk_multiparts (
    id text primary key,
    bucket text not null,
    key text not null,
    content_type text not null,
    part_size integer, -- bytes of all parts but the last; null until the first arrives
    headers text, -- as those of disk_attributes
    created_at integer not null
  ) strict`,
  `create table disk_parts (
    multipart text not null references disk_multiparts (id) on delete cascade,
    number integer not null,
    etag text not null,
    size integer not null,
    file text not null, -- in the upload's folder
    start integer not null, -- the offset in that file
    checksums text, -- as those of disk_attributes
    primary key (multipart, number)
  ) strict, without rowid`,
];
