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
  readonly kept: Pick<KeptLinks, "lockOf" | "slugOf">;
  readonly visitors: Pick<Visitors, "callerOf">;
  readonly open: (slug: string, knocking: BasicRequest) => Promise<Pick<OpenedVisit, "caller">>;
  readonly secret: string;
  /** Returns when what other servers have changed is known here. */
  readonly synced: () => Promise<void>;
}

/** In the place of a password; no text, so that nobody types it. */
const BY_SIGNATURE = true;

type BasicRequest = Doer & ({ readonly password: string } | { readonly hasSigned: true });

const MAX_REMEMBERED = 10_000;

/**
 * Visitors who name a link and its password over HTTP Basic, as WebDAV clients do, with each request. The first one from an address
 * opens the link, and the others belong to that opening for as long as it lasts; this server remembers it in memory. What somebody types as
 * the password of a link that has none says nothing about them.
 */
export function createBasicVisits({ kept, visitors, open, secret, synced }: BasicVisitsDeps) {
  const hashKey = deriveKey(secret, "remembered visits");
  const remembered = new Lru<string, { readonly id: string; readonly visitor: string }>(MAX_REMEMBERED);
  const once = createSingleFlight<LinkCaller>();

  /** Of a visit of a link without a password there is no password. */
  const hashOf = (slug: string, password: string | null | typeof BY_SIGNATURE, address: string): string =>
    mac(hashKey, JSON.stringify([slug, password, address])).toString("base64url");

  /** The visit that goes on under the name of a link: the link may have another name by now, and another link this one. */
  const visitOf = async (hash: string, slug: string): Promise<LinkCaller | undefined> => {
    const visit = remembered.get(hash);
    if (!visit || (await kept.slugOf(visit.id)) !== slug) return undefined;
    return await visitors.callerOf(visit.id, visit.visitor);
  };

  /**
   * Whoever came in so before, while that opening lasts. An opening without a password is none any more once the link has got one, because
   * that raises its version.
   */
  const known = async ({ username, password }: Credentials, address: string): Promise<LinkCaller | undefined> =>
    (await visitOf(hashOf(username, password, address), username)) ??
    (await visitOf(hashOf(username, null, address), username));

  /**
   * Opens the link for all who wait for it. Whoever comes here has looked for an opening before, and has asked the database since: others
   * may have opened it meanwhile, so it is looked for again where nobody else can begin one.
   */
  const openedOnce = (hash: string, slug: string, knocking: BasicRequest): Promise<LinkCaller> =>
    once(hash, async () => {
      const before = await visitOf(hash, slug);
      if (before) return before;
      const { caller } = await open(slug, knocking);
      remembered.set(hash, { id: caller.id, visitor: caller.visitor });
      return caller;
    });

  /** Opens the link of this name; says why it does not open, and undefined where no link has the name. 429, 503. */
  const enter = async (credentials: Credentials, doer: Doer): Promise<LinkCaller | Failure | undefined> => {
    const { username } = credentials;
    const lock = await kept.lockOf(username);
    if (lock === "none") return undefined;
    // Whoever waits for the same opening brings another password: it must open without one, should the link get one meanwhile.
    const password = lock === "open" ? null : credentials.password;
    try {
      return await openedOnce(hashOf(username, password, doer.address), username, {
        ...doer,
        password: password ?? "",
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 429) throw error;
      return error;
    }
  };

  return {
    known,
    enter,

    /** Whoever has signed with the secret of a link. 403 link.network; 404, 410, 429. */
    async signed(slug: string, doer: Doer): Promise<LinkCaller> {
      const hash = hashOf(slug, BY_SIGNATURE, doer.address);
      return (await visitOf(hash, slug)) ?? (await openedOnce(hash, slug, { ...doer, hasSigned: true }));
    },

    /** Whoever asks for a link by its address, with its password. 401 password.missing, password.wrong; 403 link.network; 404, 410, 429. */
    async visit(credentials: Credentials, doer: Doer): Promise<LinkCaller> {
      await synced();
      const visitor = (await known(credentials, doer.address)) ?? (await enter(credentials, doer));
      if (visitor instanceof Failure) throw visitor;
      const { username, password } = credentials;
      return visitor ?? (await open(username, { ...doer, password })).caller;
    },
  };
}
