import { PART_SIZE } from "#contract/limits";

/** Uploads that fill and send a buffer at the same time. More of them are no faster, and each takes 5 MiB. */
const AT_ONCE = 3;
/** The milliseconds after which a sender that has not filled its buffer counts as slow. */
const SLOW = 3000;

type Bytes = Uint8Array<ArrayBuffer>;

/** The buffers of one storage. */
export interface PartBuffers {
  /** Fills a buffer of so many bytes and runs a task with what was filled, which must not be used after the task. */
  use<Result>(
    size: number,
    fill: (buffer: Bytes) => Promise<Bytes>,
    work: (bytes: Bytes) => Promise<Result>,
  ): Promise<Result>;
  /** The same for another storage: those that are returned are common, and places are not. */
  ofAnother(): PartBuffers;
}

/**
 * Creates the buffers that collect the parts of uploads of unknown length: S3 needs the length of a part before its bytes. Only a
 * few uploads to a storage have one at once, and returned ones are used again. A slow sender keeps its buffer and gives up its
 * place, so that it does not block others; a storage that falls silent blocks its own uploads alone.
 */
export function createPartBuffers(atOnce = AT_ONCE, slow = SLOW, kept: Bytes[] = []): PartBuffers {
  let places = atOnce;
  const waiting: (() => void)[] = [];

  const enter = async (): Promise<void> => {
    if (places === 0) return await new Promise((resolve) => waiting.push(resolve));
    places -= 1;
  };

  /** Passes the place on to the next in the queue. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else places += 1;
  };

  return {
    async use(size, fill, work) {
      await enter();
      let hasPlace = true;
      const timer = setTimeout(() => {
        hasPlace = false;
        leave();
      }, slow);
      const buffer = (size === PART_SIZE ? kept.pop() : undefined) ?? new Uint8Array(size);
      try {
        const bytes = await fill(buffer).finally(() => clearTimeout(timer));
        return await work(bytes);
      } finally {
        if (size === PART_SIZE && kept.length < atOnce) kept.push(buffer);
        if (hasPlace) leave();
      }
    },

    ofAnother: () => createPartBuffers(atOnce, slow, kept),
  };
}
