/** What several servers on one database share. */
export const cluster = [
  // Names that one server at a time may hold.
  `create table leases (
    name text primary key,
    subject text, -- a digest of what something is done about; several may hold something about one
    amount integer, -- how much of it
    holder text not null, -- a server
    until integer not null -- by the clock of the database
  ) strict`,
  `create index leases_subject on leases (subject) where subject is not null`,
  `create index leases_holder on leases (holder)`,

  // One row: its lock lets transactions take versions in the order in which they end, so that no reader misses one.
  `create table change_version (
    id integer primary key check (id = 1),
    version integer not null
  ) strict`,
  // The last change of each topic that servers keep in memory, and of what in it; empty for all of it.
  `create table changes (
    topic text not null,
    subject text not null,
    version integer not null,
    primary key (topic, subject)
  ) strict`,
  `create index changes_version on changes (version)`,
];
