/** What was looked for row by row: uploads in parts of a key, and jobs by their state. */
export const lookUps = [
  "create index disk_multiparts_by_key on disk_multiparts (bucket, key)",
  "create index jobs_by_state on jobs (state, created_at, id)",
];
