/** API keys. The key itself is kept as a hash to be found by and sealed to be copied; never readable. */
export const keys = [
  `create table api_keys (
    id text primary key,
    name text not null unique,
    key_hash text not null unique,
    sealed_key text not null,
    permissions integer not null,
    role text not null,
    basic_path text not null,
    is_guest integer not null check (is_guest in (0, 1)),
    s3_access_key_id text not null unique,
    expires_at integer,
    last_used integer,
    created_at integer not null,
    updated_at integer not null
  ) strict`,
  // Visitors have one key at most.
  `create unique index api_keys_guest on api_keys (is_guest) where is_guest = 1`,
];
