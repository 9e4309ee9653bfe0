/** Shares whose files the server cannot read: the names of what is in them, which it cannot read either (docs/sealed.md). */
export const sealedShares = ["alter table files add column sealed text"];
