import * as z from "zod/mini";

/** Roles are stored and shown; what a key may do is decided by its permissions alone. */
export const keyRoles = ["GENERAL", "GUEST", "ADMIN"] as const;

/** What a list of shares tells a key about itself, beside what it lists. */
export const ownKey = z.object({
  id: z.string(),
  name: z.string(),
  key: z.string(),
  basicPath: z.string(),
  permissions: z.int(),
  role: z.enum(keyRoles),
  isGuest: z.int(),
});

export type KeyRole = (typeof keyRoles)[number];
export type OwnKey = z.output<typeof ownKey>;
