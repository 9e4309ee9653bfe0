/** What visitors have written into the tree, which counts against what they may keep; the records of uploads hold what they share. */
export const visitorFiles = [
  `create table visitor_files (
    storage text not null,
    key text not null,
    size integer not null, -- bytes
    primary key (storage, key)
  ) strict, without rowid`,
  "create index uploads_by_owner on uploads (created_by, state, size) where state <> 'removing'",
];
