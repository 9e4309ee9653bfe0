/** Uploads that grow by requests which append to them. What came of the part that is not whole waits in an object beside it. */
export const resumableUploads = [
  "alter table uploads add column append_size integer",
  "alter table uploads add column total_size integer",
  "alter table uploads add column tail_part integer",
  "alter table uploads add column tail_size integer",
  "alter table uploads add column metadata text",
  // As uploads_by_owner, which servers of the version before read.
  "create index uploads_held_by_owner on uploads (created_by, state, size, part_size, tail_size) where state <> 'removing'",
];
