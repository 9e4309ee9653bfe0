import { useQuery } from "@tanstack/react-query";
import { endingOf } from "#contract/file-kinds";
import { MAX_SHOWN_DRAWING } from "#contract/viewer-limits";
import type { Previewed } from "../file/kinds.ts";
import { readBytes } from "../file/read-bytes.ts";
import { decodeText, toldEncoding } from "../text/encodings.ts";

interface Source extends Pick<Previewed, "filename" | "mimetype"> {
  /** Where the browser loads it by itself; undefined while nobody knows. */
  readonly shown: string | undefined;
  /** Where it is read by fetch. */
  readonly read: string | undefined;
}

type Drawable = { readonly src?: string | undefined; readonly problem?: "failed" | "tooLarge" };

/**
 * Where a picture may be drawn from. An SVG is a program of what to draw, which the browser runs on the page's thread: it is read first,
 * and drawn only when that is little. Its text then stands in the address itself, so that what was read is what is drawn.
 */
export function useDrawable({ shown, read, filename, mimetype }: Source): Drawable {
  const isDrawing = /svg/i.test(mimetype) || endingOf(filename) === "svg";
  const { data, error } = useQuery({
    queryKey: ["file", "drawing", read],
    queryFn: async ({ signal }) => await harmlessDrawing(read ?? "", signal),
    enabled: isDrawing && read !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  if (!isDrawing) return { src: shown };
  if (error) return { problem: "failed" };
  return data === null ? { problem: "tooLarge" } : { src: data };
}

/** The address of a drawing's own text; null when it is more than a page can bear. */
export async function harmlessDrawing(url: string, signal: AbortSignal): Promise<string | null> {
  const { isLightDrawing } = await import("./weigh-drawing.ts");
  const bytes = await readBytes({ url, signal, most: MAX_SHOWN_DRAWING });
  // Without its declaration it is read as what it is now: UTF-8.
  const text = decodeText(bytes, toldEncoding(bytes) ?? "UTF-8").replace(/^\s*<\?xml[^>]*\?>/, "");
  if (!isLightDrawing(text)) return null;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
