/** Names the items of a link, so that a change can say which of them stay. One without a name is named by its place in the list. */
export const linkItemIds = ["alter table link_items add column id text not null default ''"];
