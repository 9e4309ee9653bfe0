/**
 * Shares of texts and of files, and what lists of them are sorted, filtered and searched by. `number` counts up and so is the order of
 * creation; the id is what the outside knows. Each index of a list is one order and holds every column that lists filter by, so that a
 * page and its total are read from the index alone.
 */
export const shares = [
  `create table pastes (
    number integer primary key,
    id text not null unique,
    slug text not null unique,
    remark text,
    preview text not null, -- the beginning of the text, for lists
    size integer not null, -- bytes of UTF-8
    plain integer not null default 0, -- 1 for a text that is shown as it was written, 0 for Markdown
    password_hash text,
    locked integer not null default 0, -- 1 when there is a password: the hash is too long for an index
    expires_at integer,
    max_views integer not null, -- 0 is no limit
    views integer not null default 0,
    spent_at integer, -- when the last view was spent
    version integer not null default 1, -- one more with each change
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    -- The quota that the text counts against, and with how many bytes.
    quota text not null default 'admin',
    quota_bytes integer not null default 0,
    -- The name and the digest of the request that made it, so that the same one again makes no second.
    request_key text,
    request_digest text,
    -- The same of the request that changed it last, the version that this left, and the version from which on all changes were of the
    -- same maker, each naming those before it. A later version tells that somebody else has changed it since.
    change_key text,
    change_digest text,
    change_version integer,
    change_base integer
  ) strict`,
  `create unique index pastes_request_key on pastes (request_key) where request_key is not null`,
  `create index pastes_expiry on pastes (expires_at) where expires_at is not null`,
  `create index pastes_spent on pastes (spent_at) where spent_at is not null`,
  `create index pastes_by_time on pastes (created_at)`,
  `create index pastes_by_owner on pastes (created_by, number, expires_at, spent_at, locked)`,
  `create index pastes_list_created on pastes (number, created_by, expires_at, spent_at, locked)`,
  `create index pastes_list_expires on pastes (expires_at, number, created_by, spent_at, locked)`,
  `create index pastes_list_views on pastes (views, number, created_by, expires_at, spent_at, locked)`,

  // Texts stand apart, so that counting a view rewrites none.
  `create table paste_texts (
    paste integer primary key references pastes (number) on delete cascade,
    content text not null
  ) strict`,

  // How many bytes of texts each quota holds: "visitors", "admin", "apikey:<id>", and "total" of all. Whoever writes a text adds its bytes
  // in the same batch, on the condition that they fit; the trigger subtracts them, so that no way of deleting a text can forget it.
  `create table text_quotas (
    quota text primary key,
    bytes integer not null
  ) strict, without rowid`,
  `insert into text_quotas (quota, bytes) values ('total', 0)`,
  `create trigger pastes_give_back after delete on pastes begin
    update text_quotas set bytes = bytes - old.quota_bytes where quota in (old.quota, 'total');
  end`,

  // What a text is found by, as runs of three letters (FTS5, "The Trigram Tokenizer"). Two blanks at the end make the last two letters the
  // beginning of a run too, so that two letters are found as the beginning of runs.
  `create virtual table paste_words using fts5(words, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1')`,
  `create virtual table paste_words_runs using fts5vocab(paste_words, 'row')`,
  `create trigger paste_words_added after insert on pastes begin
    insert into paste_words (rowid, words) values (new.number,
      coalesce(new.slug, '') || char(10) || coalesce(new.remark, '') || char(10) || coalesce(new.preview, '') || '  ');
  end`,
  `create trigger paste_words_removed after delete on pastes begin
    delete from paste_words where rowid = old.number;
  end`,
  `create trigger paste_words_changed after update of slug, remark, preview on pastes begin
    delete from paste_words where rowid = old.number;
    insert into paste_words (rowid, words) values (new.number,
      coalesce(new.slug, '') || char(10) || coalesce(new.remark, '') || char(10) || coalesce(new.preview, '') || '  ');
  end`,

  // The columns that pastes have too mean the same here.
  `create table files (
    number integer primary key,
    id text not null unique,
    slug text not null unique,
    filename text not null,
    storage text not null references storage_configs (id),
    key text not null,
    upload text references uploads (id), -- that brought the object; null when the object is not the share's to remove
    pending integer not null, -- 1 until the file has arrived: it holds its slug, and nobody sees it
    content_type text not null,
    size integer not null,
    etag text,
    file_gone_at integer, -- when the file was deleted in the tree
    remark text,
    password_hash text,
    locked integer not null default 0,
    expires_at integer,
    max_views integer not null,
    views integer not null default 0,
    spent_at integer,
    use_proxy integer not null, -- 1 when the file comes through this server, 0 when the storage hands it out
    version integer not null default 1,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    request_key text,
    request_digest text
  ) strict`,
  `create unique index files_request_key on files (request_key) where request_key is not null`,
  `create index files_pending on files (upload) where pending = 1`,
  `create index files_by_upload on files (upload) where upload is not null`,
  `create index files_by_storage on files (storage)`,
  `create index files_by_key on files (storage, key)`,
  `create index files_expiry on files (expires_at) where expires_at is not null`,
  `create index files_spent on files (spent_at) where spent_at is not null`,
  `create index files_by_time on files (created_at) where pending = 0`,
  `create index files_shared_from on files (storage) where pending = 0`,
  `create index files_by_owner on files (created_by, number, storage, expires_at, spent_at, locked) where pending = 0`,
  `create index files_list_created on files (number, created_by, storage, expires_at, spent_at, locked) where pending = 0`,
  `create index files_list_name on files (filename collate nocase, number, created_by, storage, expires_at, spent_at, locked)
    where pending = 0`,
  `create index files_list_size on files (size, number, created_by, storage, expires_at, spent_at, locked) where pending = 0`,
  `create index files_list_expires on files (expires_at, number, created_by, storage, spent_at, locked) where pending = 0`,
  `create index files_list_views on files (views, number, created_by, storage, expires_at, spent_at, locked) where pending = 0`,

  // As paste_words.
  `create virtual table file_words using fts5(words, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1')`,
  `create virtual table file_words_runs using fts5vocab(file_words, 'row')`,
  `create trigger file_words_added after insert on files begin
    insert into file_words (rowid, words) values (new.number,
      coalesce(new.filename, '') || char(10) || coalesce(new.slug, '') || char(10) || coalesce(new.remark, '') || '  ');
  end`,
  `create trigger file_words_removed after delete on files begin
    delete from file_words where rowid = old.number;
  end`,
  `create trigger file_words_changed after update of filename, slug, remark on files begin
    delete from file_words where rowid = old.number;
    insert into file_words (rowid, words) values (new.number,
      coalesce(new.filename, '') || char(10) || coalesce(new.slug, '') || char(10) || coalesce(new.remark, '') || '  ');
  end`,
];
