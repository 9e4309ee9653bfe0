/** Who may do what: the administrator and their sessions, API keys, the guesses of passwords, and the audit log. */
export const access = [
  `create table admin_account (
    id integer primary key check (id = 1),
    username text not null,
    password_hash text not null,
    is_generated integer not null default 0, -- 1 while the password is one that the terminal printed
    updated_at integer not null
  ) strict`,

  // Links of the terminal that sign the administrator in once.
  `create table sign_in_links (
    token_hash text primary key,
    expires_at integer not null
  ) strict`,

  `create table sessions (
    id text primary key,
    created_at integer not null,
    used_at integer not null,
    expires_at integer not null,
    address text not null,
    user_agent text not null
  ) strict`,
  `create index sessions_expiry on sessions (expires_at)`,
  // To list them, and to end those that were used longest ago when there are too many.
  `create index sessions_by_use on sessions (used_at, id)`,

  `create table api_keys (
    id text primary key,
    name text not null unique,
    key_hash text not null unique, -- an HMAC, by which the key is found
    sealed_key text not null, -- encrypted, so that it can be shown again; never readable without the secret key
    permissions integer not null, -- bits (contract/permissions.ts)
    role text not null,
    basic_path text not null, -- the folder that it may not leave
    is_guest integer not null check (is_guest in (0, 1)), -- 1 for the key of visitors
    s3_access_key_id text not null unique,
    expires_at integer, -- null is never
    last_used integer,
    created_at integer not null,
    updated_at integer not null
  ) strict`,
  // Visitors have one key at most.
  `create unique index api_keys_guest on api_keys (is_guest) where is_guest = 1`,
  `create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null`,

  // Wrong passwords by who gave them and for what, on all servers together.
  `create table guesses (
    name text primary key,
    misses integer not null,
    checking integer not null, -- passwords that are being checked, each of which may become a miss
    ends_at integer not null -- when the misses are forgotten
  ) strict`,
  `create index guesses_end on guesses (ends_at)`,

  // Addresses that have given the right password before, which a flood of guesses from others does not lock out.
  `create table known_addresses (
    name text primary key,
    used_at integer not null
  ) strict`,
  `create index known_addresses_use on known_addresses (used_at)`,

  `create table audit (
    number integer primary key autoincrement, -- counts up and is never given twice: the order in which things happened
    at integer not null,
    action text not null,
    actor text not null,
    address text not null,
    subject text, -- the id of what it was done to
    name text, -- what that was called then
    fields text not null -- names of what was changed, as a JSON array
  ) strict`,
  `create index audit_by_action on audit (action)`,
  `create index audit_by_time on audit (at)`,
];
