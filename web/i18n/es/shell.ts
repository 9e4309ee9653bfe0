import type { Shape } from "../shape.ts";
import type { shell as zh } from "../zh/shell.ts";

/** Words of the frame around every page, and of the components that all pages use. */
export const shell: Shape<typeof zh> = {
  brand: "{{site}}",
  skip: "Ir al contenido",
  nav: {
    label: "Principal",
    home: "Inicio",
    upload: "Subir",
    explorer: "Explorador",
    admin: "Administración",
    source: "Código fuente",
    open: "Abrir menú",
    close: "Cerrar menú",
  },
  language: "Idioma",
  theme: { auto: "Tema: el del sistema", light: "Tema: claro", dark: "Tema: oscuro" },
  footer: "© {{year}} {{site}}",
  titles: {
    home: "{{site}} · Portapapeles en línea",
    paste: "Texto compartido · {{site}}",
    file: "Archivo compartido · {{site}}",
    link: "Archivos compartidos · {{site}}",
    admin: "Administración · {{site}}",
    upload: "Subir archivos · {{site}}",
    explorer: "Explorador · {{site}}",
  },
  lazy: {
    title: "Esta página no se cargó",
    text: "Esta página no está disponible por ahora. Comprueba tu conexión.",
    retry: "Reintentar",
    back: "Volver",
    loading: "Cargando…",
  },
  broken: {
    title: "Algo falló en esta página",
    text: "Vuelve a cargar la página.",
    reload: "Recargar",
  },
  signedIn: {
    text: "Has iniciado sesión y ya puedes compartir. Elige pronto tu propia contraseña.",
    account: "Elegir contraseña",
    dismiss: "Entendido",
  },
  signedOut: {
    expired: "Tu sesión de administrador ha caducado. Inicia sesión de nuevo.",
    keyInvalid: "La clave API no es válida o ha caducado. Inicia sesión de nuevo.",
    unauthorized: "No tienes autorización. Inicia sesión de nuevo.",
  },
  wait: {
    seconds: "Demasiados intentos. Prueba de nuevo en {{seconds}} s.",
    minutes: "Demasiados intentos. Prueba de nuevo en {{minutes}} min.",
  },
  rawName: "Este nombre no es UTF-8 válido.",
  actions: {
    showMore: "Mostrar más",
    copied: "Copiado",
    copyFailed: "No se pudo copiar; selecciónalo a mano",
    close: "Cerrar",
    cancel: "Cancelar",
    showPassword: "Mostrar contraseña",
    hidePassword: "Ocultar contraseña",
    downloadQr: "Descargar PNG",
    qrLabel: "Código QR del enlace",
    retry: "Reintentar",
  },
  failure: {
    network: "No se puede conectar con el servidor. Comprueba tu conexión y vuelve a intentarlo.",
    queued:
      "No se puede conectar con el servidor. El cambio se guarda en este dispositivo y se enviará en cuanto sea posible.",
    timeout: "El servidor tardó demasiado en responder. Vuelve a intentarlo.",
    aborted: "La solicitud se canceló.",
    unknown: "No se entendió la respuesta del servidor. Vuelve a intentarlo.",
  },
};
