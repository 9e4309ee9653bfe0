import type { Shape } from "../shape.ts";
import type { search as zh } from "../zh/search.ts";

/** The search for files and folders of the explorer. */
export const search: Shape<typeof zh> = {
  title: "Buscar archivos",
  open: "Buscar",
  label: "Nombre que buscas",
  placeholder: "Nombre de un archivo o carpeta",
  go: "Buscar",
  short: "Introduce al menos {{minQuery}} caracteres.",
  scope: "Dónde",
  scopes: { global: "Todos los archivos", mount: "Este montaje", directory: "Esta carpeta" },
  idle: "Escribe parte del nombre.",
  here: "En esta carpeta",
  elsewhere: "En el resto",
  recent: "Búsquedas recientes",
  clear: "Borrar",
  results: "Resultados",
  found: { one: "{{count}} resultado", many: "{{count}} de resultados", other: "{{count}} resultados" },
  foundMore: {
    one: "Más de {{count}} resultado",
    many: "Más de {{count}} de resultados",
    other: "Más de {{count}} resultados",
  },
  noneTitle: "Sin resultados",
  noneText: "Prueba con otra palabra o con parte del nombre.",
  noneHere: "Prueba con otra palabra o busca en todos los archivos.",
  failed: "La búsqueda falló.",
  more: "Mostrar más",
  moreFailed: "No se pudieron cargar más resultados.",
  copyPath: "Copiar ruta",
};
