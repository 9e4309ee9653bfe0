import { keep } from "../file/keep.ts";

/** Saves what a film shows at the moment as PNG, named by the film and the second. Throws when the browser gives no picture of it. */
export async function saveStill(film: HTMLVideoElement, filename: string): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = film.videoWidth;
  canvas.height = film.videoHeight;
  canvas.getContext("2d")?.drawImage(film, 0, 0);
  const still = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!still) throw new Error("The browser made no picture.");
  keep(still, `${filename.replace(/\.[^.]*$/, "")} ${film.currentTime.toFixed(1)}.png`);
}
