import type { Shape } from "../shape.ts";
import type { shell as zh } from "../zh/shell.ts";

/** Words of the frame around every page, and of the components that all pages use. */
export const shell: Shape<typeof zh> = {
  brand: "{{site}}",
  skip: "Zum Inhalt springen",
  nav: {
    label: "Hauptmenü",
    home: "Start",
    upload: "Hochladen",
    explorer: "Explorer",
    admin: "Verwaltung",
    source: "Quellcode",
    open: "Menü öffnen",
    close: "Menü schließen",
  },
  language: "Sprache",
  theme: { auto: "Design: wie das System", light: "Design: hell", dark: "Design: dunkel" },
  footer: "© {{year}} {{site}}",
  titles: {
    home: "{{site}} · Online-Zwischenablage",
    paste: "Geteilter Text · {{site}}",
    file: "Geteilte Datei · {{site}}",
    link: "Geteilte Dateien · {{site}}",
    admin: "Verwaltung · {{site}}",
    upload: "Dateien hochladen · {{site}}",
    explorer: "Explorer · {{site}}",
  },
  lazy: {
    title: "Die Seite wurde nicht geladen",
    text: "Die Seite ist gerade nicht erreichbar. Bitte prüfe deine Verbindung.",
    retry: "Wiederholen",
    back: "Zurück",
    loading: "Wird geladen …",
  },
  broken: {
    title: "Auf dieser Seite ist etwas schiefgegangen",
    text: "Bitte lade die Seite neu.",
    reload: "Neu laden",
  },
  signedIn: {
    text: "Du bist angemeldet und kannst gleich loslegen. Lege bald ein eigenes Passwort fest.",
    account: "Passwort festlegen",
    dismiss: "Verstanden",
  },
  signedOut: {
    expired: "Deine Sitzung als Administrator ist abgelaufen. Bitte melde dich neu an.",
    keyInvalid: "Der API-Schlüssel ist ungültig oder abgelaufen. Bitte melde dich neu an.",
    unauthorized: "Du bist nicht berechtigt. Bitte melde dich neu an.",
  },
  wait: {
    seconds: "Zu viele Versuche. Bitte versuche es in {{seconds}} s erneut.",
    minutes: "Zu viele Versuche. Bitte versuche es in {{minutes}} min erneut.",
  },
  rawName: "Dieser Name ist kein gültiges UTF-8.",
  actions: {
    showMore: "Mehr anzeigen",
    copied: "Kopiert",
    copyFailed: "Kopieren nicht möglich. Bitte markiere den Text von Hand",
    close: "Schließen",
    cancel: "Abbrechen",
    showPassword: "Passwort anzeigen",
    hidePassword: "Passwort verbergen",
    downloadQr: "PNG herunterladen",
    qrLabel: "QR-Code des Links",
    retry: "Wiederholen",
  },
  failure: {
    network: "Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es erneut.",
    queued:
      "Der Server ist nicht erreichbar. Die Änderung bleibt auf diesem Gerät und wird gesendet, sobald es wieder geht.",
    timeout: "Der Server hat zu lange nicht geantwortet. Bitte versuche es erneut.",
    aborted: "Die Anfrage wurde abgebrochen.",
    unknown: "Die Antwort des Servers war nicht zu verstehen. Bitte versuche es erneut.",
  },
};
