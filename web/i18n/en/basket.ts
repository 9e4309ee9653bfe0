import type { Shape } from "../shape.ts";
import type { basket as zh } from "../zh/basket.ts";

/** The file basket of the explorer. */
export const basket: Shape<typeof zh> = {
  title: "File basket",
  open: "File basket ({{count}})",
  there: "It is already in the basket.",
  full: "The basket holds {{most}} items at most; {{count}} were not added.",
  emptyTitle: "The basket is empty",
  emptyText: "Select files in any folders, add them to the basket, and download them as one archive.",
  summary: "Files: {{files}}, {{size}}",
  summaryFolders: "Files: {{files}}, folders: {{folders}}, {{size}}",
  expandAll: "Expand all",
  collapseAll: "Collapse all",
  items: { one: "{{count}} item", other: "{{count}} items" },
  remove: "Remove “{{name}}”",
  clear: "Clear",
  clearTitle: "Clear the basket?",
  clearText: "The files themselves stay as they are.",
  pack: "Download as zip",
  large: "More than {{basketLarge}} in total: packing will take a while.",
  huge: "More than {{basketHuge}} in total. Packing and downloading will take a long time and a lot of disk space.",
  hugeTitle: "Pack {{size}}?",
  hugeConfirm: "Pack anyway",
  byBrowser: "Packed in this browser. Follow its progress under Tasks.",
  byServer: "Packed by the server while it downloads.",
  started: "Packing has started. Follow its progress under Tasks.",
  startedThere: "The download has started. Your browser shows its progress.",
  report: "These files could not be packed:",
  unreadable: "The file could not be read ({{status}}).",
};
