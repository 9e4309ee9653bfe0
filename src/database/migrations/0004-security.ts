/** The audit log, and what is needed to list sessions and to keep their number. */
export const security = [
  // `number` counts up and is never given twice, so it is the order in which things happened.
  `create table audit (
    number integer primary key autoincrement,
    at integer not null,
    action text not null,
    actor text not null,
    address text not null,
    subject text,
    name text,
    fields text not null
  ) strict`,
  `create index audit_by_action on audit (action)`,
  `create index audit_by_time on audit (at)`,

  `create index sessions_by_use on sessions (used_at, id)`,
];
