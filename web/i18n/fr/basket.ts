import type { Shape } from "../shape.ts";
import type { basket as zh } from "../zh/basket.ts";

/** The file basket of the explorer. */
export const basket: Shape<typeof zh> = {
  title: "Panier",
  open: "Panier ({{count}})",
  there: "C’est déjà dans le panier.",
  full: "Le panier contient {{most}} éléments au maximum ; non ajoutés : {{count}}.",
  emptyTitle: "Le panier est vide",
  emptyText:
    "Sélectionnez des fichiers dans n’importe quels dossiers, ajoutez-les au panier et téléchargez-les en une seule archive.",
  summary: "Fichiers : {{files}}, {{size}}",
  summaryFolders: "Fichiers : {{files}}, dossiers : {{folders}}, {{size}}",
  expandAll: "Tout déplier",
  collapseAll: "Tout replier",
  items: { one: "{{count}} élément", many: "{{count}} éléments", other: "{{count}} éléments" },
  remove: "Retirer « {{name}} »",
  clear: "Vider",
  clearTitle: "Vider le panier ?",
  clearText: "Les fichiers eux-mêmes restent inchangés.",
  pack: "Télécharger en ZIP",
  large: "Plus de {{basketLarge}} au total : la compression prendra un moment.",
  huge: "Plus de {{basketHuge}} au total. La compression et le téléchargement prendront beaucoup de temps et d’espace disque.",
  hugeTitle: "Compresser {{size}} ?",
  hugeConfirm: "Compresser quand même",
  byBrowser: "Compression dans ce navigateur. Suivez sa progression dans les tâches.",
  byServer: "Compression par le serveur pendant le téléchargement.",
  started: "La compression a commencé. Suivez sa progression dans les tâches.",
  startedThere: "Le téléchargement a commencé. Votre navigateur affiche sa progression.",
  report: "Ces fichiers n’ont pas pu être compressés :",
  unreadable: "Le fichier n’a pas pu être lu ({{status}}).",
};
