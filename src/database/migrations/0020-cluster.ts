/** What several servers on one database share: leases, what changed, guesses, and changes that the index waits for. */
export const cluster = [
  // `until` is by the clock of the database. A name is held by one server; several may hold something about one subject.
  `create table leases (
    name text primary key,
    subject text,
    amount integer,
    holder text not null,
    until integer not null
  ) strict`,
  `create index leases_subject on leases (subject) where subject is not null`,
  `create index leases_holder on leases (holder)`,

  // One row: its lock lets transactions take versions in the order in which they end, so that no reader misses one.
  `create table change_version (
    id integer primary key check (id = 1),
    version integer not null
  ) strict`,
  `create table changes (
    topic text not null,
    subject text not null,
    version integer not null,
    primary key (topic, subject)
  ) strict`,
  `create index changes_version on changes (version)`,

  `create table guesses (
    name text primary key,
    misses integer not null,
    checking integer not null,
    ends_at integer not null
  ) strict`,
  `create index guesses_end on guesses (ends_at)`,
  `create table known_addresses (
    name text primary key,
    used_at integer not null
  ) strict`,
  `create index known_addresses_use on known_addresses (used_at)`,

  // As JSON, in the order of version and id.
  `create table index_changes (
    id text primary key,
    version integer not null,
    change text not null
  ) strict`,
  `create index index_changes_order on index_changes (version, id)`,

  // As JSON.
  `create table ended_uploads (
    name text primary key,
    result text not null,
    ended_at integer not null
  ) strict`,
  `create index ended_uploads_age on ended_uploads (ended_at)`,

  // Who makes a change; null for one server alone, and for a server of an earlier version.
  `alter table change_intents add column holder text`,
  `alter table jobs add column current text`,
];
