/** Where storages stand in the tree. */
export const mounts = [
  `create table mounts (
    id text primary key,
    name text not null,
    path text not null unique,
    storage text not null references storage_configs (id),
    remark text,
    is_active integer not null check (is_active in (0, 1)),
    sort_order integer not null,
    cache_ttl integer not null,
    web_proxy integer not null check (web_proxy in (0, 1)),
    webdav_policy text not null,
    enable_sign integer not null check (enable_sign in (0, 1)),
    sign_expires integer,
    created_by text not null,
    last_used integer,
    created_at integer not null,
    updated_at integer not null
  ) strict`,
  `create index mounts_by_storage on mounts (storage)`,
];
