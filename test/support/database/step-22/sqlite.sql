-- The tables of step 22 as the twenty-two steps before the baseline made them with SQLite (sqlite_schema).
CREATE TABLE migrations (number integer primary key, applied_at integer not null) strict;
CREATE TABLE facts (name text primary key, value text not null) strict;
CREATE TABLE admin_account (
    id integer primary key check (id = 1),
    username text not null,
    password_hash text not null,
    updated_at integer not null
  , is_generated integer not null default 0) strict;
CREATE TABLE sign_in_links (
    token_hash text primary key,
    expires_at integer not null
  ) strict;
CREATE TABLE sessions (
    id text primary key,
    created_at integer not null,
    used_at integer not null,
    expires_at integer not null,
    address text not null,
    user_agent text not null
  ) strict;
CREATE INDEX sessions_expiry on sessions (expires_at);
CREATE TABLE settings (
    group_id integer not null,
    name text not null,
    value text not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (group_id, name)
  ) strict;
CREATE TABLE pastes (
    number integer primary key,
    id text not null unique,
    slug text not null unique,
    remark text,
    preview text not null,
    size integer not null,
    password_hash text,
    expires_at integer,
    max_views integer not null,
    views integer not null default 0,
    spent_at integer,
    version integer not null default 1,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    request_key text,
    request_digest text
  , quota text not null default 'admin', quota_bytes integer not null default 0, locked integer not null default 0, change_key text, change_digest text, change_version integer, change_base integer, plain integer not null default 0) strict;
CREATE UNIQUE INDEX pastes_request_key on pastes (request_key) where request_key is not null;
CREATE INDEX pastes_expiry on pastes (expires_at) where expires_at is not null;
CREATE INDEX pastes_spent on pastes (spent_at) where spent_at is not null;
CREATE TABLE paste_texts (
    paste integer primary key references pastes (number) on delete cascade,
    content text not null
  ) strict;
CREATE TABLE storage_configs (
    id text primary key,
    name text not null,
    provider_type text not null,
    bucket_name text not null,
    default_folder text not null,
    is_public integer not null,
    is_default integer not null,
    total_storage_bytes integer,
    signature_expires_in integer not null,
    created_at integer not null,
    updated_at integer not null
  , endpoint_url text not null default '', region text not null default '', path_style integer not null default 0, access_key_id text not null default '', sealed_secret text not null default '', custom_host text, last_used integer, tested_at integer, passed integer) strict;
CREATE TABLE disk_attributes (
    bucket text not null,
    key text not null,
    stamp text not null,
    content_type text not null,
    etag text not null, headers text, checksums text, parts text,
    primary key (bucket, key, stamp)
  ) strict, without rowid;
CREATE TABLE disk_multiparts (
    id text primary key,
    bucket text not null,
    key text not null,
    content_type text not null,
    part_size integer,
    created_at integer not null
  , headers text) strict;
CREATE TABLE disk_parts (
    multipart text not null references disk_multiparts (id) on delete cascade,
    number integer not null,
    etag text not null,
    size integer not null,
    file text not null,
    start integer not null, checksums text,
    primary key (multipart, number)
  ) strict, without rowid;
CREATE TABLE files (
    number integer primary key,
    id text not null unique,
    slug text not null unique,
    filename text not null,
    storage text not null references storage_configs (id),
    key text not null,
    upload text references uploads (id),
    pending integer not null,
    content_type text not null,
    size integer not null,
    etag text,
    remark text,
    password_hash text,
    expires_at integer,
    max_views integer not null,
    views integer not null default 0,
    spent_at integer,
    use_proxy integer not null,
    version integer not null default 1,
    created_by text not null,
    created_at integer not null,
    updated_at integer not null,
    request_key text,
    request_digest text
  , file_gone_at integer, locked integer not null default 0) strict;
CREATE UNIQUE INDEX files_request_key on files (request_key) where request_key is not null;
CREATE INDEX files_pending on files (upload) where pending = 1;
CREATE INDEX files_by_upload on files (upload) where upload is not null;
CREATE INDEX files_expiry on files (expires_at) where expires_at is not null;
CREATE INDEX files_spent on files (spent_at) where spent_at is not null;
CREATE TABLE api_keys (
    id text primary key,
    name text not null unique,
    key_hash text not null unique,
    sealed_key text not null,
    permissions integer not null,
    role text not null,
    basic_path text not null,
    is_guest integer not null check (is_guest in (0, 1)),
    s3_access_key_id text not null unique,
    expires_at integer,
    last_used integer,
    created_at integer not null,
    updated_at integer not null
  ) strict;
CREATE UNIQUE INDEX api_keys_guest on api_keys (is_guest) where is_guest = 1;
CREATE TABLE audit (
    number integer primary key autoincrement,
    at integer not null,
    action text not null,
    actor text not null,
    address text not null,
    subject text,
    name text,
    fields text not null
  ) strict;
