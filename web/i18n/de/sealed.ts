import type { Shape } from "../shape.ts";
import type { sealed as zh } from "../zh/sealed.ts";

/** The page of a sealed share: what opens it, what hinders that, and what it says when it is open. */
export const sealed: Shape<typeof zh> = {
  title: "Versiegelte Freigabe",
  opening: "{{come}} von {{whole}} geöffnet…",
  copyText: "Text kopieren",
  tooLarge:
    "So große Dateien kann dieser Browser nicht auf einer Seite öffnen. Öffne sie mit den zwei Zeilen unten oder nimm einen anderen Browser.",
  noViewer: "Sie ist geöffnet, aber für diese Art Datei gibt es hier keine Vorschau. Lade sie herunter.",
  office: "Versiegelt: Ein Online-Betrachter kann sie nicht abrufen. Lade sie herunter, um sie zu öffnen.",
  mark: {
    link: "Versiegelt: Nur wer den Link hat, kann sie lesen. Der Server kann es nicht.",
    password: "Versiegelt: Nur wer das Passwort kennt, kann sie lesen. Der Server kann es nicht.",
  },
  key: {
    title: "Der Schlüssel fehlt",
    wrongTitle: "Der Schlüssel passt nicht",
    label: "Link oder Schlüssel",
    text: "Füge den ganzen Link ein, den du bekommen hast, mit allem hinter dem #, oder nur den Schlüssel.",
  },
  password: {
    text: "Sie wurde mit einem Passwort versiegelt. Versuche es so oft du willst: Es kostet keinen weiteren Aufruf.",
  },
  noCrypto: {
    title: "Diese Seite kann sie nicht öffnen",
    text: "Browser öffnen versiegelte Freigaben nur über https. Öffne den Link mit https oder nutze die zwei Zeilen unten.",
  },
  tools: {
    title: "Ohne diese Seite öffnen",
    text: "Mit curl und age (age-encryption.org) in einem Terminal:",
    copy: "Zeile kopieren",
    spends: "Sind die Aufrufe begrenzt, kostet die erste Zeile einen.",
  },
  inTree: {
    title: "Diese Datei ist versiegelt",
    text: "Gib den Schlüssel ein, für den sie versiegelt wurde, oder ihr Passwort. Sie wird in diesem Browser geöffnet; zehn Minuten lang öffnet er auch andere.",
    label: "Schlüssel oder Passwort",
    open: "Im Speicher versiegelt, in diesem Browser geöffnet.",
    download: "{{name}} herunterladen",
    forget: "Schlüssel vergessen",
    passkeyWrong:
      "Der Schlüssel dieses Passkeys öffnet diese Datei nicht. Gib den Schlüssel ein, für den sie versiegelt wurde.",
    otherRecipient:
      "„{{name}}“ führt hierher und versiegelt für einen anderen Schlüssel: {{letters}}. Wenn du ihn nicht gewählt hast, lösche den Link und erstelle einen neuen.",
  },
  failure: {
    wrongKey: "Dieser Schlüssel öffnet sie nicht. Prüfe, ob der Link vollständig kopiert wurde.",
    damaged: "Sie ist beschädigt: Es ist nicht das, was versiegelt wurde. Bitte darum, sie noch einmal zu senden.",
    truncated: "Ihr Ende fehlt. Bitte darum, sie noch einmal zu senden.",
    notAge: "Sie hat nicht das Format versiegelter Dateien (age). Bitte darum, sie noch einmal zu senden.",
    tooManyStanzas: "Sie nennt mehr Schlüssel, als eine Freigabe braucht, und wurde deshalb nicht geöffnet.",
    tooMuchWork: "Ihr Passwort zu prüfen wäre für einen Browser zu viel Arbeit. Nutze die zwei Zeilen unten.",
    unreachable: "Sie ist nicht angekommen. Prüfe die Verbindung und versuche es noch einmal.",
  },
};
