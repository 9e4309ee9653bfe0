/**
 * A full-text index that removes a name by its row alone (FTS5, "Contentless-Delete Tables"). It starts empty: every storage is
 * indexed again.
 */
export const searchIndex = [
  `drop table nodes`,
  `create table nodes (
    id integer primary key,
    storage integer not null,
    parent integer not null,
    name text not null,
    folded text not null,
    size integer not null,
    files integer not null,
    modified integer,
    newest integer
  ) strict`,
  `create unique index nodes_by_name on nodes (parent, name)`,
  // Only folders have no time.
  `create index nodes_folders on nodes (parent, name) where modified is null`,
  `delete from nodes_adrift`,
  `update search_builds set built_at = null`,

  `drop table node_grams`,
  // Tokens are two and three neighbouring letters of a name; search/letters.ts writes them so that nothing splits one.
  `create virtual table node_grams using fts5(grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
  // Merging goes in steps of its own, because one within a write may take a tenth of a second.
  `insert into node_grams (node_grams, rank) values ('automerge', 0)`,
  `insert into node_grams (node_grams, rank) values ('crisismerge', 1999)`,
  `insert into node_grams (node_grams, rank) values ('usermerge', 8)`,
  // At the usual tenth of removed names merging takes longer than removing.
  `insert into node_grams (node_grams, rank) values ('deletemerge', 50)`,
];
