/** What WebDAV keeps: locks, and properties that clients gave to objects. */
export const dav = [
  `create table dav_locks (
    token text primary key,
    path text not null,
    deep integer not null,
    shared integer not null,
    holder text not null,
    owner text not null,
    life integer not null,
    until integer not null
  ) strict, without rowid`,
  // `folder` is the key of what the object lies in, so that those of one folder are found without those below.
  `create table dav_properties (
    storage text not null references storage_configs (id) on delete cascade,
    key text not null,
    folder text not null,
    namespace text not null,
    name text not null,
    value text not null,
    primary key (storage, key, namespace, name)
  ) strict, without rowid`,
  "create index dav_properties_folder on dav_properties (storage, folder, key)",
];
