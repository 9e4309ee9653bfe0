import type { Shape } from "../shape.ts";
import type { trash as zh } from "../zh/trash.ts";

/** What was deleted in the explorer and can still come back. */
export const trash: Shape<typeof zh> = {
  title: "Corbeille",
  loading: "Chargement…",
  emptyTitle: "La corbeille est vide",
  emptyText:
    "Les fichiers et dossiers supprimés restent ici quelque temps. Vous pouvez les restaurer à leur emplacement d’origine.",
  room: "Les éléments de la corbeille occupent toujours de l’espace dans leur stockage. Leur suppression définitive le libère.",
  from: "De {{folder}}",
  left: { one: "encore {{count}} jour", many: "encore {{count}} jours", other: "encore {{count}} jours" },
  leftToday: "encore moins d’un jour",
  by: "supprimé par {{name}}",
  restore: "Restaurer",
  restoreOne: "Restaurer « {{name}} »",
  restored: "Restauré dans {{path}}",
  remove: "Supprimer définitivement",
  removeOne: "Supprimer définitivement « {{name}} »",
  removeTitle: "Supprimer définitivement « {{name}} » ?",
  removeText: "C’est irréversible. L’espace occupé est libéré.",
  empty: "Vider la corbeille",
  emptyQuestion: "Vider la corbeille ?",
  emptyAll: "Tout ce que chacun a mis à la corbeille sera supprimé définitivement. C’est irréversible.",
  emptyOwn: "Tout ce que vous avez mis à la corbeille sera supprimé définitivement. C’est irréversible.",
  more: "Afficher plus",
};
