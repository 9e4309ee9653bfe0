/** Uploads remember how their owner was signed in, so that they end with that sign-in. */
export const standing = [`alter table uploads add column standing text not null default ''`];
