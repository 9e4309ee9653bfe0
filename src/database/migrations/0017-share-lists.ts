/**
 * What the lists of shares are sorted, filtered and searched by. Each index is one order and holds every column that lists filter
 * by, so that a page and its total are read from the index alone.
 */
/** The indexes of one table; `filters` ends each of them. */
const orders = (table: string, filters: string, only: string, sorts: Readonly<Record<string, string>>) =>
  Object.entries(sorts).map(
    ([name, columns]) => `create index ${table}_list_${name} on ${table} (${columns}, ${filters}) ${only}`,
  );

/**
 * A full-text index of what a share is found by, as runs of three letters ("The Trigram Tokenizer"). Two blanks at the end make the
 * last two letters the beginning of a run too, so that two letters are found as the beginning of runs.
 */
const words = (table: string, index: string, columns: readonly string[]) => {
  const text = (row: string) =>
    `${columns.map((column) => `coalesce(${row}${column}, '')`).join(" || char(10) || ")} || '  '`;
  return [
    `create virtual table ${index} using fts5(words, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1')`,
    `create virtual table ${index}_runs using fts5vocab(${index}, 'row')`,
    `insert into ${index} (rowid, words) select number, ${text("")} from ${table}`,
    `create trigger ${index}_added after insert on ${table} begin
      insert into ${index} (rowid, words) values (new.number, ${text("new.")});
    end`,
    `create trigger ${index}_removed after delete on ${table} begin
      delete from ${index} where rowid = old.number;
    end`,
    `create trigger ${index}_changed after update of ${columns.join(", ")} on ${table} begin
      delete from ${index} where rowid = old.number;
      insert into ${index} (rowid, words) values (new.number, ${text("new.")});
    end`,
  ];
};

export const shareLists = [
  // Whether there is a password: the hash itself is too long for an index.
  ...["pastes", "files"].flatMap((table) => [
    `alter table ${table} add column locked integer not null default 0`,
    `update ${table} set locked = 1 where password_hash is not null`,
  ]),

  `drop index pastes_by_owner`,
  `create index pastes_by_owner on pastes (created_by, number, expires_at, spent_at, locked)`,
  ...orders("pastes", "created_by, expires_at, spent_at, locked", "", {
    created: "number",
    expires: "expires_at, number",
    views: "views, number",
  }),
  ...words("pastes", "paste_words", ["slug", "remark", "preview"]),

  `drop index files_by_owner`,
  `drop index files_ready`,
  `create index files_by_owner on files (created_by, number, storage, expires_at, spent_at, locked) where pending = 0`,
  ...orders("files", "created_by, storage, expires_at, spent_at, locked", "where pending = 0", {
    created: "number",
    name: "filename collate nocase, number",
    size: "size, number",
    expires: "expires_at, number",
    views: "views, number",
  }),
  ...words("files", "file_words", ["filename", "slug", "remark"]),
];
