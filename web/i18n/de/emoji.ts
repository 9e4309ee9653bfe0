import type { Shape } from "../shape.ts";
import type { emoji as zh } from "../zh/emoji.ts";

/** Emoji by group, one a line: the sign, its name, and behind a slash other words to find it by. */
export const emoji: Shape<typeof zh> = {
  search: "Emoji suchen",
  none: "Kein Emoji gefunden",
  group: {
    faces: "Gesichter",
    people: "Menschen",
    nature: "Natur",
    food: "Essen",
    things: "Dinge",
    signs: "Zeichen",
  },
  signs: {
    faces: `
😀 grinsendes Gesicht/lachen froh
😄 lachend mit offenem Mund/lachen freude
😁 strahlendes Gesicht/grinsen
😆 lachend mit zugekniffenen Augen/haha lachen
😅 lachend mit Schweiß/puh erleichtert
😂 Freudentränen/lachen lol
🤣 vor Lachen am Boden/lachen rofl
🙂 leichtes Lächeln/okay
🙃 umgekehrtes Gesicht/ironie
😉 zwinkernd/zwinkern
😊 lächelnde Augen/erröten erfreut
😇 Heiligenschein/engel unschuldig
🥰 Lächeln mit Herzen/liebe anbeten
😍 Herzaugen/liebe verliebt
😘 Luftkuss/kuss liebe
😋 lecker/köstlich mmh
😜 Zunge raus und zwinkern/spaß
🤪 irres Gesicht/verrückt
🤗 Umarmung/umarmen drücken
🤭 Hand vor dem Mund/ups kichern
🤫 Pst/leise geheim
🤔 nachdenkliches Gesicht/hmm denken
🤐 verschlossener Mund/schweigen geheim
😐 neutrales Gesicht/naja
😑 ausdrucksloses Gesicht/leer
😏 süffisantes Lächeln/schlau
🙄 Augen verdrehen/genervt
😬 Grimasse/peinlich
😌 erleichtert/ruhig
😔 nachdenklich traurig/betrübt
😴 schlafend/müde zzz
😷 Gesicht mit Maske/krank
🤒 Fieberthermometer/fieber krank
🤯 explodierender Kopf/schock
🥳 feierndes Gesicht/party feiern
😎 Sonnenbrille/cool
🤓 Nerd/schlau streber
🧐 Monokel/prüfen
😕 verwirrt/unsicher
😟 besorgt/sorge
😮 offener Mund/überrascht wow
😳 errötet/peinlich
🥺 bettelndes Gesicht/bitte
😢 weinend/träne traurig
😭 heulend/weinen laut
😱 schreiend vor Angst/angst schrei
😤 schnaubend/triumph
😡 wütendes rotes Gesicht/wut sauer
🤬 fluchend/schimpfen
😈 lächelnder Teufel/böse
💀 Totenkopf/tot
💩 Kothaufen/mist
🤡 Clown/witz
👻 Gespenst/geist buh
👽 Alien/außerirdischer weltall
🤖 Roboter/maschine
`,
    people: `
👍 Daumen hoch/ja gut gefällt
👎 Daumen runter/nein schlecht
👌 OK-Zeichen/gut perfekt
✌️ Siegeszeichen/frieden
🤞 gekreuzte Finger/glück daumen drücken
🤝 Handschlag/abgemacht einig
👏 klatschende Hände/applaus beifall
🙌 erhobene Hände/hurra
🙏 gefaltete Hände/bitte danke beten
💪 starker Arm/muskel kraft
👋 winkende Hand/hallo tschüss
✋ erhobene Hand/stopp halt
👆 Finger nach oben/darüber
👇 Finger nach unten/darunter
👈 Finger nach links
👉 Finger nach rechts
☝️ Zeigefinger/achtung
✍️ schreibende Hand/schreiben
👀 Augen/sehen schauen
🧠 Gehirn/verstand denken
🗣️ sprechender Kopf/reden
👤 Person/benutzer
👥 Personen/benutzer team
🤷 Schulterzucken/keine ahnung
🤦 Hand vors Gesicht/oje facepalm
🙋 Person mit erhobener Hand/frage melden ich
💁 Person am Infoschalter/auskunft
🏃 rennende Person/laufen eile
🚶 gehende Person/gehen
💃 tanzende Frau/tanzen party
👨‍💻 Mann am Computer/entwickler
👩‍💻 Frau am Computer/entwicklerin
`,
    nature: `
🐶 Hund/haustier
🐱 Katze/haustier
🐭 Maus/tier
🐰 Hase/kaninchen
🦊 Fuchs/tier
🐻 Bär/tier
🐼 Panda/tier
🐯 Tiger/tier
🦁 Löwe/tier
🐮 Kuh/tier
🐷 Schwein/tier
🐸 Frosch/tier
🐵 Affe/tier
🐔 Huhn/vogel
🐧 Pinguin/vogel linux
🐦 Vogel/tier
🦆 Ente/vogel
🦉 Eule/vogel nacht
🐝 Biene/insekt
🦋 Schmetterling/insekt
🐛 Raupe/fehler bug insekt
🐢 Schildkröte/langsam
🐍 Schlange/python
🐙 Krake/oktopus meer
🐳 Wal/meer docker
🐟 Fisch/meer
🦄 Einhorn/magie
🐉 Drache/sage
🌱 Keimling/wachsen neu
🌲 Baum/wald tanne
🌵 Kaktus/wüste
🍀 vierblättriges Kleeblatt/glück
🍁 Ahornblatt/herbst
🌸 Kirschblüte/frühling blume
🌹 Rose/blume liebe
🌻 Sonnenblume/blume
☀️ Sonne/wetter hell
🌙 Mond/nacht
⭐ Stern/favorit
🌈 Regenbogen/farbe
☁️ Wolke/wetter
⛈️ Gewitter/wetter
❄️ Schneeflocke/kalt winter
🔥 Feuer/heiß flamme
💧 Tropfen/wasser
🌊 Welle/meer
🌍 Erdkugel/welt erde
`,
    food: `
🍎 Apfel/obst
🍌 Banane/obst
🍇 Weintrauben/obst
🍉 Wassermelone/obst
🍓 Erdbeere/obst
🍑 Pfirsich/obst
🍋 Zitrone/obst
🥑 Avocado/obst
🍅 Tomate/gemüse
🥕 Karotte/gemüse möhre
🌶️ Chili/scharf
🍞 Brot/toast
🧀 Käse
🍗 Hähnchenkeule/fleisch
🍔 Hamburger/fast food
🍟 Pommes/fritten
🍕 Pizza/fast food
🍜 Nudelsuppe/suppe
🍚 Reis/schüssel
🥟 Teigtasche
🍣 Sushi/fisch
🍱 Lunchbox/bento
🍦 Eis/süß
🍰 Kuchen/torte süß
🎂 Geburtstagstorte/feiern kuchen
🍫 Schokolade/süß
🍪 Keks/plätzchen cookie
☕ Kaffee/heißgetränk
🍵 Tee/heißgetränk
🍺 Bier/getränk
🍷 Wein/getränk
🥂 anstoßende Gläser/prost sekt
`,
    things: `
🎉 Konfettibombe/feiern glückwunsch
🎁 Geschenk/präsent
🎈 Luftballon/party
🏆 Pokal/sieg
🥇 Goldmedaille/erster
⚽ Fußball/sport
🏀 Basketball/sport
🎮 Gamecontroller/spielen
🎲 Würfel/spiel glück
🎯 Zielscheibe/ziel volltreffer
🎵 Musiknote/musik lied
🎧 Kopfhörer/musik
🎤 Mikrofon/singen sprechen
🎬 Filmklappe/film video
🎨 Farbpalette/kunst malen
🚀 Rakete/start schnell
✈️ Flugzeug/reise flug
🚗 Auto/fahren
🚌 Bus/reise
🚆 Zug/reise bahn
🚲 Fahrrad/rad
🚢 Schiff/meer
🏠 Haus/zuhause
🏢 Bürogebäude/arbeit
🏥 Krankenhaus/gesundheit
🗺️ Landkarte/karte welt
⌚ Armbanduhr/zeit
📱 Handy/smartphone anruf
💻 Laptop/computer
🖥️ Desktop-Computer/bildschirm
⌨️ Tastatur/tippen
🖨️ Drucker/drucken
💾 Diskette/speichern
📷 Kamera/foto
📞 Telefon/anruf
🔋 Batterie/strom akku
🔌 Stecker/strom
💡 Glühbirne/idee tipp
🔦 Taschenlampe/licht
💰 Geldsack/geld
💳 Kreditkarte/bezahlen
⚖️ Waage/recht gleichgewicht
🔧 Schraubenschlüssel/reparieren werkzeug
🔨 Hammer/bauen werkzeug
⚙️ Zahnrad/einstellungen
🧪 Reagenzglas/experiment
🔬 Mikroskop/wissenschaft
💊 Pille/medizin
🚪 Tür/ausgang
🔑 Schlüssel/passwort
🔒 geschlossenes Schloss/sicher privat
🔓 offenes Schloss/entsperrt
📦 Paket/karton
✉️ Umschlag/post brief
📧 E-Mail/mail
📝 Notiz/schreiben memo
📄 Seite/dokument datei
📁 Ordner/dateien
📂 offener Ordner/dateien
📅 Kalender/datum
📈 steigendes Diagramm/wachstum
📉 fallendes Diagramm/rückgang
📊 Balkendiagramm/statistik
📋 Klemmbrett/liste kopieren
📌 Stecknadel/wichtig pin
📎 Büroklammer/anhang
✂️ Schere/ausschneiden
🗑️ Papierkorb/löschen müll
📚 Bücher/lesen lernen
📖 aufgeschlagenes Buch/lesen
🔖 Lesezeichen/etikett
🔗 Link/kette url
🔍 Lupe/suchen
⏰ Wecker/zeit
⏳ Sanduhr/warten
🔔 Glocke/benachrichtigung mitteilung
📣 Megafon/ankündigung
`,
    signs: `
❤️ rotes Herz/liebe
🧡 oranges Herz/liebe
💛 gelbes Herz/liebe
💚 grünes Herz/liebe
💙 blaues Herz/liebe
💜 lila Herz/liebe
🖤 schwarzes Herz/liebe
💔 gebrochenes Herz/traurig
💯 hundert Punkte/perfekt voll
✅ Häkchen im Kasten/erledigt ja
☑️ angekreuztes Kästchen/erledigt
✔️ Häkchen/erledigt ja
❌ Kreuz/nein falsch
❓ Fragezeichen/warum
❗ Ausrufezeichen/wichtig
⚠️ Warnung/vorsicht gefahr
🚫 verboten/nein untersagt
⛔ Einfahrt verboten/stopp
♻️ Recycling/grün
✨ Funkeln/neu glanz
⚡ Blitz/schnell strom
💥 Zusammenstoß/bumm
💬 Sprechblase/kommentar chat
💭 Gedankenblase/denken
💤 Schlaf/zzz
➡️ Pfeil nach rechts/weiter
⬅️ Pfeil nach links/zurück
⬆️ Pfeil nach oben/darüber
⬇️ Pfeil nach unten/darunter
↩️ Pfeil zurück/antworten
🔄 Aktualisieren/wiederholen synchronisieren
➕ Plus/hinzufügen
➖ Minus/entfernen
✖️ Malzeichen/multiplizieren
♾️ Unendlich/endlos
™️ Markenzeichen
©️ Copyright/urheberrecht
ℹ️ Information/info
🆗 OK-Knopf
🆕 NEU-Knopf
🔴 roter Kreis/stopp
🟠 oranger Kreis
🟡 gelber Kreis
🟢 grüner Kreis/los
🔵 blauer Kreis
⚫ schwarzer Kreis
⚪ weißer Kreis
🟥 rotes Quadrat
🟩 grünes Quadrat
🟦 blaues Quadrat
🏁 Zielflagge/ziel
🚩 rote Flagge/warnung
`,
  },
};
