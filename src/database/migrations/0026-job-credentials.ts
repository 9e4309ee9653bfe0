/** A text that changes with the password or the key of who began a job; null for those that were begun before. */
export const jobCredentials = ["alter table jobs add column credential text"];
