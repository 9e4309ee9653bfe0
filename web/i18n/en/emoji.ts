import type { Shape } from "../shape.ts";
import type { emoji as zh } from "../zh/emoji.ts";

/** Emoji by group, one a line: the sign, its name, and behind a slash other words to find it by. */
export const emoji: Shape<typeof zh> = {
  search: "Search emoji",
  none: "No emoji found",
  group: { faces: "Faces", people: "People", nature: "Nature", food: "Food", things: "Things", signs: "Signs" },
  signs: {
    faces: `
😀 grinning face/smile happy
😄 laughing with open mouth/happy joy
😁 beaming face/grin
😆 squinting laugh/haha
😅 laugh with sweat/relief phew
😂 tears of joy/laugh lol
🤣 rolling on the floor/laugh rofl
🙂 slight smile/fine
🙃 upside-down face/irony
😉 winking face/wink
😊 smiling eyes/blush pleased
😇 halo/angel innocent
🥰 smiling with hearts/love adore
😍 heart eyes/love crush
😘 blowing a kiss/kiss love
😋 tasty/yum delicious
😜 tongue out and wink/joking
🤪 zany face/crazy
🤗 hug/embrace
🤭 hand over mouth/oops giggle
🤫 shushing/quiet secret
🤔 thinking face/hmm wonder
🤐 zipped mouth/silent secret
😐 neutral face/meh
😑 expressionless/blank
😏 smirk/sly
🙄 rolling eyes/annoyed
😬 grimace/awkward
😌 relieved/calm
😔 pensive/sad
😴 sleeping/tired zzz
😷 face mask/ill
🤒 thermometer/fever ill
🤯 mind blown/shocked
🥳 partying face/celebrate
😎 sunglasses/cool
🤓 nerd face/clever
🧐 monocle/inspect
😕 confused/unsure
😟 worried/concern
😮 open mouth/surprised wow
😳 flushed/embarrassed
🥺 pleading/please
😢 crying/tear sad
😭 sobbing/cry loud
😱 screaming/fear
😤 steam from nose/triumph
😡 angry red face/mad
🤬 swearing/curse
😈 smiling devil/evil
💀 skull/dead
💩 pile of poo/mess
🤡 clown/joke
👻 ghost/boo
👽 alien/space
🤖 robot/machine
`,
    people: `
👍 thumbs up/yes good like
👎 thumbs down/no bad
👌 OK hand/fine perfect
✌️ victory hand/peace
🤞 crossed fingers/luck hope
🤝 handshake/deal agree
👏 clapping hands/applause
🙌 raised hands/hooray
🙏 folded hands/please thanks pray
💪 strong arm/muscle power
👋 waving hand/hello bye
✋ raised hand/stop
👆 pointing up/above
👇 pointing down/below
👈 pointing left
👉 pointing right
☝️ index finger up/attention
✍️ writing hand/write
👀 eyes/look see
🧠 brain/mind think
🗣️ speaking head/talk
👤 person/user
👥 people/users team
🤷 shrug/dunno
🤦 facepalm/oh no
🙋 person raising hand/question me
💁 tipping hand/information
🏃 running/hurry
🚶 walking/go
💃 dancing/party
👨‍💻 man at computer/developer
👩‍💻 woman at computer/developer
`,
    nature: `
🐶 dog/pet
🐱 cat/pet
🐭 mouse/animal
🐰 rabbit/bunny
🦊 fox/animal
🐻 bear/animal
🐼 panda/animal
🐯 tiger/animal
🦁 lion/animal
🐮 cow/animal
🐷 pig/animal
🐸 frog/animal
🐵 monkey/animal
🐔 chicken/bird
🐧 penguin/bird linux
🐦 bird/animal
🦆 duck/bird
🦉 owl/bird night
🐝 bee/insect
🦋 butterfly/insect
🐛 bug/error insect
🐢 turtle/slow
🐍 snake/python
🐙 octopus/sea
🐳 whale/sea docker
🐟 fish/sea
🦄 unicorn/magic
🐉 dragon/myth
🌱 seedling/grow new
🌲 tree/forest
🌵 cactus/desert
🍀 four-leaf clover/luck
🍁 maple leaf/autumn
🌸 cherry blossom/spring flower
🌹 rose/flower love
🌻 sunflower/flower
☀️ sun/weather bright
🌙 moon/night
⭐ star/favourite
🌈 rainbow/colour
☁️ cloud/weather
⛈️ thunderstorm/weather
❄️ snowflake/cold winter
🔥 fire/hot lit
💧 drop/water
🌊 wave/sea
🌍 globe/earth world
`,
    food: `
🍎 apple/fruit
🍌 banana/fruit
🍇 grapes/fruit
🍉 watermelon/fruit
🍓 strawberry/fruit
🍑 peach/fruit
🍋 lemon/fruit
🥑 avocado/fruit
🍅 tomato/vegetable
🥕 carrot/vegetable
🌶️ chilli/hot spicy
🍞 bread/toast
🧀 cheese
🍗 chicken leg/meat
🍔 burger/fast food
🍟 chips/fries
🍕 pizza/fast food
🍜 noodles/soup
🍚 rice/bowl
🥟 dumpling
🍣 sushi/fish
🍱 lunch box/bento
🍦 ice cream/sweet
🍰 cake/sweet
🎂 birthday cake/celebrate
🍫 chocolate/sweet
🍪 biscuit/cookie
☕ coffee/hot drink
🍵 tea/hot drink
🍺 beer/drink
🍷 wine/drink
🥂 clinking glasses/cheers
`,
    things: `
🎉 party popper/celebrate congratulations
🎁 gift/present
🎈 balloon/party
🏆 trophy/win
🥇 gold medal/first
⚽ football/soccer sport
🏀 basketball/sport
🎮 game controller/play
🎲 die/dice game luck
🎯 bullseye/target goal
🎵 musical note/music song
🎧 headphones/music
🎤 microphone/sing talk
🎬 clapper/film video
🎨 palette/art paint
🚀 rocket/launch fast ship
✈️ plane/travel flight
🚗 car/drive
🚌 bus/travel
🚆 train/travel
🚲 bicycle/bike
🚢 ship/sea
🏠 house/home
🏢 office building/work
🏥 hospital/health
🗺️ map/world
⌚ watch/time
📱 mobile phone/call
💻 laptop/computer
🖥️ desktop computer/screen
⌨️ keyboard/type
🖨️ printer/print
💾 floppy disk/save
📷 camera/photo
📞 telephone/call
🔋 battery/power
🔌 plug/power
💡 light bulb/idea tip
🔦 torch/light
💰 money bag/cash
💳 credit card/pay
⚖️ scales/law balance
🔧 spanner/fix tool
🔨 hammer/build tool
⚙️ gear/settings
🧪 test tube/experiment
🔬 microscope/science
💊 pill/medicine
🚪 door/exit
🔑 key/password
🔒 locked/safe private
🔓 unlocked/open
📦 parcel/package box
✉️ envelope/mail letter
📧 e-mail/mail
📝 note/write memo
📄 page/document file
📁 folder/files
📂 open folder/files
📅 calendar/date
📈 rising chart/growth
📉 falling chart/decline
📊 bar chart/statistics
📋 clipboard/list copy
📌 pin/important
📎 paper clip/attach
✂️ scissors/cut
🗑️ bin/delete trash
📚 books/read learn
📖 open book/read
🔖 bookmark/label
🔗 link/chain url
🔍 magnifying glass/search
⏰ alarm clock/time
⏳ hourglass/wait
🔔 bell/notification
📣 megaphone/announce
`,
    signs: `
❤️ red heart/love
🧡 orange heart/love
💛 yellow heart/love
💚 green heart/love
💙 blue heart/love
💜 purple heart/love
🖤 black heart/love
💔 broken heart/sad
💯 hundred/perfect full
✅ check mark/done yes
☑️ ticked box/done
✔️ tick/done yes
❌ cross/no wrong
❓ question mark/why
❗ exclamation mark/important
⚠️ warning/caution danger
🚫 prohibited/no forbidden
⛔ no entry/stop
♻️ recycle/green
✨ sparkles/new shiny
⚡ lightning/fast power
💥 collision/boom
💬 speech bubble/comment chat
💭 thought bubble/think
💤 sleep/zzz
➡️ right arrow/next
⬅️ left arrow/back
⬆️ up arrow/above
⬇️ down arrow/below
↩️ return arrow/reply
🔄 refresh/repeat sync
➕ plus/add
➖ minus/remove
✖️ times/multiply
♾️ infinity/endless
™️ trade mark
©️ copyright
ℹ️ information/info
🆗 OK button
🆕 new button
🔴 red circle/stop
🟠 orange circle
🟡 yellow circle
🟢 green circle/go
🔵 blue circle
⚫ black circle
⚪ white circle
🟥 red square
🟩 green square
🟦 blue square
🏁 chequered flag/finish
🚩 red flag/warning
`,
  },
};
