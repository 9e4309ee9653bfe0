/**
 * Headers for every byte that a user stored, whoever hands it out: a browser must neither guess its type nor let it run
 * as a page of ours.
 */
export const untrustedHeaders = {
  "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
} as const;
