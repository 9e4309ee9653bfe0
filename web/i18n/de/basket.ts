import type { Shape } from "../shape.ts";
import type { basket as zh } from "../zh/basket.ts";

/** The file basket of the explorer. */
export const basket: Shape<typeof zh> = {
  title: "Dateikorb",
  open: "Dateikorb ({{count}})",
  there: "Das liegt schon im Dateikorb.",
  full: {
    one: "Der Dateikorb fasst höchstens {{most}} Elemente; {{count}} wurde nicht hinzugefügt.",
    other: "Der Dateikorb fasst höchstens {{most}} Elemente; {{count}} wurden nicht hinzugefügt.",
  },
  emptyTitle: "Der Dateikorb ist leer",
  emptyText: "Wähle Dateien in beliebigen Ordnern aus, lege sie in den Dateikorb und lade sie als ein Archiv herunter.",
  summary: "Dateien: {{files}}, {{size}}",
  summaryFolders: "Dateien: {{files}}, Ordner: {{folders}}, {{size}}",
  expandAll: "Alle aufklappen",
  collapseAll: "Alle zuklappen",
  items: { one: "{{count}} Element", other: "{{count}} Elemente" },
  remove: "„{{name}}“ entfernen",
  clear: "Leeren",
  clearTitle: "Dateikorb leeren?",
  clearText: "Die Dateien selbst bleiben, wie sie sind.",
  pack: "Als ZIP herunterladen",
  large: "Insgesamt mehr als {{basketLarge}}: Das Packen dauert eine Weile.",
  huge: "Insgesamt mehr als {{basketHuge}}. Packen und Herunterladen brauchen viel Zeit und viel Speicherplatz.",
  hugeTitle: "{{size}} packen?",
  hugeConfirm: "Trotzdem packen",
  byBrowser: "Wird in diesem Browser gepackt. Den Fortschritt siehst du unter „Vorgänge“.",
  byServer: "Wird während des Downloads vom Server gepackt.",
  started: "Das Packen hat begonnen. Den Fortschritt siehst du unter „Vorgänge“.",
  startedThere: "Der Download hat begonnen. Dein Browser zeigt den Fortschritt.",
  report: "Diese Dateien konnten nicht gepackt werden:",
  unreadable: "Die Datei konnte nicht gelesen werden ({{status}}).",
};
