/** What the dashboard asks for: shares by day and by storage, jobs that failed, keys that expire, and what is known of an account and a storage. */
export const dashboard = [
  `create index pastes_by_time on pastes (created_at)`,
  `create index files_by_time on files (created_at) where pending = 0`,
  `create index files_shared_from on files (storage) where pending = 0`,
  `create index jobs_failed on jobs (state) where state in ('failed', 'partial_complete')`,
  `create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null`,
  // 1 while the password is one that the terminal printed. Of older accounts nobody knows, and they are not asked.
  `alter table admin_account add column is_generated integer not null default 0`,
  // The last test of a storage; null when there was none since it was changed.
  `alter table storage_configs add column tested_at integer`,
  `alter table storage_configs add column passed integer`,
];
