/** Notes since when a key is suspended; null for one that works. A server of the version before goes on serving it until it is upgraded. */
export const suspendedKeys = ["alter table api_keys add column suspended_at integer"]; // epoch milliseconds
