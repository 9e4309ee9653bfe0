import type { Shape } from "../shape.ts";
import type { scriptless as zh } from "../zh/scriptless.ts";

/** Pages where no scripts run. build.ts writes it into them, in every language; the app never loads it. */
export const scriptless: Shape<typeof zh> = {
  needs: "Cette page nécessite JavaScript, qui est désactivé ici.",
  share: "Sans JavaScript, un partage s’ouvre quand même s’il n’a pas de mot de passe ; cela compte comme une vue.",
  paste: "Ouvrir le texte tel quel",
  file: "Télécharger le fichier",
};
