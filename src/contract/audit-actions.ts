/** Everything that the audit log holds, as `subject.verb`. */
export const auditActions = [
  "login.done",
  "login.failed",
  "login.link",
  "logout.done",
  "account.update",
  "account.reset",
  "session.delete",
  "sessions.clear",
  "key.create",
  "key.update",
  "key.delete",
  "mount.create",
  "mount.update",
  "mount.delete",
  "storage.create",
  "storage.update",
  "storage.delete",
  "storage.default",
  "storage.test",
  "storage.cors",
  "settings.update",
  "cache.clear",
  "texts.clear",
] as const;

export type AuditAction = (typeof auditActions)[number];
