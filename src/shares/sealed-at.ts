import type { Limiter } from "../access/limiter.ts";
import { limitedAddress } from "../lib/addresses.ts";
import type { Files } from "./files.ts";

interface SealedAtDeps {
  readonly files: Pick<Files, "isSealed">;
  readonly limiter: Limiter;
  /** Whether a link has a slug. */
  readonly hasLink: (slug: string) => Promise<boolean>;
}

/**
 * Returns the function that tells whether `/s/SLUG` is a sealed file, for whoever has not opened it: its page is served with a policy of
 * its own. An address at which there is neither that nor a link counts as a guess. 429 limit.wait.
 */
export const createSealedAt =
  ({ files, limiter, hasLink }: SealedAtDeps) =>
  async (slug: string, address: string): Promise<boolean> => {
    const guesser = { limited: "missingShareByAddress", subject: limitedAddress(address) } as const;
    await limiter.check(guesser.limited, guesser.subject);
    const found = await limiter.guess([guesser], async () =>
      (await files.isSealed(slug)) ? "sealed" : (await hasLink(slug)) ? "link" : undefined,
    );
    return found === "sealed";
  };
