import type { Shape } from "../shape.ts";
import type { emoji as zh } from "../zh/emoji.ts";

/** Emoji by group, one a line: the sign, its name, and behind a slash other words to find it by. */
export const emoji: Shape<typeof zh> = {
  search: "Rechercher un emoji",
  none: "Aucun emoji trouvé",
  group: {
    faces: "Visages",
    people: "Personnes",
    nature: "Nature",
    food: "Aliments",
    things: "Objets",
    signs: "Symboles",
  },
  signs: {
    faces: `
😀 visage souriant/sourire content
😄 rire bouche ouverte/content joie
😁 visage radieux/sourire dents
😆 rire yeux fermés/haha
😅 rire avec sueur/soulagement ouf
😂 larmes de joie/rire mdr lol
🤣 se rouler par terre/rire mdr ptdr
🙂 léger sourire/bien
🙃 tête à l’envers/ironie
😉 clin d’œil/clin oeil
😊 yeux souriants/rougir ravi
😇 auréole/ange innocent
🥰 sourire avec cœurs/amour adorer coeur
😍 yeux en cœur/amour coup de foudre coeur
😘 envoie un baiser/bisou amour
😋 miam/délicieux bon
😜 langue tirée et clin d’œil/blague
🤪 visage loufoque/fou dingue
🤗 câlin/étreinte
🤭 main sur la bouche/oups rire
🤫 chut/silence secret
🤔 visage pensif/réfléchir hmm doute
🤐 bouche cousue/silence secret
😐 visage neutre/bof
😑 sans expression/blasé
😏 sourire en coin/malin
🙄 yeux au ciel/agacé
😬 grimace/gêne
😌 soulagé/calme
😔 songeur/triste
😴 endormi/fatigué dodo zzz
😷 masque/malade
🤒 thermomètre/fièvre malade
🤯 tête qui explose/choqué
🥳 visage de fête/célébrer
😎 lunettes de soleil/cool
🤓 visage de geek/intello malin
🧐 monocle/examiner
😕 perplexe/confus
😟 inquiet/souci
😮 bouche bée/surpris waouh
😳 rougissant/gêné
🥺 suppliant/pitié
😢 pleure/larme triste
😭 sanglots/pleurer
😱 hurle/peur
😤 fumée du nez/triomphe énervé
😡 visage rouge de colère/furieux
🤬 jurons/insulte gros mots
😈 diable souriant/démon méchant
💀 crâne/mort
💩 crotte/caca pagaille
🤡 clown/blague
👻 fantôme/bouh
👽 extraterrestre/espace alien
🤖 robot/machine
`,
    people: `
👍 pouce levé/oui bien aime
👎 pouce baissé/non mal
👌 main OK/bien parfait
✌️ signe de victoire/paix
🤞 doigts croisés/chance espoir
🤝 poignée de main/accord
👏 applaudissements/mains bravo
🙌 mains levées/hourra
🙏 mains jointes/merci prière svp
💪 biceps/muscle force
👋 main qui salue/bonjour salut au revoir
✋ main levée/stop
👆 doigt vers le haut/dessus
👇 doigt vers le bas/dessous
👈 doigt vers la gauche
👉 doigt vers la droite
☝️ index levé/attention
✍️ main qui écrit/écrire
👀 yeux/regarder voir
🧠 cerveau/esprit penser
🗣️ tête qui parle/parler
👤 personne/utilisateur
👥 personnes/utilisateurs équipe
🤷 hausse les épaules/sais pas
🤦 main sur le front/oh non
🙋 personne main levée/question moi
💁 main tendue/information
🏃 course/courir pressé
🚶 marche/aller
💃 danse/fête
👨‍💻 homme à l’ordinateur/développeur
👩‍💻 femme à l’ordinateur/développeuse
`,
    nature: `
🐶 chien/animal
🐱 chat/animal
🐭 souris/animal
🐰 lapin/animal
🦊 renard/animal
🐻 ours/animal
🐼 panda/animal
🐯 tigre/animal
🦁 lion/animal
🐮 vache/animal
🐷 cochon/animal
🐸 grenouille/animal
🐵 singe/animal
🐔 poule/oiseau
🐧 manchot/oiseau pingouin linux
🐦 oiseau/animal
🦆 canard/oiseau
🦉 hibou/oiseau nuit
🐝 abeille/insecte
🦋 papillon/insecte
🐛 chenille/bug erreur insecte
🐢 tortue/lent
🐍 serpent/python
🐙 pieuvre/mer
🐳 baleine/mer docker
🐟 poisson/mer
🦄 licorne/magie
🐉 dragon/mythe
🌱 jeune pousse/grandir nouveau
🌲 arbre/forêt sapin
🌵 cactus/désert
🍀 trèfle à quatre feuilles/chance
🍁 feuille d’érable/automne
🌸 fleur de cerisier/printemps
🌹 rose/fleur amour
🌻 tournesol/fleur
☀️ soleil/météo beau
🌙 lune/nuit
⭐ étoile/favori
🌈 arc-en-ciel/couleur
☁️ nuage/météo
⛈️ orage/météo
❄️ flocon de neige/froid hiver
🔥 feu/chaud
💧 goutte/eau
🌊 vague/mer
🌍 globe/terre monde
`,
    food: `
🍎 pomme/fruit
🍌 banane/fruit
🍇 raisin/fruit
🍉 pastèque/fruit
🍓 fraise/fruit
🍑 pêche/fruit
🍋 citron/fruit
🥑 avocat/fruit
🍅 tomate/légume
🥕 carotte/légume
🌶️ piment/fort épicé
🍞 pain/tartine
🧀 fromage
🍗 cuisse de poulet/viande
🍔 hamburger/fast-food
🍟 frites/fast-food
🍕 pizza/fast-food
🍜 nouilles/soupe
🍚 riz/bol
🥟 ravioli
🍣 sushi/poisson
🍱 bento/repas
🍦 glace/sucré
🍰 gâteau/sucré
🎂 gâteau d’anniversaire/fête
🍫 chocolat/sucré
🍪 biscuit/cookie
☕ café/boisson chaude
🍵 thé/boisson chaude
🍺 bière/boisson
🍷 vin/boisson
🥂 verres qui trinquent/santé tchin
`,
    things: `
🎉 cotillons/fête félicitations bravo
🎁 cadeau/surprise
🎈 ballon de baudruche/fête
🏆 trophée/victoire
🥇 médaille d’or/premier
⚽ football/sport ballon
🏀 basket/sport ballon
🎮 manette de jeu/jouer
🎲 dé/jeu hasard
🎯 cible/objectif but
🎵 note de musique/chanson
🎧 casque audio/musique
🎤 micro/chanter parler
🎬 clap/film vidéo
🎨 palette/art peinture
🚀 fusée/lancement rapide
✈️ avion/voyage vol
🚗 voiture/conduire
🚌 bus/voyage
🚆 train/voyage
🚲 vélo/bicyclette
🚢 bateau/mer navire
🏠 maison/accueil
🏢 immeuble de bureaux/travail
🏥 hôpital/santé
🗺️ carte/monde
⌚ montre/heure
📱 téléphone portable/appel mobile
💻 ordinateur portable/pc
🖥️ ordinateur de bureau/écran
⌨️ clavier/taper
🖨️ imprimante/imprimer
💾 disquette/enregistrer
📷 appareil photo/image
📞 téléphone/appel
🔋 pile/batterie énergie
🔌 prise/courant
💡 ampoule/idée astuce
🔦 lampe torche/lumière
💰 sac d’argent/argent
💳 carte bancaire/payer
⚖️ balance/loi justice
🔧 clé à molette/réparer outil
🔨 marteau/construire outil
⚙️ engrenage/paramètres
🧪 éprouvette/expérience
🔬 microscope/science
💊 pilule/médicament
🚪 porte/sortie
🔑 clé/mot de passe
🔒 verrouillé/sûr privé cadenas
🔓 déverrouillé/ouvert cadenas
📦 colis/paquet carton
✉️ enveloppe/courrier lettre
📧 e-mail/courriel
📝 note/écrire mémo
📄 page/document fichier
📁 dossier/fichiers
📂 dossier ouvert/fichiers
📅 calendrier/date
📈 courbe en hausse/croissance
📉 courbe en baisse/recul
📊 diagramme en barres/statistiques
📋 presse-papiers/liste copier
📌 punaise/important
📎 trombone/pièce jointe
✂️ ciseaux/couper
🗑️ corbeille/supprimer poubelle
📚 livres/lire apprendre
📖 livre ouvert/lire
🔖 marque-page/étiquette
🔗 lien/chaîne url
🔍 loupe/rechercher
⏰ réveil/heure
⏳ sablier/attendre
🔔 cloche/notification
📣 mégaphone/annonce
`,
    signs: `
❤️ cœur rouge/amour coeur
🧡 cœur orange/amour coeur
💛 cœur jaune/amour coeur
💚 cœur vert/amour coeur
💙 cœur bleu/amour coeur
💜 cœur violet/amour coeur
🖤 cœur noir/amour coeur
💔 cœur brisé/triste coeur
💯 cent/parfait complet
✅ coche/fait oui
☑️ case cochée/fait
✔️ coche simple/fait oui
❌ croix/non faux
❓ point d’interrogation/pourquoi
❗ point d’exclamation/important
⚠️ avertissement/attention danger
🚫 interdit/non
⛔ sens interdit/stop
♻️ recyclage/écologie
✨ étincelles/nouveau brillant
⚡ éclair/rapide énergie
💥 collision/boum
💬 bulle de dialogue/commentaire discussion
💭 bulle de pensée/réfléchir
💤 sommeil/zzz
➡️ flèche droite/suivant
⬅️ flèche gauche/retour
⬆️ flèche haut/dessus
⬇️ flèche bas/dessous
↩️ flèche de retour/répondre
🔄 actualiser/répéter synchroniser
➕ plus/ajouter
➖ moins/retirer
✖️ fois/multiplier
♾️ infini/sans fin
™️ marque déposée
©️ copyright/droits auteur
ℹ️ information/info
🆗 bouton OK
🆕 bouton nouveau
🔴 cercle rouge/stop
🟠 cercle orange
🟡 cercle jaune
🟢 cercle vert/aller
🔵 cercle bleu
⚫ cercle noir
⚪ cercle blanc
🟥 carré rouge
🟩 carré vert
🟦 carré bleu
🏁 drapeau à damier/arrivée fin
🚩 drapeau rouge/alerte
`,
  },
};
