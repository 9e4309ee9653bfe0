import type { Shape } from "../shape.ts";
import type { scriptless as zh } from "../zh/scriptless.ts";

/** Pages where no scripts run. build.ts writes it into them, in every language; the app never loads it. */
export const scriptless: Shape<typeof zh> = {
  needs: "Esta página necesita JavaScript, que aquí está desactivado.",
  share: "Sin JavaScript, un contenido compartido se abre igualmente si no tiene contraseña; cuenta como una vista.",
  paste: "Abrir el texto tal cual",
  file: "Descargar el archivo",
};
