/**
 * The name and the digest of the request that changed a text last, and the version that it left: a later one tells that another has since. The
 * base is the version from which on all changes were of the same maker, each naming those before it.
 */
export const changesOfTexts = [
  "alter table pastes add column change_key text",
  "alter table pastes add column change_digest text",
  "alter table pastes add column change_version integer",
  "alter table pastes add column change_base integer",
];
