/** Rows of modules, true is dark; with its quiet border. */
type QrModules = boolean[][];

const PIXELS_PER_MODULE = 12;

/** The dark modules as one SVG path, a module being one unit. */
export const qrPath = (modules: QrModules): string =>
  modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");

/** The code as a PNG picture in a data URL, black on white. */
export function qrPng(modules: QrModules): string {
  const canvas = document.createElement("canvas");
  canvas.width = modules.length * PIXELS_PER_MODULE;
  canvas.height = canvas.width;
  const pen = canvas.getContext("2d");
  if (!pen) return "";
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.scale(PIXELS_PER_MODULE, PIXELS_PER_MODULE);
  pen.fillStyle = "#000";
  pen.fill(new Path2D(qrPath(modules)));
  return canvas.toDataURL("image/png");
}
