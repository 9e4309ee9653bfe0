/** Finds files that came by links in parts, whose SHA-256 is computed once they are there. */
export const arrivalDigests = [
  "create index link_arrivals_undigested on link_arrivals (arrived_at) where state = 'there' and sha256 is null",
];
