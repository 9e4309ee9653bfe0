import type { Shape } from "../shape.ts";
import type { sealed as zh } from "../zh/sealed.ts";

/** The page of a sealed share: what opens it, what hinders that, and what it says when it is open. */
export const sealed: Shape<typeof zh> = {
  title: "Contenido sellado",
  opening: "{{come}} de {{whole}} abiertos…",
  copyText: "Copiar texto",
  tooLarge:
    "Este navegador no puede abrir un archivo tan grande en una página. Ábrelo con las dos líneas de abajo o prueba con otro navegador.",
  noViewer: "Está abierto, pero aquí no hay visor para este tipo de archivo. Descárgalo para usarlo.",
  office: "Sellado: un visor en línea no puede obtenerlo. Descárgalo para abrirlo.",
  mark: {
    link: "Sellado: solo quien tenga el enlace puede leerlo. El servidor no puede.",
    password: "Sellado: solo quien sepa la contraseña puede leerlo. El servidor no puede.",
  },
  key: {
    title: "Falta la clave",
    wrongTitle: "La clave no coincide",
    label: "Enlace o clave",
    text: "Pega el enlace completo que recibiste, con todo lo que va detrás de #, o solo la clave.",
  },
  password: {
    text: "Se selló con una contraseña. Inténtalo las veces que quieras: no gasta más vistas.",
  },
  noCrypto: {
    title: "Esta página no puede abrirlo",
    text: "Los navegadores solo abren contenido sellado con https. Abre este enlace con https o usa las dos líneas de abajo.",
  },
  tools: {
    title: "Abrir sin esta página",
    text: "Con curl y age (age-encryption.org), en una terminal:",
    copy: "Copiar línea",
    spends: "Si las vistas son limitadas, la primera línea gasta una.",
  },
  inTree: {
    title: "Este archivo está sellado",
    text: "Escribe la clave para la que se selló o su contraseña. Se abre en este navegador y durante diez minutos abre otros archivos sellados.",
    label: "Clave o contraseña",
    open: "Sellado en el almacenamiento, abierto en este navegador.",
    download: "Descargar {{name}}",
    forget: "Olvidar la clave",
    passkeyWrong: "La clave de esta llave de acceso no abre este archivo. Escribe la clave para la que se selló.",
    otherRecipient:
      "«{{name}}» lleva aquí y sella para otra clave: {{letters}}. Si no la elegiste tú, elimina el enlace y crea otro.",
  },
  failure: {
    wrongKey: "Esta clave no lo abre. Comprueba que el enlace se haya copiado entero.",
    damaged: "Está dañado: no es lo que se selló. Pide que te lo envíen de nuevo.",
    truncated: "Falta el final. Pide que te lo envíen de nuevo.",
    notAge: "No tiene el formato de los archivos sellados (age). Pide que te lo envíen de nuevo.",
    tooManyStanzas: "Contiene más claves de las que necesita cualquier enlace, así que no se abrió.",
    tooMuchWork: "Comprobar su contraseña sería demasiado trabajo para un navegador. Usa las dos líneas de abajo.",
    unreachable: "No llegó. Comprueba la conexión e inténtalo de nuevo.",
  },
};
