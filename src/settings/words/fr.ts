import type { Translation } from "#contract/languages";
import type { en } from "./en.ts";

export const fr: Translation<typeof en> = {
  settings: {
    max_upload_size: "Taille maximale d’un fichier téléversé, en mégaoctets",
    proxy_sign_all: "Les URL publiques des fichiers de tous les montages doivent être signées",
    proxy_sign_expires: "Durée de validité d’une URL publique signée, en secondes ; 0 signifie pour toujours",
    trash_days: "Combien de jours ce qui est supprimé reste dans la corbeille ; 0 signifie une suppression immédiate",
    file_naming_strategy:
      "Ce qui se passe quand un fichier du même nom existe à la destination d’une copie : l’écraser, ou ajouter un suffixe à la copie",
    default_use_proxy: "Les nouveaux partages de fichiers sont diffusés via ce serveur",
    max_visitor_texts:
      "Combien de mégaoctets de textes tous les visiteurs ensemble peuvent stocker ; 0 signifie sans limite",
    max_key_texts: "Combien de mégaoctets de textes chaque clé API peut stocker ; 0 signifie sans limite",
    max_total_texts:
      "Combien de mégaoctets de textes tous les utilisateurs ensemble peuvent stocker ; 0 signifie sans limite",
    activity_log:
      "Les ouvertures, téléchargements et téléversements des partages et des liens sont consignés pour leurs propriétaires",
    activity_days: "Combien de jours le journal d’activité garde ses entrées",
    preview_text_types: "Extensions des fichiers affichés comme texte",
    preview_audio_types: "Extensions des fichiers lus comme audio",
    preview_video_types: "Extensions des fichiers lus comme vidéo",
    preview_image_types: "Extensions des fichiers affichés comme images",
    preview_office_types: "Extensions des fichiers affichés par les visionneuses Office",
    preview_document_types: "Extensions des fichiers affichés comme documents",
    webdav_upload_mode: "Comment WebDAV écrit dans les stockages : en une fois, ou en plusieurs parties",
    backup_enabled: "Les sauvegardes sont planifiées",
    backup_target: "Où vont les sauvegardes : un dossier du serveur, ou s3://bucket/prefix",
    backup_interval: "Combien d’heures séparent deux sauvegardes",
    backup_hour: "L’heure du jour, en UTC, à partir de laquelle ces heures sont comptées",
    backup_keep: "Combien de sauvegardes sont gardées",
    backup_objects: "Les sauvegardes contiennent les fichiers du stockage intégré",
    backup_s3: "Les sauvegardes contiennent les fichiers des stockages S3",
    site_name: "Le nom de ce site ; vide signifie Satchel",
    site_accent:
      "La couleur d’accent, #rrggbb, ajustée pour être lisible dans les deux thèmes ; vide signifie celle par défaut",
    site_logo: "Le logo de ce site",
    share_expiry_default: "Combien d’heures dure un partage sans expiration ; 0 signifie toujours",
    share_expiry_longest: "Combien d’heures un nouveau partage peut durer au plus ; 0 signifie sans limite",
    visitor_expiry_longest: "La même chose pour les visiteurs ; 0 signifie aucune limite supplémentaire",
    visitor_max_file:
      "Le plus gros fichier qu’un visiteur peut envoyer, en mégaoctets ; 0 signifie aucune limite supplémentaire",
    visitor_max_shares: "Combien de partages tous les visiteurs peuvent avoir à la fois ; 0 signifie sans limite",
    visitor_max_files: "Combien de mégaoctets de fichiers tous les visiteurs peuvent garder ; 0 signifie sans limite",
    db_initialized: "La base de données est initialisée",
    schema_version: "Version du schéma de la base de données",
  },
  groups: {
    global: "Général",
    preview: "Aperçu",
    webdav: "WebDAV",
    backup: "Sauvegarde",
    site: "Site",
    sharing: "Partage",
    system: "Système",
  },
};
