import type { Translation } from "#contract/languages";
import type { en } from "./en.ts";

export const es: Translation<typeof en> = {
  titles: {
    "share.opened": "Se abrió un contenido compartido",
    "share.spent": "Se agotó un contenido compartido",
    "file.arrived": "Ha llegado un archivo",
    "link.closed": "Se cerró un enlace de recepción",
    "upload.failed": "Falló una subida",
    "backup.failed": "Falló una copia de seguridad",
    "storage.full": "Un almacenamiento está lleno",
    "sign_in.new": "Inicio de sesión desde una dirección nueva",
    "job.failed": "Falló una tarea en segundo plano",
    test: "Una prueba de Satchel",
  },
  lines: {
    "share.opened": "{what}: abierto {openings} veces",
    "share.spent": "{what}: se ha usado la última vista",
    "file.arrived": "{name} llegó por el enlace {link}",
    "link.closed": "{link} ya no acepta archivos: {reason}",
    "upload.failed": "{key} no se guardó: {reason}",
    "backup.failed":
      "La copia de seguridad que empezó el {started_at} falló. En los ajustes de copias se indica el motivo.",
    "storage.full": "{name} está al {percent} %",
    "sign_in.new": "El administrador inició sesión desde {address}. Si no fuiste tú, cambia la contraseña.",
    "job.failed": "La tarea {job} de {owner} falló: {reason}",
  },
  openedOnce: "{what}: abierto",
  text: "Texto {slug}",
  file: "Archivo {name} ({slug})",
  filesFailed: "fallaron algunos archivos",
  more: "y {more} más",
  tested: "Si lees esto, las entregas llegan.",
  reasons: { "link.expired": "ha caducado.", "link.right": "su propietario ya no puede subir archivos." },
};
