import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { endingOf } from "#contract/file-kinds";
import type { Previewed } from "#contract/shown-as";
import { declaredEncoding, decodeText } from "#contract/text/encodings";
import { MAX_SHOWN_DRAWING } from "#contract/viewer-limits";
import type { DrawingProblem } from "../../lib/pixels.ts";
import { useBlobAddress } from "../file/blob-address.ts";
import { readBytes } from "../file/read-bytes.ts";
import { WorkerFailure } from "../file/run-worker.ts";

interface Source extends Pick<Previewed, "filename" | "mimetype"> {
  /** Where the browser loads it by itself; undefined while nobody knows. */
  readonly shown: string | undefined;
  /** Where it is read by fetch. */
  readonly read: string | undefined;
}

interface Drawable {
  readonly src?: string | undefined;
  readonly problem?: DrawingProblem | undefined;
  /** Bytes that have come of a picture which is decoded when all have. */
  readonly arrived?: number | undefined;
  /** Draws what was held back; there when it was read. */
  readonly showAnyway?: (() => void) | undefined;
}

const isDrawing = ({ filename, mimetype }: Source): boolean => /svg/i.test(mimetype) || endingOf(filename) === "svg";

/** Reports whether few browsers draw a picture by themselves. */
export const isHeic = ({ filename, mimetype }: Pick<Source, "filename" | "mimetype">): boolean =>
  /^image\/hei[cf]/.test(mimetype) || /^(?:hei[cf]|hif)$/.test(endingOf(filename));

/** Where a picture may be drawn from: most are by the browser alone. */
export function useDrawable(source: Source): Drawable {
  const drawing = useDrawing(source, isDrawing(source));
  const heic = useHeic(source, isHeic(source));
  return drawing ?? heic ?? { src: source.shown };
}

/**
 * An SVG is a program of what to draw, which the browser runs on the page's thread: it is read first, and drawn only when that is little. Its
 * text then stands in the address itself, so that what was read is what is drawn.
 */
function useDrawing({ read }: Source, enabled: boolean): Drawable | undefined {
  const [wanted, setWanted] = useState<string>();
  const { data, error } = useQuery({
    queryKey: ["file", "drawing", read],
    queryFn: async ({ signal }) => await readDrawing(read ?? "", signal),
    enabled: enabled && read !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  if (!enabled) return undefined;
  if (error) return { problem: "failed" };
  if (!data || data.isLight || wanted === read) return { src: data?.address };
  return { problem: "tooLarge", showAnyway: () => setWanted(read) };
}

/** A HEIC picture is drawn by browsers of Apple; for others a worker decodes it, with a library that is loaded for the first one. */
function useHeic({ shown, read }: Source, enabled: boolean): Drawable | undefined {
  const [arrived, setArrived] = useState(0);
  const { data, error } = useQuery({
    queryKey: ["file", "heic", read],
    queryFn: async ({ signal }) => {
      const { browserDrawsHeic, decodeHeic } = await import("../heic/heic.ts");
      return (await browserDrawsHeic())
        ? "as it is"
        : await decodeHeic({ url: read ?? "", signal, onRead: setArrived });
    },
    enabled: enabled && read !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  const address = useBlobAddress(data === "as it is" ? undefined : data);
  if (!enabled) return undefined;
  if (error) return { problem: problemOf(error) };
  return data === "as it is" ? { src: shown } : { src: address, arrived };
}

function problemOf(error: unknown): DrawingProblem {
  if (!(error instanceof WorkerFailure)) return "failed";
  return error.code === "tooLarge" ? "tooLarge" : "damaged";
}

/** A drawing that was read: an address that is its own text, and whether a page can bear to draw it. Throws ApiFailure, also when it is too long. */
export async function readDrawing(url: string, signal: AbortSignal) {
  const { isLightDrawing, withoutEntities } = await import("./svg-complexity.ts");
  const bytes = await readBytes({ url, signal, most: MAX_SHOWN_DRAWING });
  // Without its declaration it is read as what it is now: UTF-8.
  const text = withoutEntities(decodeText(bytes, declaredEncoding(bytes) ?? "UTF-8").replace(/^\s*<\?xml[^>]*\?>/, ""));
  return { address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, isLight: isLightDrawing(text) };
}
