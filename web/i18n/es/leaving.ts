import type { Shape } from "../shape.ts";
import type { leaving as zh } from "../zh/leaving.ts";

/** The way out, and the question before a sign-out that would lose something. */
export const leaving: Shape<typeof zh> = {
  elsewhere: "Otras apps",
  logOut: "Cerrar sesión",
  as: "Sesión iniciada con la clave “{{name}}”",
  uploads: {
    title: "¿Detener las subidas y cerrar sesión?",
    text: "Aún se están subiendo archivos. Al cerrar sesión se detienen y lo que ha llegado de ellos se elimina.",
    confirm: "Detener y cerrar sesión",
    stay: "Seguir subiendo",
  },
  changes: {
    title: "¿Descartar los cambios pendientes y cerrar sesión?",
    text: "Los cambios hechos sin conexión aún no se han enviado. Al cerrar sesión se eliminan de este dispositivo.",
    confirm: "Eliminar y cerrar sesión",
    stay: "Seguir aquí",
  },
  draft: {
    title: "¿Eliminar el borrador y cerrar sesión?",
    text: "El texto de la página de inicio aún no se ha compartido. Al cerrar sesión se elimina de este navegador.",
    confirm: "Eliminar y cerrar sesión",
    stay: "Seguir aquí",
  },
};
