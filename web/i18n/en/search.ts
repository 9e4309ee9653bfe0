import type { Shape } from "../shape.ts";
import type { search as zh } from "../zh/search.ts";

/** The search for files and folders of the explorer. */
export const search: Shape<typeof zh> = {
  title: "Search files",
  open: "Search",
  label: "Name to look for",
  placeholder: "Name of a file or folder",
  go: "Search",
  short: "Enter at least {{minQuery}} characters.",
  scope: "Where",
  scopes: { global: "All files", mount: "This mount", directory: "This folder" },
  idle: "Type part of the name.",
  here: "In this folder",
  elsewhere: "Everywhere else",
  recent: "Recent searches",
  clear: "Clear",
  results: "Results",
  found: { one: "{{count}} result", other: "{{count}} results" },
  foundMore: { one: "More than {{count}} result", other: "More than {{count}} results" },
  noneTitle: "Nothing found",
  noneText: "Try another word, or part of the name.",
  noneHere: "Try another word, or search all files.",
  failed: "The search failed.",
  more: "Show more",
  moreFailed: "More results could not be loaded.",
  copyPath: "Copy path",
};
