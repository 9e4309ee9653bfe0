import { useEffect, useState } from "react";
import { declaredEncoding, decodeText } from "#contract/text/encodings";
import type { Neighbours } from "../file/neighbours.ts";
import { readBytes } from "../file/read-bytes.ts";
import { loadEncodingDetector } from "../text/detect-encoding.ts";
import { subtitlesOf, vttOf } from "./subtitles.ts";

/** The largest subtitles that are read, in bytes, and how many. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_TRACKS = 12;

interface Track {
  readonly address: string;
  readonly label: string;
  readonly language: string | undefined;
}

/** The subtitles that lie beside a film, ready for the browser. */
export function useSubtitles(film: string, neighbours: Neighbours | undefined): readonly Track[] {
  const [tracks, setTracks] = useState<readonly Track[]>([]);
  const names = neighbours?.files.filter(({ size }) => size <= MAX_BYTES).map(({ filename }) => filename) ?? [];
  const found = subtitlesOf(film, names).slice(0, MAX_TRACKS);
  // The folder is listed after the film has been opened by its address.
  const wanted = found.map(({ filename }) => filename).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` says when there are others
  useEffect(() => {
    if (!neighbours || found.length === 0) return;
    const left = new AbortController();
    const made: string[] = [];
    const load = async ({ filename, language, isSrt }: (typeof found)[number]): Promise<Track | undefined> => {
      const url = (await neighbours.find(filename))?.address;
      if (url === undefined) return undefined;
      const bytes = await readBytes({ url, signal: left.signal, most: MAX_BYTES });
      const encoding = declaredEncoding(bytes) ?? (await loadEncodingDetector())(bytes);
      const text = decodeText(bytes, encoding);
      const address = URL.createObjectURL(new Blob([isSrt ? vttOf(text) : text], { type: "text/vtt" }));
      made.push(address);
      return { address, label: language ?? filename, language };
    };
    void Promise.allSettled(found.map(load)).then((loaded) => {
      // The film plays without those that did not come.
      if (!left.signal.aborted)
        setTracks(loaded.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : [])));
    });
    return () => {
      left.abort();
      for (const address of made) URL.revokeObjectURL(address);
      setTracks([]);
    };
  }, [film, wanted]);
  return tracks;
}
