import type { Shape } from "../shape.ts";
import type { activity as zh } from "../zh/activity.ts";

/** The log of who has used a text, a file or a link. */
export const activity: Shape<typeof zh> = {
  title: "Aktivität",
  off: "Das Protokoll ist aus, Neues wird also nicht aufgezeichnet. Der Administrator kann es unter „Einstellungen“, „Allgemein“ einschalten.",
  empty: "Noch hat es niemand geöffnet.",
  month: "Die letzten 30 Tage",
  lately: "Die letzten 30 Tage: {{counts}}",
  nothing: "keine Aktivität",
  day: "Tag (UTC)",
  csv: "CSV herunterladen",
  more: "Frühere Einträge anzeigen",
  times: { one: "einmal", other: "{{count}}-mal" },
  unknownProgram: "unbekanntes Programm",
  manyNetworks: "mehrere Netzwerke",
  privacy:
    "Einträge bleiben {{days}} Tage. Sie nennen das Netzwerk (/24 bei IPv4, /48 bei IPv6) und die Art des Programms, niemals eine vollständige IP-Adresse.",
  events: {
    opened: "Geöffnet",
    downloaded: "Heruntergeladen",
    uploaded: "Hochgeladen",
    refused: "Abgewiesen",
  },
  counts: {
    opened: { one: "{{count}} Aufruf", other: "{{count}} Aufrufe" },
    downloaded: { one: "{{count}} Download", other: "{{count}} Downloads" },
    uploaded: { one: "{{count}} Upload", other: "{{count}} Uploads" },
    refused: { one: "{{count}} Abweisung", other: "{{count}} Abweisungen" },
  },
  outcomes: {
    broken: "unterbrochen",
    password: "falsches Passwort",
    network: "Netzwerk nicht erlaubt",
    gone: "abgelaufen oder aufgebraucht",
  },
};
