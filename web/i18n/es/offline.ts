import type { Shape } from "../shape.ts";
import type { offline as zh } from "../zh/offline.ts";

/** The app without a connection: notices, changes that wait, a newer version, and its installation. */
export const offline: Shape<typeof zh> = {
  title: "Sin conexión y estado de la aplicación",
  onlineText: "Con conexión. Los cambios pendientes se envían automáticamente.",
  offlineText:
    "Sin conexión. Puedes ver lo que ya habías abierto; los cambios se guardan en este dispositivo y se envían cuando vuelva la conexión.",
  unreachedText:
    "No se puede conectar con el servidor. Puede que veas lo que ya habías abierto; los cambios se guardan en este dispositivo y se envían cuando responda.",
  lost: "Estás sin conexión. Lo que ya habías abierto sigue disponible.",
  restored: "Ha vuelto la conexión.",
  sent: {
    one: "Se ha enviado el cambio hecho sin conexión.",
    many: "Se han enviado los {{count}} de cambios hechos sin conexión.",
    other: "Se han enviado los {{count}} cambios hechos sin conexión.",
  },
  sharedAt: "Tu texto está compartido: {{link}}",
  sharedSeveral: {
    one: "{{count}} texto compartido.",
    many: "{{count}} de textos compartidos.",
    other: "{{count}} textos compartidos.",
  },
  showLinks: "Ver los enlaces",
  failed: "No se pudieron sincronizar los datos. Inténtalo más tarde.",
  damaged:
    "Los datos sin conexión estaban dañados y hubo que borrarlos. Puede que se hayan perdido cambios pendientes.",
  closed: "Otra pestaña ha abierto una versión más reciente de la aplicación. Vuelve a cargar esta página.",
  full: "En este dispositivo no queda espacio para el cambio. Vuelve a intentarlo cuando tengas conexión.",
  broken: "Lo guardado en este dispositivo no se puede leer ni cambiar en este momento. Vuelve a cargar esta página.",
  notQueued: {
    full: "En este dispositivo no queda espacio para el cambio. Deja esta página abierta y vuelve a intentarlo cuando tengas conexión, o copia tu texto.",
    closed:
      "El cambio no se guardó: otra pestaña ha abierto una versión más reciente de la aplicación. Copia tu texto y vuelve a cargar esta página.",
    broken:
      "El cambio no se guardó: este navegador no puede guardar nada en este momento. Deja esta página abierta y vuelve a intentarlo cuando tengas conexión, o copia tu texto.",
  },
  unshared:
    "No se pudo recibir lo compartido: es demasiado grande para este dispositivo o no se puede leer. Añádelo aquí a mano.",
  unforgotten:
    "No se pudo borrar lo que se guardaba para ti en este dispositivo. Borra los datos de este sitio en el navegador.",
  sendNow: "Enviar ahora",
  sendAgain: "Enviar de nuevo",
  retry: "Reintentar",
  edit: "Editar",
  discard: "Descartar",
  discardTitle: "¿Descartar este cambio?",
  discardText: "Por lo que sabe este dispositivo, el servidor no lo tiene y no hay otra copia.",
  undiscarded: {
    sending: "Se está enviando en este momento y no se puede descartar.",
    gone: "Ya no está pendiente: se envió entretanto o se descartó en otra pestaña.",
    changed:
      "Se cambió entretanto en otra pestaña, así que se conserva. Cierra este diálogo para ver la versión nueva.",
  },
  seen: "Quitar de la lista",
  copyLink: "Copiar enlace",
  text: "Contenido",
  suffix: "Sufijo propio",
  later: "Más tarde",
  badge: {
    offline: "Sin conexión",
    unreached: "Servidor inaccesible",
    waiting: {
      one: "{{count}} cambio pendiente",
      many: "{{count}} de cambios pendientes",
      other: "{{count}} cambios pendientes",
    },
    refused: "Un cambio fue rechazado",
    others: {
      one: "{{count}} cambio espera un inicio de sesión",
      many: "{{count}} de cambios esperan un inicio de sesión",
      other: "{{count}} cambios esperan un inicio de sesión",
    },
    done: "Cambios enviados",
  },
  change: {
    createPaste: "Compartir un texto",
    updatePaste: "Cambiar un texto",
    batchDeletePastes: "Eliminar textos",
    clearExpiredPastes: "Limpiar textos caducados",
    updateGroupSettings: "Cambiar ajustes",
    clearCache: "Vaciar la caché",
    verifyFilePassword: "Abrir un archivo con su contraseña",
    other: "Otro cambio",
  },
  state: {
    pending: "Espera la conexión",
    rejected: "El servidor lo rechazó",
    behind: "Espera tu decisión sobre el cambio rechazado anterior",
    sent: "Enviado",
    others: "Se enviará cuando inicie sesión quien lo hizo",
    foreign: "Hecho por otra versión de la aplicación; esta no puede enviarlo",
  },
  update: {
    title: "Hay una versión nueva",
    text: "La página se recarga con la actualización.",
    now: "Actualizar",
    check: "Buscar actualizaciones",
  },
  install: {
    title: "Instalar {{site}}",
    text: "Ábrelo como una aplicación, úsalo sin conexión y comparte desde tu teléfono.",
    now: "Instalar",
    none: "Este navegador no lo ofrece",
    installable: "Se puede instalar",
    installed: "Instalada",
  },
  status: {
    title: "Estado de la aplicación",
    network: "Red",
    online: "Con conexión",
    offline: "Sin conexión",
    worker: "Uso sin conexión",
    install: "Instalación",
    version: "Versión",
  },
  worker: {
    none: "No disponible en este navegador",
    unknown: "Desconocido",
    installing: "Instalando",
    waiting: "Hay una versión nueva lista",
    active: "Activo",
    redundant: "Reemplazado",
  },
};