CREATE INDEX audit_by_action on audit (action);
CREATE INDEX audit_by_time on audit (at);
CREATE INDEX sessions_by_use on sessions (used_at, id);
CREATE TABLE mounts (
    id text primary key,
    name text not null,
    path text not null unique,
    storage text not null references storage_configs (id),
    remark text,
    is_active integer not null check (is_active in (0, 1)),
    sort_order integer not null,
    cache_ttl integer not null,
    web_proxy integer not null check (web_proxy in (0, 1)),
    webdav_policy text not null,
    enable_sign integer not null check (enable_sign in (0, 1)),
    sign_expires integer,
    created_by text not null,
    last_used integer,
    created_at integer not null,
    updated_at integer not null
  ) strict;
CREATE INDEX mounts_by_storage on mounts (storage);
CREATE UNIQUE INDEX storage_configs_built_in on storage_configs (bucket_name) where provider_type = 'Built-in disk';
CREATE INDEX files_by_storage on files (storage);
CREATE TABLE "uploads" (
    id text primary key,
    storage text not null references storage_configs (id),
    key text not null,
    content_type text not null,
    size integer,
    state text not null check (state in ('pending', 'ready', 'removing')),
    multipart text,
    part_size integer,
    created_by text not null,
    created_at integer not null,
    touched_at integer not null,
    addressed_until integer not null default 0,
    overwrites integer not null default 0,
    found text,
    arrived integer not null default 0
  , credential text not null default '', claimed text) strict;
CREATE UNIQUE INDEX uploads_by_key on uploads (storage, key) where overwrites = 0;
CREATE INDEX uploads_over_key on uploads (storage, key) where overwrites = 1;
CREATE INDEX uploads_by_multipart on uploads (multipart) where multipart is not null;
CREATE INDEX uploads_unfinished on uploads (state, touched_at) where state <> 'ready';
CREATE INDEX uploads_by_storage on uploads (storage, state, size);
CREATE INDEX files_by_key on files (storage, key);
CREATE TABLE "removed_folders" (folder integer primary key) strict;
CREATE TABLE search_builds (storage text primary key, built_at integer) strict, without rowid;
CREATE TABLE search_open (mark integer primary key) strict;
CREATE TABLE jobs (
    id text primary key,
    owner text not null,
    state text not null
      check (state in ('pending', 'running', 'completed', 'failed', 'cancelled', 'partial_complete')),
    task_count integer not null,
    total_files integer,
    total_bytes integer,
    done_files integer not null default 0,
    skipped_files integer not null default 0,
    failed_files integer not null default 0,
    done_bytes integer not null default 0,
    error text,
    error_details text,
    created_at integer not null,
    started_at integer,
    finished_at integer
  , current text) strict;
CREATE INDEX jobs_by_age on jobs (created_at, id);
CREATE INDEX jobs_by_owner on jobs (owner, created_at, id);
CREATE INDEX jobs_by_turn on jobs (owner, started_at);
CREATE INDEX jobs_waiting on jobs (created_at, id) where state = 'pending';
CREATE INDEX jobs_ended on jobs (finished_at) where finished_at is not null;
CREATE TABLE job_tasks (
    job text not null references jobs (id) on delete cascade,
    position integer not null,
    state text not null
      check (state in ('pending', 'running', 'completed', 'failed', 'cancelled', 'partial_complete')),
    done integer not null default 0,
    skipped integer not null default 0,
    failed integer not null default 0,
    kind text not null check (kind in ('copy', 'move', 'delete')),
    skip_existing integer not null,
    source text not null,
    target text,
    cursor text,
    primary key (job, position)
  ) strict, without rowid;
CREATE TABLE job_failures (
    job text not null references jobs (id) on delete cascade,
    position integer not null,
    path text not null,
    error text not null,
    error_details text not null,
    primary key (job, position)
  ) strict, without rowid;
CREATE TABLE nodes (
    id integer primary key,
    storage integer not null,
    parent integer not null,
    name text not null,
    folded text not null,
    size integer not null,
    files integer not null,
    modified integer,
    newest integer
  ) strict;
