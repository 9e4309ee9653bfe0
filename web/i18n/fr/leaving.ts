import type { Shape } from "../shape.ts";
import type { leaving as zh } from "../zh/leaving.ts";

/** The way out, and the question before a sign-out that would lose something. */
export const leaving: Shape<typeof zh> = {
  elsewhere: "Autres apps",
  logOut: "Déconnexion",
  as: "Connecté avec la clé « {{name}} »",
  uploads: {
    title: "Arrêter les téléversements et se déconnecter ?",
    text: "Des fichiers sont encore en route. La déconnexion les arrête, et ce qui en est arrivé est supprimé.",
    confirm: "Arrêter et se déconnecter",
    stay: "Continuer le téléversement",
  },
  changes: {
    title: "Abandonner les modifications en attente et se déconnecter ?",
    text: "Des modifications faites hors ligne n’ont pas encore été envoyées. La déconnexion les supprime de cet appareil.",
    confirm: "Supprimer et se déconnecter",
    stay: "Rester connecté",
  },
  draft: {
    title: "Supprimer le brouillon et se déconnecter ?",
    text: "Le texte de la page d’accueil n’a pas encore été partagé. La déconnexion le supprime de ce navigateur.",
    confirm: "Supprimer et se déconnecter",
    stay: "Rester connecté",
  },
};
