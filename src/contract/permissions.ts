/** The nine rights an API key can hold, as bits of one integer (SPEC section 3). They are independent: none implies another. */
export const permissionBits = {
  text: 1,
  file_share: 2,
  mount_view: 256,
  mount_upload: 512,
  mount_copy: 1024,
  mount_rename: 2048,
  mount_delete: 4096,
  webdav_read: 65536,
  webdav_manage: 131072,
} as const;

/** What whoever opens a link may do: look at what is there, take it along, bring something into its folders. */
export const linkRights = ["view", "download", "upload"] as const;

export type LinkRight = (typeof linkRights)[number];

export type Permission = keyof typeof permissionBits;

export const permissions = Object.keys(permissionBits) as readonly Permission[];

/** The bits of several rights together. */
export const bitsOf = (held: readonly Permission[]): number =>
  held.reduce((bits, permission) => bits | permissionBits[permission], 0);

/** Returns the rights in some bits, in the order of the bits. */
export const permissionsOf = (bits: number): Permission[] => permissions.filter((one) => allows(bits, one));

export const ALL_PERMISSIONS = bitsOf(permissions);

/** Reports whether a key's bits hold the right that is needed. */
export const allows = (bits: number, need: Permission): boolean => (bits & permissionBits[need]) !== 0;
