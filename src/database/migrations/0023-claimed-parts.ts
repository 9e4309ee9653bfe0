/** Finds the uploads of whose parts a file was being made when a process ended. */
export const claimedParts = ["create index uploads_claimed on uploads (id) where claimed is not null"];
