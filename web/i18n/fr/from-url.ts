import type { Shape } from "../shape.ts";
import type { fromUrl as zh } from "../zh/from-url.ts";

/** The tab of the upload page for files on the web. */
export const fromUrl: Shape<typeof zh> = {
  tabs: { label: "D’où vient le fichier", file: "De cet appareil", url: "D’une URL" },
  address: "Adresse du fichier",
  placeholder: "https://example.com/file.zip",
  hint: "Un lien direct vers un fichier. Ce navigateur le télécharge et le téléverse dans le stockage.",
  analyze: "Analyser",
  analyzing: "Analyse",
  invalid:
    "Saisissez une adresse complète qui commence par http:// ou https:// et ne contient ni nom d’utilisateur ni mot de passe.",
  lost: "Le serveur est injoignable. Vérifiez la connexion, puis réessayez.",
  clear: "Effacer l’adresse",
  unknownSize: "taille inconnue",
  through: "son site ne permet pas à d’autres pages de le lire, le serveur s’en charge donc",
  tooLarge: "Le fichier fait {{size}} et dépasse la limite de {{limit}} par fichier.",
  name: "Nom du fichier",
  nameHint: "Le nom que portera le partage.",
  nameInvalid:
    "Un nom de fichier a de 1 à {{maxFilename}} caractères, sans barre oblique ni barre inverse ni caractère de contrôle.",
  method: "Mode de téléversement",
  presigned: "En une fois",
  multipart: "Par parties",
  presignedHint: "Télécharge d’abord tout le fichier, puis le téléverse. Idéal pour les petits fichiers.",
  multipartHint:
    "Téléverse pendant le téléchargement, en ne gardant que ce qui est en transit. Idéal pour les gros fichiers.",
  multipartWhole:
    "La source n’indique pas sa taille : tout le fichier est d’abord téléchargé, puis téléversé en plusieurs parties.",
  upload: "Téléverser",
  first: "Analysez d’abord une adresse",
  again: "Réessayer",
  cancel: "Annuler",
  another: "Téléverser un autre",
  edit: "Modifier et réessayer",
  progress: "Progression de {{name}}",
  down: "{{received}} téléchargés",
  downOf: "{{received}} téléchargés sur {{size}}",
  upOf: "{{sent}} téléversés sur {{size}}",
  stopTitle: "Arrêter le téléversement de « {{name}} » ?",
  link: "Lien du partage",
  stage: {
    starting: "Démarrage",
    downloading: "Téléchargement depuis la source",
    proxyDownloading: "Téléchargement via le serveur",
    preparing: "Préparation du fichier",
    initializing: "Début du téléversement",
    uploading: "Téléversement vers le stockage",
    finalizing: "Finalisation",
    completed: "Téléversé",
    cancelled: "Annulé ; ce qui était arrivé est supprimé.",
    failed: "Non téléversé",
  },
  waiting: "En attente de la connexion",
  problem: {
    network: "Le téléchargement a été interrompu : la source ou la connexion a été perdue. Réessayez.",
    timeout: "Plus rien n’arrivait depuis longtemps, le téléchargement a donc été arrêté. Réessayez.",
    sourceChanged:
      "Le fichier n’a plus la longueur constatée lors de l’analyse : il a changé, ou s’est terminé trop tôt. Analysez-le de nouveau.",
  },
};
