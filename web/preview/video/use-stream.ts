import { type RefObject, useEffect, useState } from "react";
import type { Neighbours } from "../file/neighbours.ts";

interface Stream {
  readonly media: RefObject<HTMLVideoElement | null>;
  /** Where the playlist is read; undefined for what is none. */
  readonly read: string | undefined;
  readonly neighbours: Neighbours | undefined;
}

/** Plays an HLS playlist whose parts lie in its folder. Answers why it does not: on a share's page the folder is missing. */
export function useStream({ media, read, neighbours }: Stream): "alone" | "streamFailed" | undefined {
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the folder is the same as long as the playlist is
  useEffect(() => {
    if (read === undefined || !neighbours) return;
    let left = false;
    let stop: (() => void) | undefined;
    import("./play-stream.ts").then(
      ({ playStream }) => {
        if (!left && media.current)
          stop = playStream({ media: media.current, read, neighbours, onFail: () => setFailed(true) });
      },
      () => setFailed(true),
    );
    return () => {
      left = true;
      stop?.();
    };
  }, [read, media]);
  if (read !== undefined && !neighbours) return "alone";
  return failed ? "streamFailed" : undefined;
}
