import { useCallback, useEffect, useRef, useState } from "react";
import { appUpdate } from "../../page/app-update.ts";
import type { Neighbours } from "../file/neighbours.ts";
import type { WorkerSession } from "../file/worker-session.ts";
import type { MusicQuestion } from "./music.ts";
import type { MusicTags } from "./tags.ts";

/** Recordings that are read at the same time. */
const WIDTH = 2;

type Titles = ReadonlyMap<string, MusicTags>;

/** The tags of the recordings in a list, read for those that have come into view: `seen` tells which. A name stays where a file says nothing. */
export function useTitles(find: Neighbours["find"]) {
  const [titles, setTitles] = useState<Titles>(new Map());
  const latest = useRef(find);
  latest.current = find;
  const reader = useRef<Reader>(undefined);
  useEffect(() => () => reader.current?.end(), []);
  const seen = useCallback((filename: string) => {
    reader.current ??= createReader(
      (name) => latest.current(name),
      (name, tags) => setTitles((before) => new Map(before).set(name, tags)),
    );
    reader.current.add(filename);
  }, []);
  return { titles, seen };
}

type Reader = ReturnType<typeof createReader>;

/** Reads recordings in the order in which they came into view, each once. */
function createReader(find: Neighbours["find"], onRead: (filename: string, tags: MusicTags) => void) {
  const [known, waiting] = [new Set<string>(), [] as string[]];
  let worker: Promise<WorkerSession<MusicQuestion, MusicTags>> | undefined;
  let busy = 0;
  let ended = false;
  const start = async () => (await appUpdate.arrival(() => import("./music.ts"))).startMusic();

  const read = async (filename: string): Promise<void> => {
    const found = await find(filename);
    if (!found || ended) return;
    worker ??= start();
    // One that could not be loaded is asked for again with the next file.
    worker.catch(() => {
      worker = undefined;
    });
    const tags = await (await worker).ask({ address: found.address, withCover: false });
    if (!ended) onRead(filename, tags);
  };

  const go = (): void => {
    while (busy < WIDTH && !ended) {
      const filename = waiting.shift();
      if (filename === undefined) return;
      busy += 1;
      // A file that cannot be read is called by its name.
      read(filename)
        .catch(() => undefined)
        .finally(() => {
          busy -= 1;
          go();
        });
    }
  };

  return {
    add(filename: string): void {
      if (known.has(filename)) return;
      known.add(filename);
      waiting.push(filename);
      go();
    },
    end(): void {
      ended = true;
      worker?.then(
        (started) => started.end(),
        () => undefined,
      );
    },
  };
}
