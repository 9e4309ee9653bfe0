import type { Shape } from "../shape.ts";
import type { importing as zh } from "../zh/import.ts";

/** The import of backups of other programs. */
export const importing: Shape<typeof zh> = {
  title: "Importation",
  source: "Sauvegarde CloudPaste",
  sourceText:
    "Faites une sauvegarde complète dans l’administration de CloudPaste. Son fichier JSON contient tous les mots de passe et toutes les clés : gardez-le secret, puis supprimez-le.",
  pingvin:
    "Vous venez de Pingvin Share ? Lancez satchel import sur le serveur avec son dossier de données : liens, mots de passe et fichiers suivent.",
  choose: "Choisir une sauvegarde",
  chooseOther: "Choisir un autre fichier",
  none: "Vous verrez d’abord un rapport. Il ne change rien.",
  tooLarge:
    "Jusqu’à {{size}} peuvent être importés ici. Pour une sauvegarde plus volumineuse, lancez satchel import sur le serveur.",
  private: {
    legend: "Textes qui n’étaient pas publics",
    protect: "Verrouiller",
    skip: "Omettre",
    protectText:
      "Ils reçoivent un mot de passe que personne ne connaît, jusqu’à ce que vous en définissiez un nouveau.",
    skipText: "Ils ne sont pas importés, et sont indiqués dans le rapport.",
  },
  reading: "Vérification de la sauvegarde",
  readingText: "Le serveur lit le fichier. Rien n’est modifié.",
  cancel: "Annuler",
  planTitle: "Ce qui serait importé",
  doneTitle: "Ce qui a été importé",
  made: "Sauvegarde du {{when}}.",
  schema: "Schéma {{schema}}.",
  unchecked: "La sauvegarde n’a pas de somme de contrôle, son intégrité ne peut donc pas être vérifiée.",
  columns: {
    kind: "Type",
    rows: "Sauvegarde",
    adds: "À ajouter",
    added: "Ajoutés",
    present: "Déjà ici",
    left: "Omis",
  },
  left: "{{rows}} omis : {{text}}",
  changed: "{{rows}} avec changement : {{text}}",
  comma: ", ",
  more: ", …",
  tables: "Tables omises",
  table: "{{table}} ({{rows}}) : {{text}}",
  ready: "L’importation ne fait qu’ajouter. Ce qui est déjà ici reste tel quel.",
  nothing: "Il n’y a rien à ajouter.",
  run: "Importer",
  running: "Importation…",
  progress: "Importation, {{kind}} : {{done}} sur {{all}}",
  stop: "Arrêter",
  stopped: "Arrêté. Ce qui a été importé reste ; une autre importation le complète, sans doublons.",
  repeat: "Ce qui a été importé reste ; une autre importation le complète, sans doublons.",
  done: "Importé. Les fichiers restent dans leurs stockages : testez chaque stockage, puis supprimez la sauvegarde.",
};
