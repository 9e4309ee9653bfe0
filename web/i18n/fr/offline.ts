import type { Shape } from "../shape.ts";
import type { offline as zh } from "../zh/offline.ts";

/** The app without a connection: notices, changes that wait, a newer version, and its installation. */
export const offline: Shape<typeof zh> = {
  title: "Hors ligne et état de l’application",
  onlineText: "Connecté. Les modifications en attente sont envoyées automatiquement.",
  offlineText:
    "Pas de connexion. Vous pouvez voir ce qui a déjà été ouvert ; les modifications sont conservées sur cet appareil et envoyées une fois de retour en ligne.",
  unreachedText:
    "Le serveur est injoignable. Vous voyez peut-être ce qui a été ouvert auparavant ; les modifications sont conservées sur cet appareil et envoyées dès qu’il répond.",
  lost: "Vous êtes hors ligne. Ce que vous avez déjà ouvert fonctionne toujours.",
  restored: "Vous êtes de nouveau en ligne.",
  sent: {
    one: "La modification faite hors ligne a été envoyée.",
    many: "Les {{count}} modifications faites hors ligne ont été envoyées.",
    other: "Les {{count}} modifications faites hors ligne ont été envoyées.",
  },
  sharedAt: "Votre texte est partagé : {{link}}",
  sharedSeveral: {
    one: "{{count}} texte est partagé.",
    many: "{{count}} de textes sont partagés.",
    other: "{{count}} textes sont partagés.",
  },
  showLinks: "Voir les liens",
  failed: "La synchronisation a échoué, veuillez réessayer plus tard.",
  damaged:
    "Les données hors ligne étaient endommagées et ont dû être supprimées. Les modifications en attente sont peut-être perdues.",
  closed: "Un autre onglet a ouvert une version plus récente de l’application. Veuillez recharger cette page.",
  full: "Il n’y a plus de place sur cet appareil pour la modification. Réessayez une fois connecté.",
  broken:
    "Ce qui est conservé sur cet appareil ne peut être ni lu ni modifié pour le moment. Veuillez recharger cette page.",
  notQueued: {
    full: "Il n’y a plus de place sur cet appareil pour la modification. Gardez cette page ouverte et réessayez une fois connecté, ou copiez votre texte.",
    closed:
      "La modification n’a pas été conservée : un autre onglet a ouvert une version plus récente de l’application. Copiez votre texte, puis rechargez cette page.",
    broken:
      "La modification n’a pas été conservée : ce navigateur ne peut rien stocker pour le moment. Gardez cette page ouverte et réessayez une fois connecté, ou copiez votre texte.",
  },
  unshared:
    "Ce qui a été partagé n’a pas pu être reçu : c’est trop volumineux pour cet appareil ou illisible. Veuillez l’ajouter ici vous-même.",
  unforgotten:
    "Ce qui était conservé pour vous sur cet appareil n’a pas pu être supprimé. Veuillez supprimer les données de ce site dans le navigateur.",
  sendNow: "Envoyer",
  sendAgain: "Renvoyer",
  retry: "Réessayer",
  edit: "Modifier",
  discard: "Abandonner",
  discardTitle: "Abandonner cette modification ?",
  discardText: "Pour autant que cet appareil le sache, le serveur ne l’a pas, et il n’en existe pas d’autre copie.",
  undiscarded: {
    sending: "Elle est en cours d’envoi et ne peut pas être abandonnée.",
    gone: "Elle n’est plus en attente : elle a été envoyée entre-temps, ou abandonnée dans un autre onglet.",
    changed:
      "Elle a été modifiée entre-temps dans un autre onglet et a donc été conservée. Fermez cette fenêtre pour voir la nouvelle version.",
  },
  seen: "Retirer de la liste",
  copyLink: "Copier le lien",
  text: "Contenu",
  suffix: "Suffixe personnalisé",
  later: "Plus tard",
  badge: {
    offline: "Hors ligne",
    unreached: "Serveur injoignable",
    waiting: {
      one: "{{count}} modification en attente",
      many: "{{count}} modifications en attente",
      other: "{{count}} modifications en attente",
    },
    refused: "Une modification a été refusée",
    others: {
      one: "{{count}} modification attend une connexion à un compte",
      many: "{{count}} modifications attendent une connexion à un compte",
      other: "{{count}} modifications attendent une connexion à un compte",
    },
    done: "Modifications envoyées",
  },
  change: {
    createPaste: "Partager un texte",
    updatePaste: "Modifier un texte",
    batchDeletePastes: "Supprimer des textes",
    clearExpiredPastes: "Effacer les textes expirés",
    updateGroupSettings: "Modifier des paramètres",
    clearCache: "Vider le cache",
    verifyFilePassword: "Ouvrir un fichier avec son mot de passe",
    other: "Autre modification",
  },
  state: {
    pending: "Attend la connexion",
    rejected: "Refusée par le serveur",
    behind: "Attend votre décision sur la modification refusée qui la précède",
    sent: "Envoyée",
    others: "Envoyée une fois son auteur connecté",
    foreign: "Faite par une autre version de l’application, que celle-ci ne peut pas envoyer",
  },
  update: {
    title: "Une nouvelle version est disponible",
    text: "La page se recharge avec la mise à jour.",
    now: "Mettre à jour",
    check: "Vérifier les mises à jour",
  },
  install: {
    title: "Installer {{site}}",
    text: "Ouvrez-le comme une application, utilisez-le hors ligne et partagez-y depuis votre téléphone.",
    now: "Installer",
    none: "Non proposée par ce navigateur",
    installable: "Installation possible",
    installed: "Installée",
  },
  status: {
    title: "État de l’application",
    network: "Réseau",
    online: "Connecté",
    offline: "Déconnecté",
    worker: "Prise en charge hors ligne",
    install: "Installation",
    version: "Version",
  },
  worker: {
    none: "Non disponible dans ce navigateur",
    unknown: "Inconnue",
    installing: "Installation en cours",
    waiting: "Une nouvelle version est prête",
    active: "Active",
    redundant: "Remplacée",
  },
};
