import type { Translation } from "#contract/languages";
import type { en } from "./en.ts";

export const de: Translation<typeof en> = {
  reasons: {
    "row.unreadable": "nicht als Zeilen ihrer Tabelle lesbar",
    "row.repeated": "mehr als einmal in der Sicherung",
    "row.tooMany": "mehr, als Satchel von ihrer Art annimmt",
    "storage.local":
      "Ordner des anderen Rechners; einer, der hier unter demselben Pfad liegt und in FOLDERS genannt ist, wird importiert",
    "storage.kind": "Speicher, die kein S3 beherrschen",
    "storage.refused": "Speicher, deren Adresse, Bucket oder Schlüssel hier nicht verwendbar sind",
    "storage.missing": "in einem Speicher, der nicht importiert wird",
    "mount.path": "unter einem Pfad, der hier keine Einbindung sein kann",
    "mount.pathTaken": "unter einem Pfad, an dem schon eine andere Einbindung ist",
    "mount.prefix": "in einem Speicher mit Wurzelordner, von dem eine Einbindung hier alles zeigen würde",
    "mount.name": "mit einem Namen, der hier nicht zulässig ist",
    "key.expired": "abgelaufen",
    "key.disabled": "ausgeschaltet",
    "key.text": "kürzer als {minKey} Zeichen oder mit Zeichen, die Schlüssel nicht haben dürfen",
    "key.path": "mit einem Basispfad, der nirgendwohin führt",
    "key.name": "mit einem Namen, der hier nicht zulässig ist",
    "share.gone": "abgelaufen oder aufgebraucht",
    "text.empty": "ohne Text",
    "text.tooLong": "länger als {maxContent}",
    "text.private": "nicht öffentlich und wie gewünscht ausgelassen",
    "file.key": "ohne klare Angabe, wo sie liegen",
    "file.name": "mit einem Dateinamen, der hier nicht zulässig ist",
    "setting.unknown": "in Satchel nicht vorhanden",
    "setting.changed": "hier schon vorher geändert",
    "setting.value": "mit einem Wert, der hier nicht zulässig ist",
  },
  notes: {
    "slug.replaced": "bekommen einen anderen Link, weil ihrer vergeben oder hier nicht zulässig ist",
    "password.closed":
      "haben ein Passwort, dessen Text nicht in der Sicherung steht: gesperrt, bis ein neues festgelegt wird",
    "text.protected":
      "waren nicht öffentlich: mit einem Passwort gesperrt, das niemand kennt, bis ein neues festgelegt wird",
    "text.room":
      "passen nicht in die Grenze für alle Texte, an der der Import anhält: Erhöhe diese Grenze vorher in den Einstellungen",
    "remark.cut": "haben eine Notiz, die auf {maxRemark} Zeichen gekürzt wird",
    "title.remark": "haben einen Titel, der Teil der Notiz wird",
    "views.limit": "haben mehr Aufrufe, als hier höchstens möglich sind, und bekommen diesen Höchstwert",
    "owner.admin": "wurden mit einem Schlüssel erstellt, den es hier nicht gibt, und gehen an den Administrator",
    "storage.default": "waren dort der Standard; der Standard hier bleibt, wie er ist",
    "storage.disabled": "waren ausgeschaltet und sind nur für den Administrator",
    "storage.provider": "bekommen den Anbieter „Anderer“",
    "storage.readOnly": "waren schreibgeschützt; hier bestimmt FOLDERS, ob sie es sind",
    "storage.host": "verlieren einen eigenen Host, der hier nicht verwendbar ist",
    "storage.seconds": "bekommen eine Gültigkeit der Adressen innerhalb der hiesigen Grenzen",
    "storage.name": "bekommen einen anderen Namen, weil ihrer hier nicht zulässig ist",
    "mount.policy": "liefern WebDAV über diesen Server aus",
    "mount.bounds": "bekommen Reihenfolge, Cache oder Ablauf innerhalb der hiesigen Grenzen",
    "key.manages": "konnten nur Freigaben erstellen und können ihre eigenen hier auch ändern und löschen",
    "key.createLess":
      "konnten Freigaben verwalten, ohne welche zu erstellen; dieses Recht gibt es hier nicht, sie verlieren es",
    "key.bits": "verlieren Rechte, die Satchel nicht kennt",
    "key.storages":
      "durften nur manche Speicher benutzen, was sich in Satchel nicht ausdrücken lässt: Sie verlieren jedes Recht an Dateien, bis du es ihnen wieder gibst",
    "key.visitors": "waren für Besucher, die hier keinen Schlüssel bekommen, wenn du es nicht bestimmst",
    "key.name": "bekommen einen anderen Namen, weil ihrer vergeben ist",
  },
  tables: {
    account: "Konten und Sitzungen werden nie übernommen",
    rights: "Satchel hat keine Rechte je Speicher; Schlüssel, die welche hatten, sind oben genannt",
    folders: "Satchel hat keine Beschreibungen und Passwörter von Ordnern",
    tree: "Ordner, die nicht in S3 lagen",
    work: "Vorgänge und Zeitpläne des anderen Servers",
    unknown: "unbekannt",
  },
  kinds: {
    storages: "Speicher",
    keys: "API-Schlüssel",
    mounts: "Einbindungen",
    settings: "Einstellungen",
    texts: "Texte",
    files: "Dateien",
  },
};
