import type { Shape } from "../shape.ts";
import type { file as zh } from "../zh/file.ts";

/** A shared file: its page, and the form that changes it. */
export const file: Shape<typeof zh> = {
  view: {
    actions: "Aktionen",
    download: "Herunterladen",
    insideApp:
      "Wurde nichts gespeichert? Der Browser in dieser App kann das womöglich nicht: Öffne den Link über das Menü ··· in einem anderen Browser.",
    share: "Teilen",
    copiedInstead: "Link kopiert",
    copyLink: "Link kopieren",
    copyDirect: "Direktlink kopieren",
    qr: "QR-Code",
    edit: "Bearbeiten",
    remove: "Löschen",
    shared: "geteilt {{time}}",
    views: { one: "{{count}} Aufruf", other: "{{count}} Aufrufe" },
    viewsOf: { one: "{{views}} von {{count}} Aufruf", other: "{{views}} von {{count}} Aufrufen" },
    enlarge: "{{name}} vergrößern",
    tools: "Werkzeuge der Ansicht",
    content: "Text",
    blank: "Diese Datei enthält keinen Text.",
    tooLarge: "Die Datei ist groß und wird deshalb hier nicht angezeigt. Lade sie herunter, um sie zu öffnen.",
    spends: "Du hast diese Freigabe geändert: Ab jetzt verbraucht jeder Download von hier einen Aufruf.",
    spent: "Alle Aufrufe sind aufgebraucht: Niemand kann diesen Link mehr öffnen.",
    drawingHeavy: "Diese Zeichnung könnte die Seite lange beschäftigen und wurde deshalb nicht gleich dargestellt.",
    showAnyway: "Trotzdem anzeigen",
    imageTooLarge:
      "Das Bild ist zu groß oder zu komplex, um es im Browser darzustellen. Lade es herunter, um es zu öffnen.",
    broken: "Die Datei lässt sich hier nicht anzeigen. Lade sie herunter, um sie zu öffnen.",
    imageFailed: "Der Browser kann das Bild nicht anzeigen. Lade es herunter, um es zu öffnen.",
    imageDamaged:
      "Das Bild ist beschädigt oder in einem Format, das hier nicht dekodiert werden kann. Lade es herunter, um es zu öffnen.",
    imageArrives: "{{come}} von {{whole}} geladen …",
    imageDecoded: "Das Bild wird dekodiert …",
    unplayable: "Der Browser kann dieses Format nicht abspielen. Lade die Datei herunter, um sie zu öffnen.",
    unreadable: "Der Text der Datei wurde nicht geladen. Versuche es erneut oder lade die Datei herunter.",
    lostTitle: "Die Datei ist nicht mehr da",
    lostText:
      "Den Link gibt es noch, aber seine Datei ist aus dem Speicher verschwunden. Frag nach bei der Person, die sie geteilt hat.",
  },
  arriving: {
    title: "Die Datei wird gerade hochgeladen",
    text: "Lass diese Seite offen: Sie zeigt die Datei, sobald sie da ist.",
    stalled: "Der Upload scheint unterbrochen zu sein. Warten, bis er fortgesetzt wird.",
    progress: "Fortschritt des Uploads",
    come: "{{come}} von {{whole}} hochgeladen ({{percent}} %)",
    size: "insgesamt {{whole}}",
    failedTitle: "Der Upload wurde nicht abgeschlossen",
    failedText:
      "Er wurde abgebrochen, oder die Freigabe ist abgelaufen. Frag nach bei der Person, die sie geteilt hat.",
  },
  provider: {
    builtIn: "Integrierter Speicher",
    folder: "Ordner auf diesem Rechner",
    other: "Anderer S3-Speicher",
  },
  kind: {
    unknown: "Datei",
    folder: "Ordner",
    video: "Video",
    audio: "Audiodatei",
    text: "Textdatei",
    image: "Bild",
    office: "Dokument",
    document: "Dokument",
  },
  source: "{{language}}-Quelltext",
  named: {
    word: "Word-Dokument",
    excel: "Excel-Tabelle",
    powerpoint: "PowerPoint-Präsentation",
    markdown: "Markdown-Text",
    plain: "Einfacher Text",
    data: "{{ending}}-Daten",
    log: "Protokoll",
    archive: "{{ending}}-Archiv",
  },
  kindOf: "{{ending}}-{{kind}}",
  lightbox: {
    tools: "Bildwerkzeuge",
    previous: "Vorheriges Bild",
    next: "Nächstes Bild",
    smaller: "Verkleinern",
    larger: "Vergrößern",
    whole: "Ganz anzeigen",
    turn: "Drehen",
    mirror: "Spiegeln",
    info: "Über dieses Bild",
  },
  remove: {
    title: "Diese Datei löschen?",
    text: "„{{name}}“ und der zugehörige Link funktionieren sofort nicht mehr. Das lässt sich nicht rückgängig machen.",
  },
  removed: {
    title: "Gelöscht",
    text: "„{{name}}“ und der zugehörige Link sind gelöscht.",
    upload: "Weitere Datei hochladen",
  },
  sealed: {
    name: "Versiegelte Datei",
    opens: "nur mit vollständigem Link oder Passwort",
  },
  form: {
    sealed:
      "Diese Freigabe ist versiegelt. Inhalt und Passwort lassen sich nicht ändern; für etwas anderes erstelle einen neuen Link.",
    title: "Dateifreigabe bearbeiten",
    name: "Dateiname",
    useProxy: "Über diesen Server ausliefern",
  },
};
