import { rm, writeFile } from "node:fs/promises";
import { Failure } from "#contract/failures";
import { MAX_OFFERED_PIXELS, MAX_OFFERED_THUMB, sizeText, type ThumbWidth } from "#contract/limits";
import type { createKept } from "./kept.ts";
import type { createKnown } from "./known.ts";
import type { createMaker } from "./maker.ts";
import { offeredName, placeOf, type ThumbSource } from "./names.ts";
import type { Asker, Queues } from "./queue.ts";

/** A picture that somebody offers as the thumbnail of a file. */
interface Offer {
  readonly width: ThumbWidth;
  readonly bytes: Uint8Array;
  /** Asked right before it is kept: throws where whoever offers it may no longer write the file, or it has changed. */
  readonly recheck: () => Promise<void>;
  readonly asker: Asker;
}

interface OffersDeps {
  /** The thumbnail of a file, made if it can be. */
  readonly of: (source: ThumbSource, width: ThumbWidth, asker: Asker) => Promise<Uint8Array | undefined>;
  readonly kept: ReturnType<typeof createKept>;
  readonly known: ReturnType<typeof createKnown>;
  readonly maker: ReturnType<typeof createMaker>;
  readonly queue: Queues;
}

/** What a browser draws on a canvas comes in these. */
const OFFERED_AS = { formats: ["jpeg", "webp"], maxPixels: MAX_OFFERED_PIXELS };

/** What the sentence about an offer says. */
const offerBounds = { limit: sizeText(MAX_OFFERED_THUMB), megapixels: MAX_OFFERED_PIXELS / 1e6 };

/** Makes what keeps thumbnails that browsers have drawn of files of which none is made here. */
export function createOffers({ of, kept, known, maker, queue }: OffersDeps) {
  /** Whether there is a thumbnail, or one that can be made here. 412 path.changed. */
  const hasOne = async (source: ThumbSource, width: ThumbWidth, asker: Asker): Promise<boolean> => {
    try {
      if (await of(source, width, asker)) return true;
    } catch (error) {
      if (error instanceof Failure && error.code.startsWith("picture.")) return false;
      throw error;
    }
    throw new Failure("path.changed");
  };

  /** Decodes what was offered as anything from outside, and keeps what is made of it. */
  const keep = async (source: ThumbSource, { width, bytes, recheck, asker }: Offer): Promise<void> => {
    const [offered, target] = [await kept.temporary(), await kept.temporary()];
    try {
      await writeFile(offered, bytes, { mode: 0o600 });
      const outcome = await maker.make({ source: offered, target, width, ...OFFERED_AS }, asker.signal);
      asker.signal.throwIfAborted();
      if (outcome === "failed") throw new Failure("server.busy");
      if (typeof outcome === "string") throw new Failure("picture.offer", offerBounds);
      await recheck();
      await kept.put(offeredName(source, width), target);
      known.note(placeOf(source), outcome, true);
    } finally {
      await Promise.all([rm(offered, { force: true }), rm(target, { force: true })]);
    }
  };

  /**
   * Keeps a thumbnail for all who may see the file. 409 picture.made where there is one, 412 path.changed, 415 picture.offer; 503
   * server.busy.
   */
  return async (source: ThumbSource, offer: Offer): Promise<void> => {
    const { width, asker } = offer;
    if (await hasOne(source, width, asker)) throw new Failure("picture.made");
    if (queue.isFull(asker)) throw new Failure("server.busy");
    await queue.run(asker, () => keep(source, offer));
  };
}
