import type { Translation } from "#contract/languages";
import type { en } from "./en.ts";

export const de: Translation<typeof en> = {
  titles: {
    "share.opened": "Eine Freigabe wurde geöffnet",
    "share.spent": "Eine Freigabe ist aufgebraucht",
    "file.arrived": "Eine Datei ist angekommen",
    "link.closed": "Eine Dateianfrage ist geschlossen",
    "upload.failed": "Ein Upload ist fehlgeschlagen",
    "backup.failed": "Eine Sicherung ist fehlgeschlagen",
    "storage.full": "Ein Speicher ist voll",
    "sign_in.new": "Eine Anmeldung von einer neuen Adresse",
    "job.failed": "Ein Vorgang im Hintergrund ist fehlgeschlagen",
    test: "Ein Test von Satchel",
  },
  lines: {
    "share.opened": "{what}: {openings}-mal geöffnet",
    "share.spent": "{what}: Der letzte Aufruf ist aufgebraucht",
    "file.arrived": "{name} ist über den Link {link} angekommen",
    "link.closed": "{link} nimmt keine Dateien mehr an: {reason}",
    "upload.failed": "{key} wurde nicht gespeichert: {reason}",
    "backup.failed":
      "Die Sicherung vom {started_at} ist fehlgeschlagen. Warum, steht in den Einstellungen der Sicherung.",
    "storage.full": "{name} ist zu {percent} % voll",
    "sign_in.new": "Der Administrator hat sich von {address} angemeldet. Wenn du das nicht warst, ändere das Passwort.",
    "job.failed": "Vorgang {job} von {owner} ist fehlgeschlagen: {reason}",
  },
  openedOnce: "{what}: geöffnet",
  text: "Text {slug}",
  file: "Datei {name} ({slug})",
  filesFailed: "Dateien fehlgeschlagen",
  more: "und {more} weitere",
  tested: "Wenn du das liest, kommen Zustellungen an.",
  reasons: { "link.expired": "Er ist abgelaufen.", "link.right": "Sein Besitzer darf nicht mehr hochladen." },
};
