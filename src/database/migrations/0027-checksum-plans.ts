/** The checksum that an object in parts is to have, as lib/digests/part-checksums.ts writes it: null where nobody said. */
export const checksumPlans = ["alter table uploads add column checksum text"];
