import type { Shape } from "../shape.ts";
import type { offline as zh } from "../zh/offline.ts";

/** The app without a connection: notices, changes that wait, a newer version, and its installation. */
export const offline: Shape<typeof zh> = {
  title: "Offline- und App-Status",
  onlineText: "Verbunden. Ausstehende Änderungen werden automatisch gesendet.",
  offlineText:
    "Keine Verbindung. Du siehst, was schon einmal geöffnet war; Änderungen bleiben auf diesem Gerät und werden gesendet, sobald du wieder online bist.",
  unreachedText:
    "Der Server ist nicht erreichbar. Vielleicht siehst du, was schon einmal geöffnet war; Änderungen bleiben auf diesem Gerät und werden gesendet, sobald er antwortet.",
  lost: "Du bist offline. Was du schon geöffnet hattest, funktioniert weiter.",
  restored: "Du bist wieder online.",
  sent: {
    one: "Die offline vorgenommene Änderung wurde gesendet.",
    other: "Die {{count}} offline vorgenommenen Änderungen wurden gesendet.",
  },
  sharedAt: "Dein Text ist geteilt: {{link}}",
  sharedSeveral: { one: "{{count}} Text ist geteilt.", other: "{{count}} Texte sind geteilt." },
  showLinks: "Links zeigen",
  failed: "Die Synchronisierung ist fehlgeschlagen. Bitte versuche es später erneut.",
  damaged:
    "Die Offline-Daten waren beschädigt und mussten entfernt werden. Ausstehende Änderungen sind vielleicht verloren.",
  closed: "Ein anderer Tab hat eine neuere Version der App geöffnet. Bitte lade diese Seite neu.",
  full: "Auf diesem Gerät ist kein Platz für die Änderung. Bitte versuche es erneut, sobald du verbunden bist.",
  broken:
    "Was auf diesem Gerät gespeichert ist, lässt sich gerade nicht lesen oder ändern. Bitte lade diese Seite neu.",
  notQueued: {
    full: "Auf diesem Gerät ist kein Platz für die Änderung. Lass diese Seite offen und versuche es erneut, sobald du verbunden bist, oder kopiere deinen Text.",
    closed:
      "Die Änderung wurde nicht gespeichert: Ein anderer Tab hat eine neuere Version der App geöffnet. Kopiere deinen Text und lade dann diese Seite neu.",
    broken:
      "Die Änderung wurde nicht gespeichert: Dieser Browser kann gerade nichts ablegen. Lass diese Seite offen und versuche es erneut, sobald du verbunden bist, oder kopiere deinen Text.",
  },
  unshared:
    "Das Geteilte konnte nicht empfangen werden: Es ist zu groß für dieses Gerät oder nicht lesbar. Bitte füge es hier selbst hinzu.",
  unforgotten:
    "Was auf diesem Gerät für dich gespeichert war, konnte nicht entfernt werden. Bitte lösche die Daten dieser Website im Browser.",
  sendNow: "Jetzt senden",
  sendAgain: "Erneut senden",
  retry: "Wiederholen",
  edit: "Bearbeiten",
  discard: "Verwerfen",
  discardTitle: "Diese Änderung verwerfen?",
  discardText: "Soweit dieses Gerät weiß, hat der Server sie nicht, und es gibt keine weitere Kopie.",
  undiscarded: {
    sending: "Sie wird gerade gesendet und lässt sich nicht verwerfen.",
    gone: "Sie steht nicht mehr aus: Sie wurde inzwischen gesendet oder in einem anderen Tab verworfen.",
    changed:
      "Sie wurde inzwischen in einem anderen Tab geändert und bleibt deshalb erhalten. Schließe diesen Dialog, um die neue Version zu sehen.",
  },
  seen: "Aus der Liste entfernen",
  copyLink: "Link kopieren",
  text: "Inhalt",
  suffix: "Eigener Linkname",
  later: "Später",
  badge: {
    offline: "Offline",
    unreached: "Server nicht erreichbar",
    waiting: { one: "{{count}} Änderung steht aus", other: "{{count}} Änderungen stehen aus" },
    refused: "Eine Änderung wurde abgelehnt",
    others: {
      one: "{{count}} Änderung wartet auf eine Anmeldung",
      other: "{{count}} Änderungen warten auf eine Anmeldung",
    },
    done: "Änderungen wurden gesendet",
  },
  change: {
    createPaste: "Text teilen",
    updatePaste: "Text ändern",
    batchDeletePastes: "Texte löschen",
    clearExpiredPastes: "Abgelaufene Texte entfernen",
    updateGroupSettings: "Einstellungen ändern",
    clearCache: "Cache leeren",
    verifyFilePassword: "Datei mit Passwort öffnen",
    other: "Andere Änderung",
  },
  state: {
    pending: "Wartet auf die Verbindung",
    rejected: "Vom Server abgelehnt",
    behind: "Wartet auf deine Entscheidung über die abgelehnte Änderung davor",
    sent: "Gesendet",
    others: "Wird gesendet, sobald die Person angemeldet ist, von der sie stammt",
    foreign: "Stammt aus einer anderen Version der App, diese kann sie nicht senden",
  },
  update: {
    title: "Eine neue Version ist verfügbar",
    text: "Die Seite wird mit dem Update neu geladen.",
    now: "Aktualisieren",
    check: "Nach Updates suchen",
  },
  install: {
    title: "{{site}} installieren",
    text: "Öffne es wie eine App, nutze es offline und teile vom Handy aus damit.",
    now: "Installieren",
    none: "Von diesem Browser nicht angeboten",
    installable: "Kann installiert werden",
    installed: "Installiert",
  },
  status: {
    title: "App-Status",
    network: "Netzwerk",
    online: "Verbunden",
    offline: "Getrennt",
    worker: "Offline-Unterstützung",
    install: "Installation",
    version: "Version",
  },
  worker: {
    none: "In diesem Browser nicht verfügbar",
    unknown: "Unbekannt",
    installing: "Wird installiert",
    waiting: "Eine neue Version ist bereit",
    active: "Aktiv",
    redundant: "Ersetzt",
  },
};
