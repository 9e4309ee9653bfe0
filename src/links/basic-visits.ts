import { Failure } from "#contract/failures";
import type { LinkCaller } from "../access/principal.ts";
import type { Credentials } from "../access/sign-in.ts";
import type { Doer } from "../activity/activity.ts";
import { Lru } from "../lib/cache.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import { createSingleFlight } from "../lib/turns.ts";
import type { KeptLinks } from "./kept-links.ts";
import type { OpenedVisit } from "./opening.ts";
import type { Visitors } from "./visitors.ts";

interface BasicVisitsDeps {
  readonly kept: Pick<KeptLinks, "isSlug">;
  readonly visitors: Pick<Visitors, "callerOf">;
  readonly open: (slug: string, knocking: Doer & { readonly password: string }) => Promise<OpenedVisit>;
  readonly secret: string;
}

const MAX_REMEMBERED = 10_000;

/**
 * Visitors who name a link and its password over HTTP Basic, as WebDAV clients do, with each request. The first one from an address
 * opens the link, and the others belong to that opening for as long as it lasts; this server remembers it in memory.
 */
export function createBasicVisits({ kept, visitors, open, secret }: BasicVisitsDeps) {
  const hashKey = deriveKey(secret, "remembered visits");
  const remembered = new Lru<string, { readonly id: string; readonly visitor: string }>(MAX_REMEMBERED);
  const once = createSingleFlight<OpenedVisit>();

  const hashOf = ({ username, password }: Credentials, address: string): string =>
    mac(hashKey, JSON.stringify([username, password, address])).toString("base64url");

  return {
    /** Whoever came in so before, while that opening lasts. */
    async known(credentials: Credentials, address: string): Promise<LinkCaller | undefined> {
      const visit = remembered.get(hashOf(credentials, address));
      return visit && (await visitors.callerOf(visit.id, visit.visitor));
    },

    /** Opens the link of this name; says why it does not open, and undefined where no link has the name. 429, 503. */
    async enter(credentials: Credentials, doer: Doer): Promise<LinkCaller | Failure | undefined> {
      const { username, password } = credentials;
      if (!(await kept.isSlug(username))) return undefined;
      const hash = hashOf(credentials, doer.address);
      try {
        const { caller } = await once(hash, () => open(username, { ...doer, password }));
        remembered.set(hash, { id: caller.id, visitor: caller.visitor });
        return caller;
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 429) throw error;
        return error;
      }
    },
  };
}
