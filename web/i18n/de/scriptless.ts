import type { Shape } from "../shape.ts";
import type { scriptless as zh } from "../zh/scriptless.ts";

/** Pages where no scripts run. build.ts writes it into them, in every language; the app never loads it. */
export const scriptless: Shape<typeof zh> = {
  needs: "Diese Seite braucht JavaScript, das hier ausgeschaltet ist.",
  share: "Eine Freigabe ohne Passwort lässt sich auch ohne JavaScript öffnen; das zählt als Aufruf.",
  paste: "Text unformatiert öffnen",
  file: "Datei herunterladen",
};
