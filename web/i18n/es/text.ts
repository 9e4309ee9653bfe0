import type { Shape } from "../shape.ts";
import type { text as zh } from "../zh/text.ts";

/** Words of the viewer of texts: as they were written, and as what they mean. */
export const text: Shape<typeof zh> = {
  unread: {
    broken:
      "Este archivo está dañado o no es lo que dice su nombre, así que no se puede mostrar. Descárgalo para abrirlo.",
    tooLarge: "Descomprimido, este archivo es demasiado grande para mostrarlo aquí. Descárgalo para abrirlo.",
    encrypted: "Este archivo está protegido con contraseña y no se puede abrir aquí. Descárgalo para abrirlo.",
    late: "Leer este archivo tardaba demasiado y se detuvo. Descárgalo para abrirlo.",
    unsupported: "Este navegador no puede descomprimir este formato. Descarga el archivo para abrirlo.",
  },
  look: { markdown: "Leer", html: "Página", csv: "Tabla", json: "Árbol" },
  view: {
    shownAs: "Ver como",
    source: "Código",
    encoding: "Codificación",
    detected: "{{encoding}} (auto)",
    head: "Solo se muestran los primeros {{shown}} de {{whole}}. Descarga el archivo para verlo todo.",
    wrap: "Ajustar líneas",
    copy: "Copiar texto",
    counts: {
      one: "{{count}} línea, {{characters}}",
      many: "{{count}} líneas, {{characters}}",
      other: "{{count}} líneas, {{characters}}",
    },
    characters: { one: "{{count}} carácter", many: "{{count}} caracteres", other: "{{count}} caracteres" },
  },
};
