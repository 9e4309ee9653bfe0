/**
 * What is in the storages, to be searched and added up. A node is a file or a folder; each storage has a root node, whose
 * parent is 0 and whose name is the storage's id. Names of folders keep the slash at their end.
 */
export const search = [
  `create table nodes (
    id integer primary key,
    storage integer not null,
    parent integer not null,
    name text not null,
    folded text not null,
    size integer not null,
    files integer not null,
    modified integer
  ) strict`,
  `create unique index nodes_by_name on nodes (parent, name)`,
  // Only folders have no time.
  `create index nodes_folders on nodes (parent, name) where modified is null`,

  // Folders that were removed and whose nodes still have to be cleared away.
  `create table nodes_adrift (folder integer primary key) strict`,

  `create table search_builds (storage text primary key, built_at integer) strict, without rowid`,

  // A row while a server follows what happens.
  `create table search_open (mark integer primary key) strict`,

  // Tokens are two and three neighbouring letters of a name; search-names.ts writes them so that nothing splits one.
  `create virtual table node_grams using fts5(grams, content = '', columnsize = 0, detail = none, tokenize = 'ascii')`,
  // Merging goes in steps of its own, because one within a write may take a tenth of a second.
  `insert into node_grams (node_grams, rank) values ('automerge', 0)`,
  `insert into node_grams (node_grams, rank) values ('crisismerge', 1999)`,
  `insert into node_grams (node_grams, rank) values ('usermerge', 8)`,
];
