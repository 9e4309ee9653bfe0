import type { Translation } from "#contract/languages";
import type { en } from "./en.ts";

export const fr: Translation<typeof en> = {
  titles: {
    "share.opened": "Un partage a été ouvert",
    "share.spent": "Un partage est épuisé",
    "file.arrived": "Un fichier est arrivé",
    "link.closed": "Un lien de dépôt est fermé",
    "upload.failed": "Un téléversement a échoué",
    "backup.failed": "Une sauvegarde a échoué",
    "storage.full": "Un stockage est plein",
    "sign_in.new": "Connexion depuis une nouvelle adresse",
    "job.failed": "Une tâche en arrière-plan a échoué",
    test: "Un test de Satchel",
  },
  lines: {
    "share.opened": "{what} : ouvert {openings} fois",
    "share.spent": "{what} : la dernière vue a été utilisée",
    "file.arrived": "{name} est arrivé par le lien {link}",
    "link.closed": "{link} n’accepte plus de fichiers : {reason}",
    "upload.failed": "{key} n’a pas été stocké : {reason}",
    "backup.failed":
      "La sauvegarde commencée le {started_at} a échoué. Les paramètres de sauvegarde indiquent pourquoi.",
    "storage.full": "{name} est plein à {percent} %",
    "sign_in.new": "L’administrateur s’est connecté depuis {address}. Si ce n’était pas vous, changez le mot de passe.",
    "job.failed": "La tâche {job} de {owner} a échoué : {reason}",
  },
  openedOnce: "{what} : ouvert",
  text: "Texte {slug}",
  file: "Fichier {name} ({slug})",
  filesFailed: "des fichiers ont échoué",
  more: "et {more} de plus",
  tested: "Si vous lisez ceci, les envois arrivent.",
  reasons: { "link.expired": "il a expiré.", "link.right": "son propriétaire n’a plus le droit de téléverser." },
};
