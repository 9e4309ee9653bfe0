/** The shares that ask for a password: lists of them, and their total, go through no others. */
export const lockedShares = [
  "create index pastes_locked on pastes (number, created_by, expires_at, spent_at) where locked = 1",
  "create index files_locked on files (number, created_by, storage, expires_at, spent_at) where locked = 1 and pending = 0",
];
