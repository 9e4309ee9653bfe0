import type { Shape } from "../shape.ts";
import type { leaving as zh } from "../zh/leaving.ts";

/** The way out, and the question before a sign-out that would lose something. */
export const leaving: Shape<typeof zh> = {
  elsewhere: "Andere Apps",
  logOut: "Abmelden",
  as: "Angemeldet mit dem Schlüssel „{{name}}“",
  uploads: {
    title: "Uploads abbrechen und abmelden?",
    text: "Es werden noch Dateien hochgeladen. Beim Abmelden werden die Uploads abgebrochen, und was von ihnen schon angekommen ist, wird gelöscht.",
    confirm: "Abbrechen und abmelden",
    stay: "Weiter hochladen",
  },
  changes: {
    title: "Ausstehende Änderungen verwerfen und abmelden?",
    text: "Offline vorgenommene Änderungen sind noch nicht gesendet. Beim Abmelden werden sie von diesem Gerät gelöscht.",
    confirm: "Löschen und abmelden",
    stay: "Angemeldet bleiben",
  },
  draft: {
    title: "Entwurf löschen und abmelden?",
    text: "Der Text auf der Startseite ist noch nicht geteilt. Beim Abmelden wird er aus diesem Browser gelöscht.",
    confirm: "Löschen und abmelden",
    stay: "Angemeldet bleiben",
  },
};
