/** Counts the uploads in parts that one owner has begun and not finished. */
export const openUploads = [
  "create index uploads_in_parts on uploads (created_by) where state = 'pending' and part_size is not null",
];
