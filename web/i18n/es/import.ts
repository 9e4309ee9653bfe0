import type { Shape } from "../shape.ts";
import type { importing as zh } from "../zh/import.ts";

/** The import of backups of other programs. */
export const importing: Shape<typeof zh> = {
  title: "Importar",
  source: "Copia de CloudPaste",
  sourceText:
    "Haz una copia de seguridad completa en la administración de CloudPaste. Su archivo JSON contiene todas las contraseñas y claves: mantenlo en privado y elimínalo después.",
  pingvin:
    "¿Vienes de Pingvin Share? Ejecuta satchel import en el servidor con su carpeta de datos: vienen también enlaces, contraseñas y archivos.",
  choose: "Elegir una copia",
  chooseOther: "Elegir otro archivo",
  none: "Primero verás un informe. No cambia nada.",
  tooLarge: "Aquí se pueden importar hasta {{size}}. Para una copia mayor, ejecuta satchel import en el servidor.",
  private: {
    legend: "Textos que no eran públicos",
    protect: "Bloquear",
    skip: "Omitir",
    protectText: "Reciben una contraseña que nadie conoce, hasta que pongas una nueva.",
    skipText: "No se importan y se indican en el informe.",
  },
  reading: "Revisando la copia",
  readingText: "El servidor lee el archivo. No se cambia nada.",
  cancel: "Cancelar",
  planTitle: "Qué se importaría",
  doneTitle: "Qué se importó",
  made: "Copia creada: {{when}}.",
  schema: "Esquema {{schema}}.",
  unchecked: "La copia no tiene suma de comprobación, así que no se puede verificar que esté completa.",
  columns: {
    kind: "Tipo",
    rows: "En la copia",
    adds: "Se añadirían",
    added: "Añadidos",
    present: "Ya están aquí",
    left: "Omitidos",
  },
  left: "{{rows}} omitidos: {{text}}",
  changed: "{{rows}} cambiados: {{text}}",
  comma: ", ",
  more: ", …",
  tables: "Tablas que se omiten",
  table: "{{table}} ({{rows}}): {{text}}",
  ready: "Importar solo añade. Lo que ya está aquí se queda como está.",
  nothing: "No hay nada que añadir.",
  run: "Importar",
  running: "Importando…",
  progress: "Importando {{kind}}: {{done}} de {{all}}",
  stop: "Detener",
  stopped: "Detenido. Lo importado se conserva; otra importación lo completa, sin duplicados.",
  repeat: "Lo importado se conserva; otra importación lo completa, sin duplicados.",
  done: "Importado. Los archivos se quedan en sus almacenamientos: prueba cada uno y luego elimina la copia.",
};
