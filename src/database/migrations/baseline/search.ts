/** What is in the storages, to be searched and added up. */
export const search = [
  // A node is a file or a folder; each storage has a root node, whose parent is 0 and whose name is the storage's id.
  `create table nodes (
    id integer primary key,
    storage integer not null, -- its root node
    parent integer not null,
    name text not null, -- that of a folder ends in a slash
    folded text not null, -- the name as it is searched for
    size integer not null, -- bytes, of a folder those of everything below it
    files integer not null, -- how many files are below it, at any depth
    modified integer, -- null for a folder
    newest integer -- of a folder: the newest time of anything that is or was below it
  ) strict`,
  `create unique index nodes_by_name on nodes (parent, name)`,
  `create index nodes_folders on nodes (parent, name) where modified is null`,

  // Folders that were removed and whose nodes still have to be cleared away.
  `create table removed_folders (folder integer primary key) strict`,

  // When each storage was indexed; null when it has to be indexed again.
  `create table search_builds (storage text primary key, built_at integer) strict, without rowid`,

  // A row while one server alone follows what happens: one that is there at a start tells that something was missed.
  `create table search_open (mark integer primary key) strict`,

  // Tokens are two and three neighbouring letters of a name; search/letters.ts writes them so that nothing splits one. A name is removed by
  // its row alone (FTS5, "Contentless-Delete Tables").
  `create virtual table node_grams using fts5(grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
  // Merging goes in steps of its own, because one within a write may take a tenth of a second.
  `insert into node_grams (node_grams, rank) values ('automerge', 0)`,
  `insert into node_grams (node_grams, rank) values ('crisismerge', 1999)`,
  `insert into node_grams (node_grams, rank) values ('usermerge', 8)`,
  // At the usual tenth of removed names merging takes longer than removing.
  `insert into node_grams (node_grams, rank) values ('deletemerge', 50)`,

  // Changes that servers have recorded and that the index waits for, in the order of version and id.
  `create table index_changes (
    id text primary key,
    version integer not null, -- of change_version, when it was recorded
    change text not null -- as JSON
  ) strict`,
  `create index index_changes_order on index_changes (version, id)`,
];
