import type { Shape } from "../shape.ts";
import type { text as zh } from "../zh/text.ts";

/** Words of the viewer of texts: as they were written, and as what they mean. */
export const text: Shape<typeof zh> = {
  unread: {
    broken:
      "Ce fichier est endommagé, ou n’est pas ce que son nom indique, et ne peut donc pas être affiché ici. Téléchargez-le pour l’ouvrir.",
    tooLarge: "Une fois extrait, ce fichier est trop volumineux pour être affiché ici. Téléchargez-le pour l’ouvrir.",
    encrypted:
      "Ce fichier est protégé par un mot de passe et ne peut pas être ouvert ici. Téléchargez-le pour l’ouvrir.",
    late: "La lecture de ce fichier prenait trop de temps et a été arrêtée. Téléchargez-le pour l’ouvrir.",
    unsupported: "Ce navigateur ne peut pas décompresser ce format. Téléchargez le fichier pour l’ouvrir.",
  },
  look: { markdown: "Lecture", html: "Page", csv: "Tableau", json: "Arbre" },
  view: {
    shownAs: "Affiché comme",
    source: "Source",
    encoding: "Encodage",
    detected: "{{encoding}} (auto)",
    head: "Seuls les {{shown}} premiers sur {{whole}} sont affichés. Téléchargez le fichier pour tout voir.",
    wrap: "Retour à la ligne",
    copy: "Copier le texte",
    counts: {
      one: "{{count}} ligne, {{characters}}",
      many: "{{count}} lignes, {{characters}}",
      other: "{{count}} lignes, {{characters}}",
    },
    characters: { one: "{{count}} caractère", many: "{{count}} caractères", other: "{{count}} caractères" },
  },
};
