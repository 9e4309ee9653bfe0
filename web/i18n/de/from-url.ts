import type { Shape } from "../shape.ts";
import type { fromUrl as zh } from "../zh/from-url.ts";

/** The tab of the upload page for files on the web. */
export const fromUrl: Shape<typeof zh> = {
  tabs: { label: "Woher die Datei kommt", file: "Von diesem Gerät", url: "Von einer URL" },
  address: "Adresse der Datei",
  placeholder: "https://example.com/file.zip",
  hint: "Ein direkter Link zu einer Datei. Dieser Browser lädt sie herunter und dann in den Speicher hoch.",
  analyze: "Analysieren",
  analyzing: "Wird analysiert",
  invalid:
    "Gib eine vollständige Adresse ein, die mit http:// oder https:// beginnt und weder Benutzername noch Passwort enthält.",
  lost: "Der Server ist nicht erreichbar. Prüfe die Verbindung und versuche es erneut.",
  clear: "Adresse leeren",
  unknownSize: "Größe unbekannt",
  through: "ihre Website lässt andere Seiten sie nicht lesen, deshalb holt der Server sie",
  tooLarge: "Die Datei hat {{size}} und überschreitet damit die Grenze von {{limit}} pro Datei.",
  name: "Dateiname",
  nameHint: "So wird die Freigabe heißen.",
  nameInvalid: "Ein Dateiname hat 1 bis {{maxFilename}} Zeichen und weder Schrägstrich, Backslash noch Steuerzeichen.",
  method: "Upload-Methode",
  presigned: "In einem Stück",
  multipart: "In Teilen",
  presignedHint: "Lädt erst die ganze Datei herunter und dann hoch. Am besten für kleinere Dateien.",
  multipartHint:
    "Lädt schon während des Downloads hoch und behält nur, was gerade unterwegs ist. Am besten für große Dateien.",
  multipartWhole:
    "Die Quelle nennt ihre Größe nicht, deshalb wird erst die ganze Datei heruntergeladen und dann in Teilen hochgeladen.",
  upload: "Hochladen",
  first: "Analysiere zuerst eine Adresse",
  again: "Wiederholen",
  cancel: "Abbrechen",
  another: "Weitere hochladen",
  edit: "Ändern und wiederholen",
  progress: "Fortschritt von {{name}}",
  down: "{{received}} heruntergeladen",
  downOf: "{{received}} von {{size}} heruntergeladen",
  upOf: "{{sent}} von {{size}} hochgeladen",
  stopTitle: "Upload von „{{name}}“ abbrechen?",
  link: "Link der Freigabe",
  stage: {
    starting: "Startet",
    downloading: "Wird von der Quelle heruntergeladen",
    proxyDownloading: "Wird über den Server heruntergeladen",
    preparing: "Datei wird vorbereitet",
    initializing: "Upload wird gestartet",
    uploading: "Wird in den Speicher hochgeladen",
    finalizing: "Wird abgeschlossen",
    completed: "Hochgeladen",
    cancelled: "Abgebrochen; was schon angekommen war, ist gelöscht.",
    failed: "Nicht hochgeladen",
  },
  waiting: "Wartet auf die Verbindung",
  problem: {
    network: "Der Download wurde unterbrochen: Die Quelle oder die Verbindung war weg. Versuche es erneut.",
    timeout: "Lange Zeit kam nichts an, deshalb wurde abgebrochen. Versuche es erneut.",
    sourceChanged:
      "Die Datei ist nicht mehr so lang wie bei der Analyse: Sie hat sich geändert oder endete zu früh. Analysiere sie noch einmal.",
  },
};
