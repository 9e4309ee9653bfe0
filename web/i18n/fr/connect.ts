import type { Shape } from "../shape.ts";
import type { connect as zh } from "../zh/connect.ts";

/** How programs use a key or a link. */
export const connect: Shape<typeof zh> = {
  how: "Utiliser avec",
  program: {
    screenshot: "Script de capture",
    shortcut: "Raccourci iOS",
    windows: "Lecteur Windows",
  },
  does: {
    install: "Installer",
    shareText: "Partager un texte",
    shareFile: "Partager un fichier",
    sharePicture: "Partager une image",
    collect: "Collecter des fichiers",
    list: "Lister le contenu",
    upload: "Envoyer un fichier",
    send: "Envoyer un fichier",
    check: "Vérifier la clé",
    drive: "Monter comme lecteur",
    sync: "Copier et synchroniser",
    backup: "Sauvegarder",
    browse: "Parcourir les fichiers",
    assist: "Ajouter à un assistant",
  },
  hint: {
    satchel: "Un petit programme pour tout shell POSIX. Il garde la clé dans un fichier que vous seul pouvez lire.",
    powershell: "Avec curl.exe, inclus dans Windows.",
    sharex: "Ouvrez le fichier sur un PC avec ShareX, qui l’ajoute comme destination.",
    picgo:
      "Nécessite le plugin web-uploader de PicGo. Voici un config.json complet ; vous pouvez aussi saisir les valeurs de web-uploader dans la fenêtre de PicGo.",
    screenshot:
      "Un script qui fait une capture avec Flameshot, Spectacle ou macOS et l’envoie. Rendez-le exécutable (chmod u=rwx,go=) et donnez-lui un raccourci clavier.",
    shortcut:
      "Les iPhone et iPad n’importent que les raccourcis signés par l’outil d’Apple : vous créez donc celui-ci à la main, une seule fois.",
    vscode:
      "Enregistrez-le sous .vscode/mcp.json dans un projet, ou ajoutez-le à votre propre mcp.json (MCP: Open User Configuration).",
    cursor:
      "Enregistrez-le sous mcp.json dans ~/.cursor pour tous les projets, ou dans le dossier .cursor d’un projet.",
  },
  fact: {
    address: "Adresse",
    user: "Nom d’utilisateur",
    password: "Mot de passe",
    copy: "Copier : {{name}}",
  },
  shortcut: {
    make: "Dans l’app Raccourcis, créez un raccourci. Dans ses détails, activez « Afficher dans la feuille de partage » et faites-lui recevoir des images et des fichiers.",
    request:
      "Ajoutez l’action « Obtenir le contenu de l’URL » avec l’URL {{address}}, affichez les options et choisissez la méthode POST.",
    header: "Dans En-têtes, ajoutez {{header}} avec la clé comme texte.",
    body: "Choisissez Formulaire comme corps de la requête et ajoutez un champ de type Fichier : clé {{field}}, valeur « Entrée du raccourci ».",
    copy: "Ajoutez l’action « Copier dans le presse-papiers ». Partagez un fichier depuis n’importe quelle app avec ce raccourci : son lien est copié.",
    show: "Ajoutez l’action « Afficher le contenu ». Partagez un fichier depuis n’importe quelle app avec ce raccourci : il est envoyé ici.",
    copyAddress: "Copier l’adresse",
    copyKey: "Copier la clé",
    qr: "Code QR de l’adresse",
    noSecret: "Le code QR ne contient que l’adresse, jamais la clé. Transférez la clé sur le téléphone de façon sûre.",
    scan: "Scannez le code QR pour avoir l’adresse sur le téléphone.",
  },
  key: {
    label: "Clé",
    safe: "Quiconque possède cette clé en a les autorisations, gardez-la donc en lieu sûr.",
    title: "Utiliser « {{name}} »",
    copy: "Copier la clé",
    anyUser: "Au choix, par exemple key",
    theKey: "La clé ci-dessus",
    inFile: "Le fichier contient la clé : traitez-le comme elle.",
    finder: "Aller › Se connecter au serveur, avec cette adresse",
    tooShort:
      "Cette clé a moins de {{minSecret}} caractères et ne peut donc pas signer de requêtes S3. Créez-en une plus longue.",
    done: "Terminé",
  },
  save: "Enregistrer {{file}}",
  copy: "Copier : {{does}} ({{name}})",
};
