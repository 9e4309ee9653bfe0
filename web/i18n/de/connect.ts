import type { Shape } from "../shape.ts";
import type { connect as zh } from "../zh/connect.ts";

/** How programs use a key or a link. */
export const connect: Shape<typeof zh> = {
  how: "Verwenden mit",
  program: {
    screenshot: "Screenshot-Skript",
    shortcut: "iOS-Kurzbefehl",
    windows: "Windows-Laufwerk",
  },
  does: {
    install: "Installieren",
    shareText: "Text teilen",
    shareFile: "Datei teilen",
    sharePicture: "Bild teilen",
    collect: "Dateien sammeln",
    list: "Inhalt auflisten",
    upload: "Datei hochladen",
    send: "Datei senden",
    check: "Schlüssel prüfen",
    drive: "Als Laufwerk einbinden",
    sync: "Kopieren und abgleichen",
    backup: "Sichern",
    browse: "Dateien durchsuchen",
    assist: "Zu einem Assistenten hinzufügen",
  },
  hint: {
    satchel:
      "Ein kleines Programm für jede POSIX-Shell. Es bewahrt den Schlüssel in einer Datei auf, die nur du lesen kannst.",
    powershell: "Mit curl.exe, das zu Windows gehört.",
    sharex: "Öffne die Datei auf einem PC mit ShareX, das sie als Ziel hinzufügt.",
    picgo:
      "Braucht das PicGo-Plugin web-uploader. Das ist eine ganze config.json; du kannst die Werte von web-uploader auch im Fenster von PicGo eingeben.",
    screenshot:
      "Ein Skript, das mit Flameshot, Spectacle oder macOS einen Screenshot macht und sendet. Mach es ausführbar (chmod u=rwx,go=) und gib ihm ein Tastenkürzel.",
    shortcut:
      "iPhones und iPads importieren nur Kurzbefehle, die Apples eigenes Werkzeug signiert hat. Diesen legst du deshalb einmal von Hand an.",
    vscode:
      "Speichere es als .vscode/mcp.json in einem Projekt oder ergänze deine eigene mcp.json (MCP: Open User Configuration).",
    cursor: "Speichere es als mcp.json in ~/.cursor für alle Projekte oder im Ordner .cursor eines Projekts.",
  },
  fact: {
    address: "Adresse",
    user: "Benutzername",
    password: "Passwort",
    copy: "Kopieren: {{name}}",
  },
  shortcut: {
    make: "Lege in der App „Kurzbefehle“ einen Kurzbefehl an. Schalte in seinen Details „Im Share-Sheet anzeigen“ ein und lass ihn Bilder und Dateien empfangen.",
    request:
      "Füge die Aktion „Inhalte von URL abrufen“ mit der URL {{address}} hinzu, zeige mehr an und wähle die Methode POST.",
    header: "Füge unter „Header“ {{header}} mit dem Schlüssel als Text hinzu.",
    body: "Wähle als Haupttext der Anfrage „Formular“ und füge ein Feld vom Typ „Datei“ hinzu: Schlüssel {{field}}, Wert „Kurzbefehleingabe“.",
    copy: "Füge die Aktion „In die Zwischenablage kopieren“ hinzu. Teile aus einer beliebigen App eine Datei mit diesem Kurzbefehl, und ihr Link wird kopiert.",
    show: "Füge die Aktion „Inhalt anzeigen“ hinzu. Teile aus einer beliebigen App eine Datei mit diesem Kurzbefehl, und sie wird hierher gesendet.",
    copyAddress: "Adresse kopieren",
    copyKey: "Schlüssel kopieren",
    qr: "QR-Code der Adresse",
    noSecret:
      "Der QR-Code enthält nur die Adresse, nie den Schlüssel. Bring den Schlüssel auf sicherem Weg auf das Telefon.",
    scan: "Scanne den QR-Code, um die Adresse auf dem Telefon zu haben.",
  },
  key: {
    label: "Schlüssel",
    safe: "Wer diesen Schlüssel hat, hat seine Berechtigungen: Bewahre ihn sicher auf.",
    title: "„{{name}}“ verwenden",
    copy: "Schlüssel kopieren",
    anyUser: "Beliebig, zum Beispiel key",
    theKey: "Der Schlüssel oben",
    inFile: "Die Datei enthält den Schlüssel: Behandle sie wie ihn.",
    finder: "„Gehe zu“ › „Mit Server verbinden“, mit dieser Adresse",
    tooShort:
      "Dieser Schlüssel hat weniger als {{minSecret}} Zeichen und kann deshalb keine S3-Anfragen signieren. Erstelle einen längeren.",
    done: "Fertig",
  },
  save: "{{file}} speichern",
  copy: "Kopieren: {{does}} ({{name}})",
};
