import type { Shape } from "../shape.ts";
import type { activity as zh } from "../zh/activity.ts";

/** The log of who has used a text, a file or a link. */
export const activity: Shape<typeof zh> = {
  title: "Actividad",
  off: "El registro está desactivado y no se anota nada nuevo. El administrador puede activarlo en Ajustes, Global.",
  empty: "Aún no lo ha abierto nadie.",
  month: "Últimos 30 días",
  lately: "Últimos 30 días: {{counts}}",
  nothing: "sin actividad",
  day: "Día (UTC)",
  csv: "Descargar CSV",
  more: "Mostrar entradas anteriores",
  times: { one: "una vez", many: "{{count}} de veces", other: "{{count}} veces" },
  unknownProgram: "programa desconocido",
  manyNetworks: "varias redes",
  privacy:
    "Las entradas se conservan {{days}} días. Indican la red (/24 en IPv4, /48 en IPv6) y el tipo de programa, nunca una dirección IP completa.",
  events: {
    opened: "Abierto",
    downloaded: "Descargado",
    uploaded: "Subido",
    refused: "Rechazado",
  },
  counts: {
    opened: { one: "{{count}} apertura", many: "{{count}} de aperturas", other: "{{count}} aperturas" },
    downloaded: { one: "{{count}} descarga", many: "{{count}} de descargas", other: "{{count}} descargas" },
    uploaded: { one: "{{count}} subida", many: "{{count}} de subidas", other: "{{count}} subidas" },
    refused: { one: "{{count}} rechazo", many: "{{count}} de rechazos", other: "{{count}} rechazos" },
  },
  outcomes: {
    broken: "interrumpido",
    password: "contraseña incorrecta",
    network: "red no permitida",
    gone: "caducado o agotado",
  },
};
