import type { Shape } from "../shape.ts";
import type { shell as zh } from "../zh/shell.ts";

/** Words of the frame around every page, and of the components that all pages use. */
export const shell: Shape<typeof zh> = {
  brand: "{{site}}",
  skip: "Aller au contenu",
  nav: {
    label: "Principal",
    home: "Accueil",
    upload: "Téléverser",
    explorer: "Explorateur",
    admin: "Admin",
    source: "Code source",
    open: "Ouvrir le menu",
    close: "Fermer le menu",
  },
  language: "Langue",
  theme: { auto: "Thème : selon le système", light: "Thème : clair", dark: "Thème : sombre" },
  footer: "© {{year}} {{site}}",
  titles: {
    home: "{{site}} · Presse-papiers en ligne",
    paste: "Texte partagé · {{site}}",
    file: "Fichier partagé · {{site}}",
    link: "Fichiers partagés · {{site}}",
    admin: "Admin · {{site}}",
    upload: "Téléverser des fichiers · {{site}}",
    explorer: "Explorateur · {{site}}",
  },
  lazy: {
    title: "Cette page ne s’est pas chargée",
    text: "Cette page est momentanément indisponible. Vérifiez votre connexion.",
    retry: "Réessayer",
    back: "Retour",
    loading: "Chargement…",
  },
  broken: {
    title: "Un problème est survenu sur cette page",
    text: "Veuillez recharger la page.",
    reload: "Recharger",
  },
  signedIn: {
    text: "Vous êtes connecté et pouvez partager dès maintenant. Pensez à définir votre propre mot de passe.",
    account: "Définir un mot de passe",
    dismiss: "Compris",
  },
  signedOut: {
    expired: "Votre session d’administration a expiré, veuillez vous reconnecter.",
    keyInvalid: "Clé API non valide ou expirée, veuillez vous reconnecter.",
    unauthorized: "Vous n’êtes pas autorisé, veuillez vous reconnecter.",
  },
  wait: {
    seconds: "Trop de tentatives, réessayez dans {{seconds}} s.",
    minutes: "Trop de tentatives, réessayez dans {{minutes}} min.",
  },
  rawName: "Ce nom n’est pas de l’UTF-8 valide.",
  actions: {
    showMore: "Afficher plus",
    copied: "Copié",
    copyFailed: "Copie impossible ; sélectionnez le texte à la main",
    close: "Fermer",
    cancel: "Annuler",
    showPassword: "Afficher le mot de passe",
    hidePassword: "Masquer le mot de passe",
    downloadQr: "Télécharger le PNG",
    qrLabel: "Code QR du lien",
    retry: "Réessayer",
  },
  failure: {
    network: "Le serveur est injoignable. Vérifiez votre connexion et réessayez.",
    queued:
      "Le serveur est injoignable. La modification est conservée sur cet appareil et sera envoyée dès que possible.",
    timeout: "Le serveur a mis trop de temps à répondre. Veuillez réessayer.",
    aborted: "La requête a été annulée.",
    unknown: "La réponse du serveur n’a pas pu être interprétée. Veuillez réessayer.",
  },
};