CREATE UNIQUE INDEX nodes_by_name on nodes (parent, name);
CREATE INDEX nodes_folders on nodes (parent, name) where modified is null;
CREATE VIRTUAL TABLE node_grams using fts5(grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
CREATE TABLE text_quotas (
    quota text primary key,
    bytes integer not null
  ) strict, without rowid;
CREATE TRIGGER pastes_give_back after delete on pastes begin
    update text_quotas set bytes = bytes - old.quota_bytes where quota in (old.quota, 'total');
  end;
CREATE TABLE change_intents (
    id text primary key,
    storage text not null,
    changes text not null,
    certain integer not null
  , holder text) strict;
CREATE TABLE job_intents (
    job text not null,
    position integer not null,
    path text not null,
    target text,
    files integer not null,
    bytes integer not null,
    whole integer not null,
    primary key (job, position, path),
    foreign key (job, position) references job_tasks (job, position) on delete cascade
  ) strict, without rowid;
CREATE TABLE dav_locks (
    token text primary key,
    path text not null,
    deep integer not null,
    shared integer not null,
    holder text not null,
    owner text not null,
    life integer not null,
    until integer not null
  ) strict, without rowid;
CREATE TABLE dav_properties (
    storage text not null references storage_configs (id) on delete cascade,
    key text not null,
    folder text not null,
    namespace text not null,
    name text not null,
    value text not null,
    primary key (storage, key, namespace, name)
  ) strict, without rowid;
CREATE INDEX dav_properties_folder on dav_properties (storage, folder, key);
CREATE INDEX pastes_by_time on pastes (created_at);
CREATE INDEX files_by_time on files (created_at) where pending = 0;
CREATE INDEX files_shared_from on files (storage) where pending = 0;
CREATE INDEX jobs_failed on jobs (state) where state in ('failed', 'partial_complete');
CREATE INDEX api_keys_by_expiry on api_keys (expires_at) where expires_at is not null;
CREATE INDEX pastes_by_owner on pastes (created_by, number, expires_at, spent_at, locked);
CREATE INDEX pastes_list_created on pastes (number, created_by, expires_at, spent_at, locked) ;
CREATE INDEX pastes_list_expires on pastes (expires_at, number, created_by, expires_at, spent_at, locked) ;
CREATE INDEX pastes_list_views on pastes (views, number, created_by, expires_at, spent_at, locked) ;
CREATE VIRTUAL TABLE paste_words using fts5(words, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1');
CREATE VIRTUAL TABLE paste_words_runs using fts5vocab(paste_words, 'row');
CREATE TRIGGER paste_words_added after insert on pastes begin
      insert into paste_words (rowid, words) values (new.number, coalesce(new.slug, '') || char(10) || coalesce(new.remark, '') || char(10) || coalesce(new.preview, '') || '  ');
    end;
CREATE TRIGGER paste_words_removed after delete on pastes begin
      delete from paste_words where rowid = old.number;
    end;
CREATE TRIGGER paste_words_changed after update of slug, remark, preview on pastes begin
      delete from paste_words where rowid = old.number;
      insert into paste_words (rowid, words) values (new.number, coalesce(new.slug, '') || char(10) || coalesce(new.remark, '') || char(10) || coalesce(new.preview, '') || '  ');
    end;
CREATE INDEX files_by_owner on files (created_by, number, storage, expires_at, spent_at, locked) where pending = 0;
CREATE INDEX files_list_created on files (number, created_by, storage, expires_at, spent_at, locked) where pending = 0;
CREATE INDEX files_list_name on files (filename collate nocase, number, created_by, storage, expires_at, spent_at, locked) where pending = 0;
CREATE INDEX files_list_size on files (size, number, created_by, storage, expires_at, spent_at, locked) where pending = 0;
CREATE INDEX files_list_expires on files (expires_at, number, created_by, storage, expires_at, spent_at, locked) where pending = 0;
CREATE INDEX files_list_views on files (views, number, created_by, storage, expires_at, spent_at, locked) where pending = 0;
CREATE VIRTUAL TABLE file_words using fts5(words, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1');
CREATE VIRTUAL TABLE file_words_runs using fts5vocab(file_words, 'row');
CREATE TRIGGER file_words_added after insert on files begin
      insert into file_words (rowid, words) values (new.number, coalesce(new.filename, '') || char(10) || coalesce(new.slug, '') || char(10) || coalesce(new.remark, '') || '  ');
    end;
CREATE TRIGGER file_words_removed after delete on files begin
      delete from file_words where rowid = old.number;
    end;
CREATE TRIGGER file_words_changed after update of filename, slug, remark on files begin
      delete from file_words where rowid = old.number;
      insert into file_words (rowid, words) values (new.number, coalesce(new.filename, '') || char(10) || coalesce(new.slug, '') || char(10) || coalesce(new.remark, '') || '  ');
    end;
CREATE TABLE leases (
    name text primary key,
    subject text,
    amount integer,
    holder text not null,
    until integer not null
  ) strict;
CREATE INDEX leases_subject on leases (subject) where subject is not null;
CREATE INDEX leases_holder on leases (holder);
CREATE TABLE change_version (
    id integer primary key check (id = 1),
    version integer not null
  ) strict;
CREATE TABLE changes (
    topic text not null,
    subject text not null,
    version integer not null,
    primary key (topic, subject)
  ) strict;
CREATE INDEX changes_version on changes (version);
CREATE TABLE guesses (
    name text primary key,
    misses integer not null,
    checking integer not null,
    ends_at integer not null
  ) strict;
CREATE INDEX guesses_end on guesses (ends_at);
CREATE TABLE known_addresses (
    name text primary key,
    used_at integer not null
  ) strict;
CREATE INDEX known_addresses_use on known_addresses (used_at);
CREATE TABLE index_changes (
    id text primary key,
    version integer not null,
    change text not null
  ) strict;
CREATE INDEX index_changes_order on index_changes (version, id);
CREATE TABLE ended_uploads (
    name text primary key,
    result text not null,
    ended_at integer not null
  ) strict;
CREATE INDEX ended_uploads_age on ended_uploads (ended_at);
insert into node_grams (node_grams, rank) values ('automerge', 0);
insert into node_grams (node_grams, rank) values ('crisismerge', 1999);
insert into node_grams (node_grams, rank) values ('usermerge', 8);
insert into node_grams (node_grams, rank) values ('deletemerge', 50);
