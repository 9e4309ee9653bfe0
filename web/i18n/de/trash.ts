import type { Shape } from "../shape.ts";
import type { trash as zh } from "../zh/trash.ts";

/** What was deleted in the explorer and can still come back. */
export const trash: Shape<typeof zh> = {
  title: "Papierkorb",
  loading: "Wird geladen …",
  emptyTitle: "Der Papierkorb ist leer",
  emptyText: "Gelöschte Dateien und Ordner bleiben hier eine Weile. Du kannst sie an ihrem alten Ort wiederherstellen.",
  room: "Elemente im Papierkorb belegen weiterhin Platz in ihrem Speicher. Endgültiges Löschen gibt ihn frei.",
  from: "Aus {{folder}}",
  left: { one: "noch {{count}} Tag", other: "noch {{count}} Tage" },
  leftToday: "weniger als ein Tag übrig",
  by: "gelöscht von {{name}}",
  restore: "Wiederherstellen",
  restoreOne: "„{{name}}“ wiederherstellen",
  restored: "Wiederhergestellt unter {{path}}",
  remove: "Endgültig löschen",
  removeOne: "„{{name}}“ endgültig löschen",
  removeTitle: "„{{name}}“ endgültig löschen?",
  removeText: "Das lässt sich nicht rückgängig machen. Der belegte Platz wird frei.",
  empty: "Papierkorb leeren",
  emptyQuestion: "Papierkorb leeren?",
  emptyAll:
    "Alles, was irgendjemand in den Papierkorb gelegt hat, wird endgültig gelöscht. Das lässt sich nicht rückgängig machen.",
  emptyOwn:
    "Alles, was du in den Papierkorb gelegt hast, wird endgültig gelöscht. Das lässt sich nicht rückgängig machen.",
  more: "Mehr anzeigen",
};
