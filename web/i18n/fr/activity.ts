import type { Shape } from "../shape.ts";
import type { activity as zh } from "../zh/activity.ts";

/** The log of who has used a text, a file or a link. */
export const activity: Shape<typeof zh> = {
  title: "Activité",
  off: "Le journal est désactivé, rien de nouveau n’est donc enregistré. L’administrateur peut l’activer sous Paramètres, Général.",
  empty: "Personne ne l’a encore ouvert.",
  month: "Sur 30 jours",
  lately: "Sur 30 jours : {{counts}}",
  nothing: "aucune activité",
  day: "Jour (UTC)",
  csv: "Télécharger en CSV",
  more: "Afficher les entrées précédentes",
  times: { one: "{{count}} fois", many: "{{count}} fois", other: "{{count}} fois" },
  unknownProgram: "programme inconnu",
  manyNetworks: "plusieurs réseaux",
  privacy:
    "Les entrées sont conservées {{days}} jours. Elles indiquent le réseau (/24 en IPv4, /48 en IPv6) et le type de programme, jamais une adresse IP complète.",
  events: {
    opened: "Ouvert",
    downloaded: "Téléchargé",
    uploaded: "Téléversé",
    refused: "Refusé",
  },
  counts: {
    opened: { one: "{{count}} ouverture", many: "{{count}} ouvertures", other: "{{count}} ouvertures" },
    downloaded: {
      one: "{{count}} téléchargement",
      many: "{{count}} téléchargements",
      other: "{{count}} téléchargements",
    },
    uploaded: { one: "{{count}} téléversement", many: "{{count}} téléversements", other: "{{count}} téléversements" },
    refused: { one: "{{count}} refus", many: "{{count}} refus", other: "{{count}} refus" },
  },
  outcomes: {
    broken: "interrompu",
    password: "mot de passe incorrect",
    network: "réseau non autorisé",
    gone: "expiré ou épuisé",
  },
};
