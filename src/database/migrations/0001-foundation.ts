/** Times are epoch milliseconds. Content stands apart from its share, so that counting a view rewrites no text. */
export const foundation = [
  `create table facts (name text primary key, value text not null) strict`,

  `create table admin_account (
    id integer primary key check (id = 1),
    username text not null,
    password_hash text not null,
    updated_at integer not null
  ) strict`,

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

  `create table settings (
    group_id integer not null,
    name text not null,
    value text not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (group_id, name)
  ) strict`,

  // `number` counts up and so is the order of creation; the id is what the outside knows.
  `create table pastes (
    number integer primary key,
    id text not null unique,
    slug text not null unique,
    remark text,
    preview text not null,
    size integer not null,
    password_hash text,
    expires_at integer,
    max_views integer not null,
    views integer not null default 0,
    spent_at integer,
    version integer not null default 1,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    request_key text,
    request_digest text
  ) strict`,
  `create unique index pastes_request_key on pastes (request_key) where request_key is not null`,
  `create index pastes_by_owner on pastes (created_by, number)`,
  `create index pastes_expiry on pastes (expires_at) where expires_at is not null`,
  `create index pastes_spent on pastes (spent_at) where spent_at is not null`,

  `create table paste_texts (
    paste integer primary key references pastes (number) on delete cascade,
    content text not null
  ) strict`,
];
