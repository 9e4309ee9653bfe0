/** What an S3 storage is reached by, and until when an address that an upload was given holds. */
export const storages = [
  `alter table storage_configs add column endpoint_url text not null default ''`,
  `alter table storage_configs add column region text not null default ''`,
  `alter table storage_configs add column path_style integer not null default 0`,
  `alter table storage_configs add column access_key_id text not null default ''`,
  `alter table storage_configs add column sealed_secret text not null default ''`,
  `alter table storage_configs add column custom_host text`,
  `alter table storage_configs add column last_used integer`,
  `create unique index storage_configs_built_in on storage_configs (bucket_name) where provider_type = 'Built-in disk'`,
  `create index files_by_storage on files (storage)`,
  `alter table uploads add column addressed_until integer not null default 0`,
];
