/** Uploads, and changes of objects that somebody has still to be told of. */
export const transfers = [
  // An upload that has finished stays as the record of its object for as long as the object is there; one that replaced a file goes.
  `create table uploads (
    id text primary key,
    storage text not null references storage_configs (id),
    key text not null,
    content_type text not null,
    size integer, -- as declared, null if undeclared; as the store reports once it is ready
    state text not null check (state in ('pending', 'ready', 'removing')),
    multipart text, -- the store's id of an upload in parts
    part_size integer,
    claimed text, -- the parts that the file is being made of, as JSON [[number, etag], ...]; null before and after that
    created_by text not null,
    credential text not null default '', -- how its owner was signed in; the upload ends with that
    created_at integer not null,
    touched_at integer not null, -- when something of it arrived last
    addressed_until integer not null default 0, -- until when an address that writes the object may be valid; 0 if there is none
    overwrites integer not null default 0, -- 1 for an upload that replaces the file at its key
    found text, -- of one that replaces: the version of that file when it began
    arrived integer not null default 0 -- of one that replaces: 1 once its file counts as the file at its key
  ) strict`,
  // A key belongs to one upload, unless that replaces what is there.
  `create unique index uploads_by_key on uploads (storage, key) where overwrites = 0`,
  `create index uploads_over_key on uploads (storage, key) where overwrites = 1`,
  `create index uploads_by_multipart on uploads (multipart) where multipart is not null`,
  `create index uploads_unfinished on uploads (state, touched_at) where state <> 'ready'`,
  // The bytes of a storage are added up from it alone.
  `create index uploads_by_storage on uploads (storage, state, size)`,

  // What became of uploads that replaced a file, for those who ask again.
  `create table ended_uploads (
    name text primary key,
    result text not null, -- as JSON
    ended_at integer not null
  ) strict`,
  `create index ended_uploads_age on ended_uploads (ended_at)`,

  // Written before objects change and removed when everybody was told: what is left after a crash is told then.
  `create table change_intents (
    id text primary key,
    storage text not null,
    changes text not null, -- as JSON
    certain integer not null, -- 1 when they have happened, 0 when the store has to be asked
    holder text -- the server that makes them; null for one server alone
  ) strict`,
];
