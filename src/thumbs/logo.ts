import { readFile, rm, writeFile } from "node:fs/promises";
import { Failure } from "#contract/failures";
import { LOGO_PIXELS, MAX_LOGO_PIXELS } from "#contract/limits";
import type { createKept } from "./kept.ts";
import type { createMaker } from "./maker.ts";

interface LogoDeps {
  readonly kept: Pick<ReturnType<typeof createKept>, "temporary">;
  readonly maker: Pick<ReturnType<typeof createMaker>, "make">;
}

const LOGO = { formats: ["jpeg", "png", "webp", "gif"], maxPixels: MAX_LOGO_PIXELS, width: LOGO_PIXELS, quality: 92 };

/**
 * Makes what decodes a picture that somebody has uploaded and writes it anew as a small WebP: nothing but its pixels is left of it. Rejects
 * with 413 logo.tooLarge, 415 logo.unreadable, 503 server.busy.
 */
export const createLogoOf =
  ({ kept, maker }: LogoDeps) =>
  async (sent: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
    const [source, target] = [await kept.temporary(), await kept.temporary()];
    try {
      await writeFile(source, sent, { mode: 0o600 });
      const outcome = await maker.make({ source, target, ...LOGO }, signal);
      // A process that was ended because nobody waits says that it cannot read the picture.
      if (outcome === "failed" || signal.aborted) throw new Failure("server.busy");
      if (typeof outcome === "string")
        throw new Failure(outcome === "tooLarge" ? "logo.tooLarge" : "logo.unreadable", {
          megapixels: LOGO.maxPixels / 1e6,
        });
      return await readFile(target);
    } finally {
      await Promise.all([rm(source, { force: true }), rm(target, { force: true })]);
    }
  };
