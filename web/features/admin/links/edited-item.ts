import type { LinkItem, NewLinkItem } from "#contract/links";

/** An item that the link has, or one that is added, which has no id yet. */
export type EditedItem =
  | LinkItem
  | (Omit<LinkItem, "id" | "path"> & { readonly id?: undefined; readonly path: string });

/** How an item is named to the server. */
export const sentItem = (item: EditedItem): NewLinkItem | { readonly kept: string } =>
  item.id === undefined ? { path: item.path } : { kept: item.id };
