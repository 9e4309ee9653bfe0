import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { declaredEncoding, decodeText } from "#contract/encodings";
import { endingOf } from "#contract/file-kinds";
import { MAX_SHOWN_DRAWING } from "#contract/viewer-limits";
import type { Previewed } from "../file/kinds.ts";
import { readBytes } from "../file/read-bytes.ts";

interface Source extends Pick<Previewed, "filename" | "mimetype"> {
  /** Where the browser loads it by itself; undefined while nobody knows. */
  readonly shown: string | undefined;
  /** Where it is read by fetch. */
  readonly read: string | undefined;
}

interface Drawable {
  readonly src?: string | undefined;
  readonly problem?: "failed" | "tooLarge" | undefined;
  /** Draws what was held back; there when it was read. */
  readonly showAnyway?: (() => void) | undefined;
}

/**
 * Where a picture may be drawn from. An SVG is a program of what to draw, which the browser runs on the page's thread: it is read first,
 * and drawn only when that is little. Its text then stands in the address itself, so that what was read is what is drawn.
 */
export function useDrawable({ shown, read, filename, mimetype }: Source): Drawable {
  const isDrawing = /svg/i.test(mimetype) || endingOf(filename) === "svg";
  const [wanted, setWanted] = useState<string>();
  const { data, error } = useQuery({
    queryKey: ["file", "drawing", read],
    queryFn: async ({ signal }) => await readDrawing(read ?? "", signal),
    enabled: isDrawing && read !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  if (!isDrawing) return { src: shown };
  if (error) return { problem: "failed" };
  if (!data || data.isLight || wanted === read) return { src: data?.address };
  return { problem: "tooLarge", showAnyway: () => setWanted(read) };
}

/** A drawing that was read: an address that is its own text, and whether a page can bear to draw it. Throws ApiFailure, also when it is too long. */
export async function readDrawing(url: string, signal: AbortSignal) {
  const { isLightDrawing, withoutEntities } = await import("./svg-complexity.ts");
  const bytes = await readBytes({ url, signal, most: MAX_SHOWN_DRAWING });
  // Without its declaration it is read as what it is now: UTF-8.
  const text = withoutEntities(decodeText(bytes, declaredEncoding(bytes) ?? "UTF-8").replace(/^\s*<\?xml[^>]*\?>/, ""));
  return { address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, isLight: isLightDrawing(text) };
}
