import type { FailureCode } from "../failures.ts";

export const de: Record<FailureCode, string> = {
  "body.malformed": "Der Inhalt der Anfrage ist kein gültiges JSON.",
  "body.invalid": "Das Feld {field} fehlt oder ist ungültig.",
  "body.tooLarge": "Der Inhalt der Anfrage ist zu groß: Höchstens {limit} Byte werden gelesen.",
  "body.late": "Der Inhalt der Anfrage ist nicht rechtzeitig angekommen.",
  "query.invalid": "Der Parameter {field} fehlt oder ist ungültig.",
  "host.invalid": "Der Header Host ist ungültig.",
  "origin.forbidden": "Seiten anderer Websites dürfen diese Anfrage nicht senden (403).",
  "target.invalid": "Die Adresse enthält ein Zeichen, das in URLs nicht erlaubt ist. Schreib # als %23.",
  "target.outside": "Hier ist nichts. Dieser Server antwortet unter {path}.",
  "route.missing": "Unter dieser Adresse wurde nichts gefunden (404).",
  "header.invalid": "Der Header {header} fehlt oder ist ungültig.",
  "method.notAllowed": "Diese Adresse unterstützt die Methode der Anfrage nicht.",
  "script.stored": "Seiten dieses Servers führen nur seine eigenen Skripte aus, keine gespeicherten Dateien.",
  "drawing.unread": "Seiten dieses Servers müssen ein SVG prüfen, bevor sie es anzeigen.",
  "media.unsupported": "Der Server unterstützt diesen Inhaltstyp hier nicht.",
  "precondition.failed": "Die Vorbedingung ist nicht erfüllt: Die Ressource hat sich geändert.",
  "xml.invalid": "Der Inhalt der Anfrage ist kein wohlgeformtes XML oder nicht das erwartete Dokument.",
  "dav.depth": "Ordner lassen sich nur Ebene für Ebene auflisten (Depth 0 oder 1).",
  "dav.elsewhere":
    "Das Ziel liegt nicht im WebDAV-Baum dieses Servers. Hinter einem Proxy muss PUBLIC_URL seine Adresse nennen.",
  "dav.names": "Die Namen der Eigenschaften einer Anfrage dürfen zusammen höchstens {limit} Byte haben.",
  "content.empty": "Der Inhalt ist leer.",
  "content.tooLarge": "Der Inhalt ist zu groß. Bitte kürze ihn auf höchstens {maxContent}.",
  "slug.invalid": "Ein Linkname hat höchstens {maxSlug} Buchstaben, Ziffern, Bindestriche und Unterstriche.",
  "slug.reserved": "Dieser Link ist vom System reserviert.",
  "slug.taken": "Der Linkname ist schon vergeben. Bitte wähle einen anderen (409).",
  "limit.unknown":
    "Das Feld {field} gibt es hier nicht, oder es widerspricht einem anderen; seine Grenze ginge verloren. Grenzen setzen {known}.",
  "expiry.past": "Der Ablauf liegt in der Vergangenheit.",
  "request.differs": "Dieser Idempotency-Key wurde schon für eine andere Anfrage verwendet.",
  "form.malformed":
    "Der Inhalt muss ein vollständiges Formular vom Typ multipart/form-data mit genau einer Datei sein.",
  "form.unreadable": "Der Inhalt muss ein Formular vom Typ application/x-www-form-urlencoded in UTF-8 sein.",
  "form.repeated": "Das Formular enthält das Feld {field} mehr als einmal.",
  "filename.invalid":
    "Ein Dateiname hat 1 bis {maxFilename} Zeichen und weder Schrägstrich, Backslash noch Steuerzeichen.",
  "path.invalid": "Der Pfad ist zu lang oder enthält .., Backslashes oder Steuerzeichen.",
  "path.tooDeep": "Der Pfad hat zu viele ineinanderliegende Ordner: höchstens {maxDepth} Namen.",
  "path.conflict": "Wo der Pfad einen Ordner braucht, liegt eine Datei.",
  "path.missing": "Diese Datei oder diesen Ordner gibt es nicht (404).",
  "path.forbidden": "Du hast keine Berechtigung für diesen Pfad.",
  "path.root": "Der oberste Ordner lässt sich nicht ändern.",
  "path.mount":
    "Eine Einbindung lässt sich hier nicht ändern. Bitte einen Administrator, sie zu verschieben oder zu entfernen.",
  "path.taken": "Unter dem neuen Pfad gibt es schon eine Datei oder einen Ordner. Wähle einen anderen Namen.",
  "path.into": "Ein Ordner kann nicht in sich selbst, und der neue Pfad muss sich vom alten unterscheiden.",
  "path.kinds": "Beide Pfade müssen Dateien oder beide Ordner sein.",
  "path.otherMount": "Umbenennen geht nur innerhalb einer Einbindung. Kopiere oder verschiebe das Element stattdessen.",
  "path.isFolder": "Das ist ein Ordner.",
  "path.isFile": "Das ist eine Datei, kein Ordner.",
  "path.changed":
    "Die Datei hat sich geändert, seit du sie geöffnet hast. Sieh dir die neue Version an, bevor du sie überschreibst.",
  "path.locked": "Jemand hat diesen Pfad gesperrt. Versuche es später erneut.",
  "path.reserved":
    "Jemand lädt gerade eine geteilte Datei unter diesem Pfad hoch. Versuche es später erneut oder wähle einen anderen Namen.",
  "trash.missing": "Das liegt nicht mehr im Papierkorb.",
  "trash.unfit":
    "Das lässt sich nicht in den Papierkorb verschieben: Es enthält zu viele Dateien, hat zu lange Namen oder liegt auf einer anderen Platte. Lösche es stattdessen endgültig.",
  "path.noParent": "Den übergeordneten Ordner gibt es nicht.",
  "lock.token": "Hier gibt es keine Sperre mit diesem Token.",
  "lock.holder": "Diese Sperre gehört jemand anderem.",
  "lock.tooMany": "Es gibt zu viele Sperren. Hebe zuerst einige auf.",
  "property.tooMany": "Die Ressource hat zu viele oder zu lange Eigenschaften.",
  "path.large": "Dieser Ordner enthält mehr als {limit} Dateien. Starte einen Vorgang, um ihn zu verschieben.",
  "path.crossing": "Dieser Ordner enthält mehr als {limit} Dateien. Starte einen Vorgang, um ihn zu kopieren.",
  "copy.byJob":
    "Eine Kopie durch den Browser in einen anderen Speicher braucht dort die Berechtigung zum Hochladen. Starte stattdessen einen Kopiervorgang: Er braucht nur die Berechtigung zum Kopieren.",
  "cursor.invalid": "Diese Seite der Liste gibt es nicht mehr. Öffne den Ordner noch einmal.",
  "sign.missing": "Diese Datei braucht eine signierte URL.",
  "sign.invalid": "Die Prüfung der Signatur ist fehlgeschlagen: invalid_signature. Fordere eine neue URL an.",
  "sign.expired": "Die Prüfung der Signatur ist fehlgeschlagen: signature_expired. Fordere eine neue URL an.",
  "file.notOffice": "Diese Vorschau unterstützt nur Office-Dateien.",
  "file.notText": "Diese Datei ist kein UTF-8-Text (415). Lade sie herunter.",
  "picture.tooLarge":
    "Das Bild ist zu groß für eine Miniaturansicht: Verkleinert werden höchstens {limit} und {megapixels} Megapixel.",
  "picture.unreadable":
    "Von dieser Datei lässt sich keine Miniaturansicht erstellen: Sie ist kein JPEG, PNG, WebP oder GIF oder beschädigt.",
  "picture.limited":
    "Die Aufrufe dieser Freigabe sind begrenzt: Ihre Miniaturansicht sieht nur, wer sie geöffnet hat (403).",
  "picture.made": "Diese Datei hat schon eine Miniaturansicht.",
  "picture.offer":
    "Das angebotene Bild ist kein JPEG oder WebP mit höchstens {limit} und {megapixels} Megapixeln, oder es ist beschädigt.",
  "file.tooLarge": "Die Datei ist zu groß: Erlaubt sind höchstens {limit}.",
  "file.gone": "Die Datei dieser Freigabe ist nicht mehr in ihrem Speicher (410).",
  "sealed.unreadable": "Der Server kann eine versiegelte Datei nicht lesen und dies deshalb nicht tun (409).",
  "sealed.password": "Eine versiegelte Datei enthält ihr Passwort: Sende daneben keines.",
  "sealed.keyMissing": "Dieser Schlüssel ist hier nicht gespeichert.",
  "sealed.tooManyKeys": "Es können {limit} Schlüssel gespeichert sein. Lösche zuerst einen.",
  "storage.missing": "Diese Speicherkonfiguration gibt es nicht.",
  "storage.forbidden": "Keine Berechtigung, diese Speicherkonfiguration zu benutzen.",
  "storage.full": "Nicht genug Speicherplatz: Die Datei ({size}) ist größer als der freie Platz ({free}).",
  "storage.reserved":
    "Unfertige Uploads haben {reserved} dieses Speichers reserviert, und die Grenze ist {most}. Versuche es erneut, wenn sie fertig sind.",
  "storage.inUse":
    "Dieser Speicher wird benutzt. Dateifreigaben und unfertige Uploads: {files}; Einbindungen: {mounts}; Elemente in seinem Papierkorb: {trashed}.",
  "storage.leftovers":
    "Dieser Speicher wird nicht mehr benutzt, aber gelöschte Dateien ({dropped}) können noch einmal hochgeladen werden: Die letzte Upload-URL gilt bis {until}. Versuche es eine Viertelstunde danach erneut.",
  "storage.bucket":
    "Ein Bucket-Name darf Buchstaben, Ziffern, Punkte, Bindestriche und Unterstriche enthalten. Der Bucket-Name eines integrierten Speichers muss eindeutig sein und {minBuiltIn} bis {maxBuiltIn} Kleinbuchstaben, Ziffern und Bindestriche haben.",
  "storage.customHost": "Der eigene Host muss eine http- oder https-URL ohne Query sein.",
  "storage.fixed": "Anbieter und Bucket eines Speichers auf diesem Server lassen sich nicht ändern.",
  "storage.nothingToChange": "Die Anfrage enthält keine Änderungen.",
  "storage.endpoint": "Der Endpunkt ist nicht die Adresse eines S3-Speichers, zum Beispiel https://s3.example.com.",
  "storage.linkLocal":
    "Link-lokale Adressen und Cloud-Metadaten-Adressen gehören zum Rechner selbst und können nicht als Speicher dienen.",
  "storage.addressRefused":
    "Dieser Server verbindet sich nicht mit dem Speicher, weil dessen Name zu einer link-lokalen oder Metadaten-Adresse führt.",
  "storage.unreachable": "Der Speicher ist nicht erreichbar oder hat nicht rechtzeitig geantwortet.",
  "storage.refused":
    "Der Speicher verweigert diesem Server den Zugriff: Zugriffsschlüssel, geheimer Schlüssel oder Berechtigungen sind falsch.",
  "storage.bucketMissing": "Den Bucket gibt es im Speicher nicht.",
  "storage.region": "Der Bucket gehört zu einer anderen Region oder einem anderen Endpunkt als eingestellt.",
  "storage.clock":
    "Der Speicher verweigert den Zugriff, weil seine Uhr und die Uhr dieses Servers zu weit auseinandergehen.",
  "storage.busy": "Der Speicher ist ausgelastet. Bitte versuche es gleich noch einmal.",
  "storage.broken": "Der Speicher hat eine ungültige Antwort gesendet ({answer}).",
  "storage.denied":
    "Der Server darf seinen Speicherordner nicht lesen oder beschreiben. Ein Administrator muss die Berechtigungen korrigieren.",
  "storage.folder":
    "Der Betreiber dieses Servers hat einen solchen Ordner nicht genannt, oder ein Speicher benutzt ihn schon. FOLDERS in der Umgebung nennt die, die benutzt werden dürfen.",
  "storage.readOnly": "Dieser Speicher darf nur gelesen werden.",
  "storage.notHere": "Dieser Speicher ist ein Ordner eines anderen Servers. Bitte versuche es erneut.",
  "storage.testing": "Ein Test dieses Speichers läuft schon.",
  "storage.origin":
    "Ein Ursprung ist die URL einer Website ohne Pfad, zum Beispiel https://share.example.com, oder * für alle Websites.",
  "storage.corsBuiltIn": "Der integrierte Speicher braucht keine CORS-Regeln: Für ihn antwortet dieser Server.",
  "storage.corsRefused":
    "Der Zugriffsschlüssel darf die CORS-Regeln des Buckets nicht setzen. Setze sie in der Konsole des Anbieters oder verwende einen anderen Schlüssel.",
  "storage.corsUnsupported":
    "Bei diesem Speicher lassen sich die CORS-Regeln nicht von hier aus setzen. Setze sie in der Konsole des Anbieters.",
  "upload.missing": "Diesen unfertigen Upload gibt es nicht.",
  "upload.length": "Der Inhalt hat nicht die angegebene Länge.",
  "upload.incomplete": "Der Upload ist nicht vollständig: {arrived} von {size} Byte sind angekommen.",
  "upload.etag":
    "Die empfangenen Daten haben ein anderes ETag. Lade die Datei noch einmal hoch, oder schließe den Upload mit dem ETag der empfangenen Daten ab.",
  "upload.finished": "Dieser Upload ist abgeschlossen und nimmt keine Daten mehr an.",
  "upload.partSize": "Jeder Teil außer dem letzten muss mindestens {minPart} haben.",
  "upload.offset": "Der Upload steht an einer anderen Stelle: {expected} Byte sind angekommen.",
  "upload.superseded": "Eine andere Anfrage hat diesen Upload übernommen.",
  "upload.checksum": "Die Daten passen nicht zur mitgesendeten Prüfsumme. Nichts davon wurde behalten.",
  "upload.type": "Der Inhalt dieser Anfrage muss von einem anderen Typ sein (Content-Type).",
  "upload.version":
    "Dieser Server spricht Version {version} von tus. Der Header Tus-Resumable fehlt oder nennt eine andere Version.",
  "upload.tooMany":
    "Es gibt schon {limit} unfertige Uploads in Teilen (429). Schließe einige ab oder brich sie ab. Uploads ohne Fortschritt verfallen nach einem Tag.",
  "upload.parts": "Teile fehlen, sind doppelt aufgeführt oder unterscheiden sich von den hochgeladenen.",
  "url.invalid":
    "Die URL ist ungültig: Sie muss mit http:// oder https:// beginnen und darf weder Benutzername noch Passwort enthalten.",
  "url.forbidden":
    "Dieser Server holt Dateien nur von öffentlichen Webadressen. Lade die Datei herunter und dann von deinem Gerät aus hoch.",
  "url.redirects": "Die URL leitet zu oft weiter. Öffne sie in einem Browser und kopiere die endgültige URL.",
  "url.unreachable": "Die URL ist nicht erreichbar. Prüfe sie oder versuche es später erneut.",
  "url.late": "Der Server der Quelle hat nicht rechtzeitig geantwortet. Versuche es später erneut.",
  "url.refused": "Der Server der Quelle hat statt der Datei den Status {status} geliefert. Prüfe die URL.",
  "url.tooMany":
    "Der Server holt schon {limit} Dateien für dich. Warte, bis eine fertig ist, oder versuche es später erneut.",
  "share.missing": "Diese Freigabe gibt es nicht (404).",
  "share.gone": "Diese Freigabe ist abgelaufen oder hat die maximale Zahl der Aufrufe erreicht (410).",
  "share.uploading": "Die Datei dieser Freigabe wird noch hochgeladen. Bitte versuche es gleich noch einmal.",
  "share.changed":
    "Diese Freigabe wurde geändert, seit du sie geöffnet hast (409). Sieh dir die neue Version an, bevor du sie überschreibst.",
  "share.noPassword": "Diese Freigabe braucht kein Passwort.",
  "link.item": "Ein Link kann zu Dateien und Ordnern führen, die in einer Einbindung liegen (400).",
  "link.itemChanged": "Wohin dieser Link führt, wurde inzwischen geändert. Öffne ihn noch einmal (409).",
  "link.recipient": "Nur ein Link, der Dateien jeder Art annimmt und keine zeigt, kann versiegeln.",
  "link.folder": "Ein Link, der Uploads annimmt, braucht einen Ordner dafür (400).",
  "link.network": "Dieser Link lässt sich aus deinem Netzwerk nicht öffnen (403).",
  "link.networkInvalid": "Ein Netzwerk muss eine IP-Adresse oder ein Adressbereich in CIDR-Schreibweise sein (400).",
  "link.spent": "Alle Downloads dieses Links sind aufgebraucht (410).",
  "link.full": "Dieser Link nimmt keine Dateien mehr an (409).",
  "link.bytes": "Dieser Link hat nur noch Platz für {left} (413).",
  "link.fileBytes": "Eine Datei darf hier höchstens {limit} haben (413).",
  "link.kind": "Dateien dieser Art werden hier nicht angenommen, nur {kinds} (415).",
  "link.kindInvalid": "Ein Typ muss eine Endung wie .pdf oder ein Medientyp wie image/* sein (400).",
  "link.sender": "Gib deinen Namen an: Wer Dateien anfordert, möchte ihn wissen (400).",
  "link.passwordShown":
    "Sende das Passwort wie curl -u :PASSWORD. In der Adresse könnte es unterwegs jeder sehen (400).",
  "link.receipt": "Diesen Beleg gibt es nicht (404).",
  "link.tooLate": "Das lässt sich nicht mehr zurückziehen: Die Zeit ist um, oder jemand hat die Datei geändert (409).",
  "grant.void": "Der Link ist vielleicht abgelaufen. Öffne seine Seite noch einmal.",
  "password.missing": "Diese Freigabe braucht ein Passwort (401).",
  "password.wrong": "Falsches Passwort (401).",
  "auth.required": "Nicht angemeldet. Bitte melde dich an.",
  "auth.expired": "Die Sitzung ist abgelaufen. Bitte melde dich neu an.",
  "auth.forbidden": "Keine Berechtigung für diese Aktion.",
  "key.invalid": "Der API-Schlüssel ist ungültig oder abgelaufen, oder er ist ausgesetzt.",
  "key.required": "Dafür braucht es einen API-Schlüssel: im Header X-API-KEY oder bei curl als -u x:SCHLÜSSEL.",
  "job.credential":
    "Der Vorgang ist beendet, weil sich Benutzername, Passwort oder Schlüssel, mit dem er gestartet wurde, geändert hat.",
  "key.missing": "Diesen API-Schlüssel gibt es nicht (404).",
  "key.characters": "Ein API-Schlüssel darf nur Buchstaben, Ziffern, Unterstriche und Bindestriche enthalten.",
  "key.length": "Ein API-Schlüssel hat {minKey} bis {maxKey} Zeichen.",
  "key.taken": "Diesen API-Schlüssel gibt es schon. Bitte wähle einen anderen (409).",
  "key.nameTaken": "Ein anderer API-Schlüssel hat schon diesen Namen (409).",
  "key.guestTaken": "Es gibt schon einen gültigen Besucherschlüssel, und nur einer ist erlaubt (409).",
  "key.nothingToChange": "Die Anfrage enthält keine Änderungen.",
  "basePath.invalid":
    "Ein Basispfad beginnt mit / und enthält weder .., Backslashes noch Steuerzeichen, und kein Ordner beginnt oder endet mit einem Leerzeichen.",
  "mount.missing": "Diese Einbindung gibt es nicht.",
  "mount.none": "Unter diesem Pfad gibt es keine Einbindung.",
  "zip.empty": "Es gibt nichts herunterzuladen: Was hier war, wurde gelöscht oder verschoben (404).",
  "mount.pathInvalid":
    "Der Pfad einer Einbindung beginnt mit einem Schrägstrich, endet nicht mit einem und enthält nur Buchstaben, Ziffern, Unterstriche, Bindestriche und Schrägstriche.",
  "mount.pathReserved": "Dieser Pfad ist vom System reserviert.",
  "mount.pathTaken": "Dieser Pfad wird schon von einer Einbindung benutzt.",
  "mount.storageMissing": "Den einzubindenden Speicher gibt es nicht.",
  "mount.nothingToChange": "Die Anfrage enthält keine Änderungen.",

  "job.missing": "Diesen Vorgang gibt es nicht.",
  "events.tooMany":
    "Du folgst schon {limit} Ordnern (429). Schließe eine Seite, die einen zeigt, und versuche es noch einmal.",
  "job.tooMany": "Du hast schon {limit} wartende Vorgänge. Starte diesen, wenn einige davon fertig sind.",
  "archive.format": "Nur ZIP-, TAR-, .tar.gz-, .tar.zst- und .gz-Archive lassen sich entpacken.",
  "archive.broken": "Das Archiv ist hier beschädigt oder unvollständig, deshalb wurde nichts davon behalten.",
  "archive.tooMany": "Das Archiv hat zu viele Dateien zum Entpacken: Erlaubt sind höchstens {limit}.",
  "archive.bomb":
    "Das Archiv würde entpackt ein Vielfaches seiner Größe belegen, oder seine Dateien überlappen sich. Es wurde nicht weiter entpackt.",
  "archive.changed": "Das Archiv wurde während des Entpackens geändert oder entfernt. Was schon entpackt war, bleibt.",
  "archive.name":
    "Eine Datei des Archivs hat einen unzulässigen Namen: Er führt aus dem Ordner hinaus, ist zu lang oder enthält Zeichen, die nicht erlaubt sind.",
  "archive.twice": "Das Archiv enthält diesen Namen zweimal. Die erste Datei wurde behalten.",
  "archive.encrypted": "Diese Datei des Archivs ist mit einem Passwort geschützt. Sie wurde nicht entpackt.",
  "archive.method": "Diese Datei des Archivs ist auf eine Weise komprimiert, die hier nicht gelesen werden kann.",
  "archive.link": "Verknüpfungen und Geräte werden beim Entpacken ausgelassen.",
  "setting.missing": "Diese Einstellung gibt es nicht.",
  "setting.groupMissing": "Diese Gruppe von Einstellungen gibt es nicht.",
  "setting.readOnly": "Diese Einstellung ist schreibgeschützt.",
  "setting.number": "Der Wert muss eine Zahl von {least} bis {most} sein.",
  "setting.wholeNumber": "Der Wert muss eine ganze Zahl von {least} bis {most} sein.",
  "setting.switch": "Der Wert muss true oder false sein.",
  "setting.option": "Der Wert muss einer von diesen sein: {options}.",
  "expiry.tooLong": "Freigaben müssen hier innerhalb von {longest} ablaufen (400). Wähle einen früheren Ablauf.",
  "visitors.shares":
    "Besucher dürfen hier höchstens {limit} Freigaben gleichzeitig haben, und so viele gibt es (403). Melde dich an oder versuche es später.",
  "visitors.files":
    "Dateien von Besuchern dürfen hier {limit} belegen, und {free} sind frei (413). Melde dich an oder wähle eine kleinere Datei.",
  "visitors.size": "Gib an, wie groß die Datei ist: Was Besucher hochladen dürfen, ist begrenzt (411).",
  "setting.siteName": "Der Name darf höchstens {maxSiteName} sichtbare Zeichen haben.",
  "setting.accent": "Gib die Farbe als # und sechs hexadezimale Ziffern ein.",
  "logo.tooLarge": "Das Logo darf höchstens {maxLogo} und {megapixels} Megapixel haben (413).",
  "logo.unreadable": "Das Logo muss ein Bild in JPEG, PNG, WebP oder GIF sein (415).",
  "setting.backupTarget":
    "Das Ziel muss der vollständige Pfad eines Ordners auf dem Server oder s3://bucket/prefix sein, mit höchstens {maxTarget} Zeichen.",
  "backup.folderMissing":
    "Diesen Ordner gibt es auf dem Server nicht, und auch der darüber fehlt. Lege ihn dort an oder binde seine Platte ein, und speichere dann erneut.",
  "backup.folderFile": "An diesem Pfad liegt eine Datei. Wähle einen Ordner.",
  "backup.folderDenied":
    "Der Server kann in diesen Ordner nicht schreiben. Gib dem Benutzer, unter dem er läuft, das Recht dazu, und speichere dann erneut.",
  "backup.folderWithin": "Dieser Ordner gehört zu den Dateien, die gesichert werden. Wähle einen anderen.",
  "backup.folderShared":
    "Dieser Ordner liegt in einem der FOLDERS, die ein Speicher zeigen kann: Wer dort lesen darf, könnte die Sicherungen lesen. Wähle einen anderen.",
  "backup.bucketUnknown":
    "Kein Speicher hat diesen Bucket. Füge einen damit hinzu oder setze AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY des Servers.",
  "backup.targetMissing": "Noch ist nicht festgelegt, wohin Sicherungen gehen. Lege zuerst ein Ziel fest.",
  "backup.running": "Eine Sicherung läuft schon. Warte, bis sie beendet ist.",

  "drop.empty": "Es wurde nichts gesendet. Sende eine Datei (curl -T DATEI) oder ein Formular mit file, text oder url.",
  "drop.encoding": "Ein Text muss UTF-8 sein. Sende alles andere als Datei.",
  "option.invalid": "Der Wert der Option {option} ist nicht gültig.",
  "option.unknown": "Die Option {option} gibt es nicht.",
  "option.passwordInAddress":
    "Sende das Passwort im Header X-Share-Password oder als Formularfeld. In der Adresse könnte es unterwegs jeder lesen.",
  "webhook.missing": "Diesen Webhook gibt es nicht.",
  "webhook.tooMany": "Es darf höchstens {limit} Webhooks geben. Lösche zuerst einen.",
  "webhook.address": "Die Adresse muss eine http- oder https-URL ohne Benutzername und Passwort sein.",
  "webhook.forbidden":
    "Der Server verbindet sich nicht mit dieser Adresse: nur mit dem öffentlichen Internet und mit Netzwerken, die WEBHOOK_NETWORKS nennt.",
  "webhook.mailAddress": "Das ist keine E-Mail-Adresse.",
  "webhook.noMail": "Kein Mailserver ist eingerichtet. Der Betreiber des Servers setzt SMTP_URL und SMTP_FROM.",
  "webhook.topic": "Die Adresse von ntfy muss mit dem Namen eines Themas enden, wie in https://ntfy.sh/mytopic.",
  "webhook.unsigned": "Nur Webhooks der Art Standard Webhooks haben ein Geheimnis.",
  "setting.extensions":
    "Der Wert muss eine durch Kommas getrennte Liste von Dateiendungen aus Buchstaben und Ziffern sein, mit höchstens {maxSetting} Zeichen.",
  "import.malformed":
    "Die Datei ist keine vollständige CloudPaste-Sicherung: Sie wurde abgeschnitten oder stammt von einem anderen Programm.",
  "import.bounds":
    "Die Sicherung enthält eine Zeile, die länger oder tiefer verschachtelt ist, als CloudPaste es je schreibt.",
  "import.checksum":
    "Die Prüfsumme der Sicherung passt nicht zu ihrem Inhalt: Sie wurde abgeschnitten oder geändert. Erstelle sie neu. Die Kommandozeile nimmt sie mit --ignore-checksum, wie sie ist.",
  "import.running": "Auf diesem Server läuft schon ein Import. Warte, bis er beendet ist.",
  "session.missing": "Diese Sitzung gibt es nicht.",
  "login.wrong": "Falscher Benutzername oder falsches Passwort.",
  "signInLink.invalid": "Dieser Anmeldelink ist abgelaufen oder wurde schon benutzt.",
  "account.wrongPassword": "Das jetzige Passwort ist falsch.",
  "account.nothingToChange": "Gib einen neuen Benutzernamen oder ein neues Passwort ein.",
  "account.samePassword": "Das neue Passwort muss sich vom jetzigen unterscheiden.",
  "limit.wait": "Zu viele Versuche. Bitte versuche es in {seconds} Sekunden erneut.",
  "server.busy": "Der Server ist ausgelastet. Bitte versuche es gleich noch einmal.",
  "database.unavailable": "Die Datenbank antwortet nicht. Bitte versuche es gleich noch einmal.",
  "text.tooLong": "Ein Pfad oder ein Name ist zu lang für die Datenbank.",
  internal: "Serverfehler. Wenn er wieder auftritt, gib dem Administrator diese Nummer: {request}.",
};
