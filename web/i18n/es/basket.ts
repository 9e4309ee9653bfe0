import type { Shape } from "../shape.ts";
import type { basket as zh } from "../zh/basket.ts";

/** The file basket of the explorer. */
export const basket: Shape<typeof zh> = {
  title: "Cesta de archivos",
  open: "Cesta de archivos ({{count}})",
  there: "Ya está en la cesta.",
  full: "En la cesta caben {{most}} elementos como máximo; sin añadir: {{count}}.",
  emptyTitle: "La cesta está vacía",
  emptyText: "Selecciona archivos de cualquier carpeta, añádelos a la cesta y descárgalos en un solo ZIP.",
  summary: "Archivos: {{files}}, {{size}}",
  summaryFolders: "Archivos: {{files}}, carpetas: {{folders}}, {{size}}",
  expandAll: "Expandir todo",
  collapseAll: "Contraer todo",
  items: { one: "{{count}} elemento", many: "{{count}} de elementos", other: "{{count}} elementos" },
  remove: "Quitar “{{name}}”",
  clear: "Vaciar",
  clearTitle: "¿Vaciar la cesta?",
  clearText: "Los archivos no se modifican.",
  pack: "Descargar como ZIP",
  large: "Más de {{basketLarge}} en total: comprimir tardará un rato.",
  huge: "Más de {{basketHuge}} en total. Comprimir y descargar tardará mucho y ocupará mucho espacio en el disco.",
  hugeTitle: "¿Comprimir {{size}}?",
  hugeConfirm: "Comprimir",
  byBrowser: "Se comprime en este navegador. Sigue el progreso en Tareas.",
  byServer: "El servidor lo comprime mientras se descarga.",
  started: "Ha empezado la compresión. Sigue el progreso en Tareas.",
  startedThere: "Ha empezado la descarga. Tu navegador muestra el progreso.",
  report: "Estos archivos no se pudieron incluir:",
  unreadable: "No se pudo leer el archivo ({{status}}).",
};
