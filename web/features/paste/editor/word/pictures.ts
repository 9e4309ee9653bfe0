/** A picture as Word takes it, with its size in CSS pixels. */
export interface WordPicture {
  readonly blob: Blob;
  readonly ending: "png" | "jpeg" | "gif";
  readonly width: number;
  readonly height: number;
}

/** The most that is drawn anew of a picture, in pixels of one side. */
const MOST_SIDE = 4000;
const known: Readonly<Record<string, WordPicture["ending"]>> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/gif": "gif",
};

async function drawn(image: HTMLImageElement, width: number, height: number, scale: number): Promise<Blob> {
  const most = Math.min(scale, MOST_SIDE / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * most));
  canvas.height = Math.max(1, Math.round(height * most));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The browser made no picture.");
  return blob;
}

/** The bytes of a picture; the page's policy lets nothing fetch what stands in an address itself. */
async function blobOf(address: string): Promise<Blob> {
  const [, type, base64] = /^data:(image\/\w+);base64,(.*)$/s.exec(address) ?? [];
  if (type && base64 !== undefined) {
    return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type });
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The picture answered ${answer.status}.`);
  return await answer.blob();
}

/** A picture of this server or of the text itself; what Word does not read is drawn anew as PNG. */
export async function pictureOf(image: HTMLImageElement): Promise<WordPicture> {
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const blob = await blobOf(image.src);
  const ending = known[blob.type];
  if (ending) return { blob, ending, width, height };
  return { blob: await drawn(image, width, height, 1), ending: "png", width, height };
}

/** A diagram, drawn at twice its size. */
export async function diagramOf(svg: SVGSVGElement): Promise<WordPicture> {
  const { width, height } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const image = new Image();
  const source = new XMLSerializer().serializeToString(copy);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  return { blob: await drawn(image, width, height, 2), ending: "png", width, height };
}
