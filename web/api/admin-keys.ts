/** Cache keys of what only the administrator sees; they go with the person, as all below "admin" do. */
export const adminKeys = {
  dashboard: ["admin", "dashboard"] as const,
  caches: ["admin", "caches"] as const,
  settings: ["admin", "settings"] as const,
  sessions: ["admin", "sessions"] as const,
  audit: ["admin", "audit"] as const,
};
