/** From which address a visitor began an upload, as limits count addresses; null for everybody else, and for those of before. */
export const uploadNetworks = ["alter table uploads add column network text"];
