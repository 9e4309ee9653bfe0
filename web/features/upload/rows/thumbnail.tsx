import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { FileType } from "#contract/files";
import { FileIcon } from "../../../ui/file/file-icon.tsx";

/** Pictures above this are not decoded for a look, in bytes. */
const MAX_PICTURE = 20 * 1024 * 1024;
/** Twice the place that it takes, and something for the sides that are cut off; in pixels. */
const WIDTH = 112;

const types: readonly (readonly [RegExp, FileType])[] = [
  [/^image\//, "image"],
  [/^video\//, "video"],
  [/^audio\//, "audio"],
  [/^application\/pdf$/, "document"],
  [/officedocument|msword|ms-(excel|powerpoint)|opendocument/, "office"],
  [/^text\/|json|xml|javascript/, "text"],
];

/** The kind of a file that has not arrived, as far as the browser tells. */
const typeOf = ({ type }: File): FileType => types.find(([pattern]) => pattern.test(type))?.[1] ?? "unknown";

/** A small look at a picture, or a sign for the kind of file. */
export function Thumbnail({ file }: { readonly file: File }) {
  const type = typeOf(file);
  const box = useRef<HTMLDivElement>(null);
  const picture = usePicture(box, type === "image" && file.size <= MAX_PICTURE ? file : undefined);
  return (
    <div ref={box} className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-lg bg-sunken text-muted">
      {picture ? <Drawn picture={picture} /> : <FileIcon type={type} filename={file.name} className="size-5" />}
    </div>
  );
}

/** The picture of a file, small, once its place has come into view; it is let go of with the row. */
function usePicture(box: RefObject<HTMLElement | null>, file: File | undefined): ImageBitmap | undefined {
  const [picture, setPicture] = useState<ImageBitmap>();
  useEffect(() => {
    if (!file || !box.current) return;
    const left = new AbortController();
    let made: ImageBitmap | undefined;
    const seen = new IntersectionObserver(async (places) => {
      if (!places.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      made = await downscaled(file, left.signal);
      setPicture(made);
    });
    seen.observe(box.current);
    return () => {
      left.abort();
      seen.disconnect();
      setPicture(undefined);
      made?.close();
    };
  }, [box, file]);
  return picture;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * A small copy of a picture; undefined when the browser cannot show it, or nobody wants it any more. One is read after the
 * other: until it is small, a large photo takes a hundred megabytes.
 */
function downscaled(file: File, signal: AbortSignal): Promise<ImageBitmap | undefined> {
  const read = last.then(() => (signal.aborted ? undefined : decode(file, signal)));
  last = read;
  return read;
}

async function decode(file: File, signal: AbortSignal): Promise<ImageBitmap | undefined> {
  try {
    const picture = await createImageBitmap(file, { resizeWidth: WIDTH, resizeQuality: "medium" });
    if (!signal.aborted) return picture;
    picture.close();
  } catch {
    // The sign for its kind stays.
  }
  return undefined;
}

function Drawn({ picture }: { readonly picture: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = picture;
  useLayoutEffect(() => canvas.current?.getContext("2d")?.drawImage(picture, 0, 0), [picture]);
  return <canvas ref={canvas} aria-hidden width={width} height={height} className="size-full object-cover" />;
}
