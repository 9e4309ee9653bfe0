/** Checksums of an object and of parts, and the sizes of the parts that an object came in, as JSON: null where nobody sent any. */
export const s3Checksums = [
  "alter table disk_attributes add column checksums text",
  "alter table disk_attributes add column parts text",
  "alter table disk_parts add column checksums text",
];
