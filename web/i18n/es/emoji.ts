import type { Shape } from "../shape.ts";
import type { emoji as zh } from "../zh/emoji.ts";

/** Emoji by group, one a line: the sign, its name, and behind a slash other words to find it by. */
export const emoji: Shape<typeof zh> = {
  search: "Buscar emoji",
  none: "No se encontró ningún emoji",
  group: {
    faces: "Caras",
    people: "Personas",
    nature: "Naturaleza",
    food: "Comida",
    things: "Objetos",
    signs: "Símbolos",
  },
  signs: {
    faces: `
😀 cara sonriente/sonrisa feliz
😄 risa con boca abierta/feliz alegría
😁 cara radiante/sonrisa dientes
😆 risa con ojos cerrados/jaja
😅 risa con sudor/alivio uf
😂 lágrimas de alegría/risa llorar jaja
🤣 muerto de risa/suelo carcajada
🙂 sonrisa leve/bien
🙃 cara al revés/ironía
😉 guiño/ojo
😊 ojos sonrientes/sonrojo contento
😇 aureola/ángel inocente
🥰 sonrisa con corazones/amor adorar
😍 ojos de corazón/amor enamorado
😘 lanzando un beso/beso amor
😋 rico/delicioso ñam
😜 lengua fuera y guiño/broma
🤪 cara alocada/loco
🤗 abrazo/abrazar
🤭 mano en la boca/ups risita
🤫 silencio/callar secreto
🤔 cara pensativa/pensar duda
🤐 boca cerrada/callado secreto
😐 cara neutra/indiferente
😑 sin expresión/aburrido
😏 sonrisa pícara/astuto
🙄 ojos en blanco/harto
😬 mueca/incómodo
😌 aliviado/calma
😔 desanimado/triste
😴 dormido/cansado sueño zzz
😷 mascarilla/enfermo
🤒 termómetro/fiebre enfermo
🤯 cabeza explotando/asombro
🥳 cara de fiesta/celebrar
😎 gafas de sol/genial lentes
🤓 cara de empollón/listo nerd
🧐 monóculo/examinar
😕 confundido/duda
😟 preocupado/inquietud
😮 boca abierta/sorpresa guau
😳 sonrojado/vergüenza
🥺 suplicante/por favor
😢 llorando/lágrima triste
😭 llanto a mares/llorar
😱 gritando/miedo terror
😤 resoplando/triunfo enojo
😡 cara roja de enfado/furioso enojo
🤬 palabrotas/maldecir insulto
😈 diablo sonriente/demonio malo
💀 calavera/muerto
💩 caca/desastre
🤡 payaso/broma
👻 fantasma/susto
👽 extraterrestre/espacio alien
🤖 robot/máquina
`,
    people: `
👍 pulgar arriba/sí bien me gusta
👎 pulgar abajo/no mal
👌 mano OK/perfecto bien
✌️ signo de victoria/paz
🤞 dedos cruzados/suerte esperanza
🤝 apretón de manos/trato acuerdo
👏 aplauso/manos bravo
🙌 manos en alto/hurra celebrar
🙏 manos juntas/por favor gracias rezar
💪 bíceps/fuerza músculo
👋 mano saludando/hola adiós
✋ mano levantada/alto
👆 dedo arriba/encima
👇 dedo abajo/debajo
👈 dedo a la izquierda
👉 dedo a la derecha
☝️ índice hacia arriba/atención
✍️ mano escribiendo/escribir
👀 ojos/mirar ver
🧠 cerebro/mente pensar
🗣️ cabeza hablando/hablar
👤 persona/usuario
👥 personas/usuarios equipo
🤷 encogerse de hombros/no sé
🤦 mano en la cara/ay no
🙋 persona con la mano alzada/pregunta yo
💁 mano ofreciendo/información
🏃 corriendo/prisa correr
🚶 caminando/ir andar
💃 bailando/fiesta
👨‍💻 hombre con computadora/programador ordenador
👩‍💻 mujer con computadora/programadora ordenador
`,
    nature: `
🐶 perro/mascota
🐱 gato/mascota
🐭 ratón/animal
🐰 conejo/animal
🦊 zorro/animal
🐻 oso/animal
🐼 panda/animal
🐯 tigre/animal
🦁 león/animal
🐮 vaca/animal
🐷 cerdo/animal
🐸 rana/animal
🐵 mono/animal
🐔 gallina/ave pollo
🐧 pingüino/ave linux
🐦 pájaro/ave animal
🦆 pato/ave
🦉 búho/ave noche
🐝 abeja/insecto
🦋 mariposa/insecto
🐛 oruga/error insecto bug
🐢 tortuga/lento
🐍 serpiente/python
🐙 pulpo/mar
🐳 ballena/mar docker
🐟 pez/mar pescado
🦄 unicornio/magia
🐉 dragón/mito
🌱 brote/crecer nuevo planta
🌲 árbol/bosque
🌵 cactus/desierto
🍀 trébol de cuatro hojas/suerte
🍁 hoja de arce/otoño
🌸 flor de cerezo/primavera
🌹 rosa/flor amor
🌻 girasol/flor
☀️ sol/tiempo brillante
🌙 luna/noche
⭐ estrella/favorito
🌈 arcoíris/color
☁️ nube/tiempo
⛈️ tormenta/tiempo rayo
❄️ copo de nieve/frío invierno
🔥 fuego/caliente llama
💧 gota/agua
🌊 ola/mar
🌍 globo terráqueo/tierra mundo
`,
    food: `
🍎 manzana/fruta
🍌 plátano/fruta banana
🍇 uvas/fruta
🍉 sandía/fruta
🍓 fresa/fruta frutilla
🍑 melocotón/fruta durazno
🍋 limón/fruta
🥑 aguacate/fruta palta
🍅 tomate/verdura
🥕 zanahoria/verdura
🌶️ chile/picante guindilla ají
🍞 pan/tostada
🧀 queso
🍗 muslo de pollo/carne
🍔 hamburguesa/comida rápida
🍟 patatas fritas/papas
🍕 pizza/comida rápida
🍜 fideos/sopa
🍚 arroz/cuenco
🥟 empanadilla/dumpling
🍣 sushi/pescado
🍱 caja de comida/bento
🍦 helado/dulce
🍰 pastel/dulce tarta
🎂 tarta de cumpleaños/celebrar pastel
🍫 chocolate/dulce
🍪 galleta/dulce
☕ café/bebida caliente
🍵 té/bebida caliente
🍺 cerveza/bebida
🍷 vino/bebida
🥂 brindis/salud copas
`,
    things: `
🎉 confeti/celebrar felicidades fiesta
🎁 regalo/presente
🎈 globo/fiesta
🏆 trofeo/ganar
🥇 medalla de oro/primero
⚽ fútbol/deporte balón
🏀 baloncesto/deporte básquet
🎮 mando de juego/jugar videojuego
🎲 dado/juego suerte
🎯 diana/objetivo meta
🎵 nota musical/música canción
🎧 auriculares/música
🎤 micrófono/cantar hablar
🎬 claqueta/cine vídeo película
🎨 paleta/arte pintar
🚀 cohete/lanzar rápido nave
✈️ avión/viaje vuelo
🚗 coche/conducir auto carro
🚌 autobús/viaje
🚆 tren/viaje
🚲 bicicleta/bici
🚢 barco/mar
🏠 casa/hogar
🏢 edificio de oficinas/trabajo
🏥 hospital/salud
🗺️ mapa/mundo
⌚ reloj/hora
📱 teléfono móvil/celular llamar
💻 portátil/computadora ordenador
🖥️ computadora de escritorio/pantalla ordenador
⌨️ teclado/escribir
🖨️ impresora/imprimir
💾 disquete/guardar
📷 cámara/foto
📞 teléfono/llamar
🔋 batería/energía pila
🔌 enchufe/energía
💡 bombilla/idea consejo
🔦 linterna/luz
💰 bolsa de dinero/efectivo
💳 tarjeta de crédito/pagar
⚖️ balanza/ley equilibrio
🔧 llave inglesa/arreglar herramienta
🔨 martillo/construir herramienta
⚙️ engranaje/ajustes
🧪 tubo de ensayo/experimento
🔬 microscopio/ciencia
💊 pastilla/medicina
🚪 puerta/salida
🔑 llave/contraseña clave
🔒 candado cerrado/seguro privado
🔓 candado abierto/abrir
📦 paquete/caja
✉️ sobre/correo carta
📧 correo electrónico/email
📝 nota/escribir apunte
📄 página/documento archivo
📁 carpeta/archivos
📂 carpeta abierta/archivos
📅 calendario/fecha
📈 gráfico al alza/crecimiento
📉 gráfico a la baja/caída
📊 gráfico de barras/estadística
📋 portapapeles/lista copiar
📌 chincheta/importante fijar
📎 clip/adjuntar
✂️ tijeras/cortar
🗑️ papelera/eliminar basura
📚 libros/leer aprender
📖 libro abierto/leer
🔖 marcador/etiqueta
🔗 enlace/cadena url
🔍 lupa/buscar
⏰ despertador/hora alarma
⏳ reloj de arena/esperar
🔔 campana/notificación
📣 megáfono/anunciar
`,
    signs: `
❤️ corazón rojo/amor
🧡 corazón naranja/amor
💛 corazón amarillo/amor
💚 corazón verde/amor
💙 corazón azul/amor
💜 corazón morado/amor
🖤 corazón negro/amor
💔 corazón roto/triste
💯 cien/perfecto lleno
✅ marca de verificación/hecho sí
☑️ casilla marcada/hecho
✔️ visto/hecho sí
❌ cruz/no mal
❓ signo de interrogación/pregunta
❗ signo de exclamación/importante
⚠️ advertencia/cuidado peligro
🚫 prohibido/no
⛔ prohibido el paso/alto
♻️ reciclar/verde
✨ destellos/nuevo brillo
⚡ rayo/rápido energía
💥 colisión/explosión bum
💬 globo de diálogo/comentario chat
💭 globo de pensamiento/pensar
💤 sueño/zzz dormir
➡️ flecha derecha/siguiente
⬅️ flecha izquierda/atrás
⬆️ flecha arriba/encima
⬇️ flecha abajo/debajo
↩️ flecha de retorno/responder
🔄 actualizar/repetir sincronizar
➕ más/añadir sumar
➖ menos/quitar restar
✖️ por/multiplicar
♾️ infinito/sin fin
™️ marca registrada
©️ copyright/derechos
ℹ️ información/info
🆗 botón OK
🆕 botón nuevo/new
🔴 círculo rojo/alto
🟠 círculo naranja
🟡 círculo amarillo
🟢 círculo verde/adelante
🔵 círculo azul
⚫ círculo negro
⚪ círculo blanco
🟥 cuadrado rojo
🟩 cuadrado verde
🟦 cuadrado azul
🏁 bandera a cuadros/meta final
🚩 bandera roja/aviso
`,
  },
};
