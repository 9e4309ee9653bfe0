import type { Shape } from "../shape.ts";
import type { search as zh } from "../zh/search.ts";

/** The search for files and folders of the explorer. */
export const search: Shape<typeof zh> = {
  title: "Dateien suchen",
  open: "Suchen",
  label: "Gesuchter Name",
  placeholder: "Name einer Datei oder eines Ordners",
  go: "Suchen",
  short: "Gib mindestens {{minQuery}} Zeichen ein.",
  scope: "Wo",
  scopes: { global: "Alle Dateien", mount: "Diese Einbindung", directory: "Dieser Ordner" },
  idle: "Gib einen Teil des Namens ein.",
  here: "In diesem Ordner",
  elsewhere: "Überall sonst",
  recent: "Letzte Suchen",
  clear: "Leeren",
  results: "Ergebnisse",
  found: { one: "{{count}} Ergebnis", other: "{{count}} Ergebnisse" },
  foundMore: { one: "Mehr als {{count}} Ergebnis", other: "Mehr als {{count}} Ergebnisse" },
  noneTitle: "Nichts gefunden",
  noneText: "Versuche es mit einem anderen Wort oder einem Teil des Namens.",
  noneHere: "Versuche es mit einem anderen Wort oder durchsuche alle Dateien.",
  failed: "Die Suche ist fehlgeschlagen.",
  more: "Mehr anzeigen",
  moreFailed: "Weitere Ergebnisse konnten nicht geladen werden.",
  copyPath: "Pfad kopieren",
};
