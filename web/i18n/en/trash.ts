import type { Shape } from "../shape.ts";
import type { trash as zh } from "../zh/trash.ts";

/** What was deleted in the explorer and can still come back. */
export const trash: Shape<typeof zh> = {
  title: "Trash",
  loading: "Loading…",
  emptyTitle: "The trash is empty",
  emptyText: "Deleted files and folders stay here for a while. You can restore them to where they were.",
  room: "Items in the trash still take up space in their storage. Deleting them permanently frees it.",
  from: "From {{folder}}",
  left: { one: "{{count}} day left", other: "{{count}} days left" },
  leftToday: "less than a day left",
  by: "deleted by {{name}}",
  restore: "Restore",
  restoreOne: "Restore “{{name}}”",
  restored: "Restored to {{path}}",
  remove: "Delete permanently",
  removeOne: "Delete “{{name}}” permanently",
  removeTitle: "Delete “{{name}}” permanently?",
  removeText: "This cannot be undone. It frees the space it takes up.",
  empty: "Empty trash",
  emptyQuestion: "Empty the trash?",
  emptyAll: "Everything anyone has put in the trash will be deleted permanently. This cannot be undone.",
  emptyOwn: "Everything you have put in the trash will be deleted permanently. This cannot be undone.",
  more: "Show more",
};
