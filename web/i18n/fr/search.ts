import type { Shape } from "../shape.ts";
import type { search as zh } from "../zh/search.ts";

/** The search for files and folders of the explorer. */
export const search: Shape<typeof zh> = {
  title: "Rechercher des fichiers",
  open: "Rechercher",
  label: "Nom à rechercher",
  placeholder: "Nom d’un fichier ou d’un dossier",
  go: "Rechercher",
  short: "Saisissez au moins {{minQuery}} caractères.",
  scope: "Où",
  scopes: { global: "Tous les fichiers", mount: "Ce montage", directory: "Ce dossier" },
  idle: "Saisissez une partie du nom.",
  here: "Dans ce dossier",
  elsewhere: "Partout ailleurs",
  recent: "Recherches récentes",
  clear: "Effacer",
  results: "Résultats",
  found: { one: "{{count}} résultat", many: "{{count}} résultats", other: "{{count}} résultats" },
  foundMore: {
    one: "Plus de {{count}} résultat",
    many: "Plus de {{count}} résultats",
    other: "Plus de {{count}} résultats",
  },
  noneTitle: "Aucun résultat",
  noneText: "Essayez un autre mot, ou une partie du nom.",
  noneHere: "Essayez un autre mot, ou cherchez dans tous les fichiers.",
  failed: "La recherche a échoué.",
  more: "Afficher plus",
  moreFailed: "Les résultats suivants n’ont pas pu être chargés.",
  copyPath: "Copier le chemin",
};
