import type { Shape } from "../shape.ts";
import type { sealed as zh } from "../zh/sealed.ts";

/** The page of a sealed share: what opens it, what hinders that, and what it says when it is open. */
export const sealed: Shape<typeof zh> = {
  title: "Partage scellé",
  opening: "{{come}} sur {{whole}} ouverts…",
  copyText: "Copier le texte",
  tooLarge:
    "Ce navigateur ne peut pas ouvrir un fichier aussi volumineux dans une page. Ouvrez-le avec les deux lignes ci-dessous ou essayez un autre navigateur.",
  noViewer: "Il est ouvert, mais ce type de fichier ne peut pas être affiché ici. Téléchargez-le pour l’utiliser.",
  office: "Scellé : une visionneuse en ligne ne peut pas y accéder. Téléchargez-le pour l’ouvrir.",
  mark: {
    link: "Scellé : seules les personnes qui ont le lien peuvent le lire. Le serveur ne le peut pas.",
    password:
      "Scellé : seules les personnes qui connaissent le mot de passe peuvent le lire. Le serveur ne le peut pas.",
  },
  key: {
    title: "La clé manque",
    wrongTitle: "La clé ne convient pas",
    label: "Lien ou clé",
    text: "Collez le lien complet que vous avez reçu, avec tout ce qui suit le #, ou la clé seule.",
  },
  password: {
    text: "Il est scellé par un mot de passe. Essayez autant de fois que vous voulez : aucune autre vue n’est utilisée.",
  },
  noCrypto: {
    title: "Cette page ne peut pas l’ouvrir",
    text: "Les navigateurs n’ouvrent les partages scellés qu’en https. Ouvrez ce lien en https ou utilisez les deux lignes ci-dessous.",
  },
  tools: {
    title: "Ouvrir sans cette page",
    text: "Avec curl et age (age-encryption.org), dans un terminal :",
    copy: "Copier la ligne",
    spends: "Si les vues sont limitées, la première ligne en utilise une.",
  },
  inTree: {
    title: "Ce fichier est scellé",
    text: "Donnez la clé pour laquelle il a été scellé, ou son mot de passe. Il s’ouvre dans ce navigateur, et les autres fichiers scellés aussi pendant dix minutes.",
    label: "Clé ou mot de passe",
    open: "Scellé dans le stockage, ouvert dans ce navigateur.",
    download: "Télécharger {{name}}",
    forget: "Oublier la clé",
    passkeyWrong: "La clé de cette clé d’accès n’ouvre pas ce fichier. Saisissez la clé pour laquelle il a été scellé.",
    otherRecipient:
      "« {{name}} » mène ici et scelle pour une autre clé : {{letters}}. Si vous ne l’avez pas choisie, supprimez le lien et créez-en un autre.",
  },
  failure: {
    wrongKey: "Cette clé ne l’ouvre pas. Vérifiez que le lien a été copié en entier.",
    damaged: "Il est endommagé : ce n’est pas ce qui a été scellé. Demandez qu’on vous le renvoie.",
    truncated: "La fin manque. Demandez qu’on vous le renvoie.",
    notAge: "Il n’est pas au format des fichiers scellés (age). Demandez qu’on vous le renvoie.",
    tooManyStanzas: "Il mentionne plus de clés qu’il n’en faut à un partage ; il n’a donc pas été ouvert.",
    tooMuchWork:
      "Vérifier son mot de passe demanderait trop de travail à un navigateur. Utilisez les deux lignes ci-dessous.",
    unreachable: "Il n’est pas arrivé. Vérifiez votre connexion, puis réessayez.",
  },
};
