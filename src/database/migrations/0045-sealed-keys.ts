/**
 * For whom pages seal what is sent by a link, and the keys that open it, which nobody but a passkey of their owner can read
 * (docs/sealed.md). They outlive the links, because the files do.
 */
export const sealedKeys = [
  "alter table links add column recipient text",
  `create table sealed_keys (
    id text primary key,
    owner text not null,
    recipient text not null,
    passkey text not null,
    sealed text not null,
    created_at integer not null -- epoch milliseconds
  ) strict, without rowid`,
  "create index sealed_keys_by_owner on sealed_keys (owner, id)",
];
