/** What writers by S3 have kept with an object, as JSON: null for nothing. */
export const s3 = [
  "alter table disk_attributes add column headers text",
  "alter table disk_multiparts add column headers text",
];
