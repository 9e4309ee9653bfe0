/** Tasks that unpack: the archive, and what is done about names that are taken. What other tasks are about stands where it stood. */
export const unpackedArchives = [
  "alter table job_tasks add column archive text",
  "alter table job_tasks add column on_conflict text",
];
