/** Cache keys of what only the administrator sees; cleared at sign-out, like all that begin with "admin". */
export const adminKeys = {
  dashboard: ["admin", "dashboard"] as const,
  caches: ["admin", "caches"] as const,
  backups: ["admin", "backups"] as const,
  settings: ["admin", "settings"] as const,
  sessions: ["admin", "sessions"] as const,
  webhooks: ["admin", "webhooks"] as const,
  audit: ["admin", "audit"] as const,
};
