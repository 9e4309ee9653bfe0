/** The name and the digest of the request that changed a text last, and the version that it left: a later one tells that another has since. */
export const changesOfTexts = [
  "alter table pastes add column change_key text",
  "alter table pastes add column change_digest text",
  "alter table pastes add column change_version integer",
];
