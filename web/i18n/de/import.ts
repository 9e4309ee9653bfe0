import type { Shape } from "../shape.ts";
import type { importing as zh } from "../zh/import.ts";

/** The import of backups of other programs. */
export const importing: Shape<typeof zh> = {
  title: "Import",
  source: "CloudPaste-Sicherung",
  sourceText:
    "Erstelle in der Verwaltung von CloudPaste eine vollständige Sicherung. Ihre JSON-Datei enthält alle Passwörter und Schlüssel: Halte sie geheim und lösche sie danach.",
  pingvin:
    "Du kommst von Pingvin Share? Führe satchel import auf dem Server mit dessen Datenordner aus: Links, Passwörter und Dateien kommen mit.",
  choose: "Sicherung auswählen",
  chooseOther: "Andere Datei auswählen",
  none: "Zuerst siehst du einen Bericht. Er ändert nichts.",
  tooLarge:
    "Hier lassen sich bis zu {{size}} importieren. Führe für eine größere Sicherung satchel import auf dem Server aus.",
  private: {
    legend: "Texte, die nicht öffentlich waren",
    protect: "Sperren",
    skip: "Auslassen",
    protectText: "Sie bekommen ein Passwort, das niemand kennt, bis du ein neues festlegst.",
    skipText: "Sie werden nicht importiert, aber im Bericht genannt.",
  },
  reading: "Sicherung wird geprüft",
  readingText: "Der Server liest die Datei. Es wird nichts geändert.",
  cancel: "Abbrechen",
  planTitle: "Was importiert würde",
  doneTitle: "Was importiert wurde",
  made: "Sicherung von {{when}}.",
  schema: "Schema {{schema}}.",
  unchecked: "Die Sicherung hat keine Prüfsumme; ob sie vollständig ist, lässt sich nicht prüfen.",
  columns: {
    kind: "Art",
    rows: "In Sicherung",
    adds: "Käme hinzu",
    added: "Hinzugefügt",
    present: "Schon hier",
    left: "Ausgelassen",
  },
  left: "{{rows}} ausgelassen: {{text}}",
  changed: "{{rows}} geändert: {{text}}",
  comma: ", ",
  more: ", …",
  tables: "Ausgelassene Tabellen",
  table: "{{table}} ({{rows}}): {{text}}",
  ready: "Ein Import fügt nur hinzu. Was schon hier ist, bleibt, wie es ist.",
  nothing: "Es gibt nichts hinzuzufügen.",
  run: "Importieren",
  running: "Wird importiert …",
  progress: "{{kind}} importieren: {{done}} von {{all}}",
  stop: "Anhalten",
  stopped:
    "Angehalten. Was importiert wurde, bleibt; ein weiterer Import vervollständigt es, ohne etwas zu verdoppeln.",
  repeat: "Was importiert wurde, bleibt; ein weiterer Import vervollständigt es, ohne etwas zu verdoppeln.",
  done: "Importiert. Die Dateien bleiben in ihren Speichern: Teste jeden Speicher und lösche dann die Sicherung.",
};
