import type { Shape } from "../shape.ts";
import type { trash as zh } from "../zh/trash.ts";

/** What was deleted in the explorer and can still come back. */
export const trash: Shape<typeof zh> = {
  title: "Trash",
  loading: "Loading…",
  emptyTitle: "The trash is empty",
  emptyText: "Deleted files and folders wait here. They can go back to where they were, until their time is over.",
  room: "What is here still takes room in its storage. Deleting it for ever frees that.",
  from: "From {{folder}}",
  left: { one: "{{count}} day left", other: "{{count}} days left" },
  leftToday: "less than a day left",
  by: "deleted by {{name}}",
  restore: "Restore",
  restoreOne: "Restore “{{name}}”",
  restored: "Restored to {{path}}",
  remove: "Delete for ever",
  removeOne: "Delete “{{name}}” for ever",
  removeTitle: "Delete “{{name}}” for ever?",
  removeText: "This cannot be undone. It frees the room that it takes.",
  empty: "Empty trash",
  emptyQuestion: "Empty the trash?",
  emptyAll: "Everything that anybody has deleted is deleted for ever. This cannot be undone.",
  emptyOwn: "Everything that you have deleted is deleted for ever. This cannot be undone.",
  more: "Show more",
};
