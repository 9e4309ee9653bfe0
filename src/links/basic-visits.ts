import { Failure } from "#contract/failures";
import type { Limiter } from "../access/limiter.ts";
import type { EnteredLink, LinkCaller } from "../access/principal.ts";
import type { Credentials } from "../access/sign-in.ts";
import type { Client } from "../activity/activity.ts";
import { limitedAddress } from "../lib/addresses.ts";
import { Lru } from "../lib/cache.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import { createSingleFlight } from "../lib/turns.ts";
import type { KeptLinks } from "./kept-links.ts";
import type { OpenedVisit } from "./opening.ts";
import type { Visitors } from "./visitors.ts";

interface BasicVisitsDeps {
  readonly kept: Pick<KeptLinks, "lockOf" | "slugOf">;
  readonly visitors: Pick<Visitors, "callerOf">;
  readonly open: (slug: string, request: BasicRequest) => Promise<Pick<OpenedVisit, "caller">>;
  readonly limiter: Pick<Limiter, "check" | "guess">;
  readonly secret: string;
  /** Returns when what other servers have changed is known here. */
  readonly synced: () => Promise<void>;
}

/** In the place of a password; no text, so that nobody types it. */
const BY_SIGNATURE = true;

type BasicRequest = Client & ({ readonly password: string } | { readonly hasSigned: true });

const MAX_REMEMBERED = 10_000;

type Lock = Awaited<ReturnType<KeptLinks["lockOf"]>>;

/**
 * Visitors who name a link and its password over HTTP Basic, as WebDAV clients do, with each request. The first one from an address
 * opens the link, and the others belong to that opening for as long as it lasts; this server remembers it in memory. What somebody types as
 * the password of a link that has none says nothing about them.
 */
export function createBasicVisits({ kept, visitors, open, limiter, secret, synced }: BasicVisitsDeps) {
  const hashKey = deriveKey(secret, "remembered visits");
  const remembered = new Lru<string, { readonly id: string; readonly visitor: string }>(MAX_REMEMBERED);
  const once = createSingleFlight<LinkCaller>();
  const lockFor = createLockLookUp({ kept, limiter, secret });

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
  const openedOnce = (hash: string, slug: string, request: BasicRequest): Promise<LinkCaller> =>
    once(hash, async () => {
      const before = await visitOf(hash, slug);
      if (before) return before;
      const { caller } = await open(slug, request);
      remembered.set(hash, { id: caller.id, visitor: caller.visitor });
      return caller;
    });

  /** Opens a link with this lock; says why it does not open. 429, 503. */
  const unlock = async (
    lock: Exclude<Lock, "none">,
    credentials: Credentials,
    client: Client,
  ): Promise<LinkCaller | Failure> => {
    const { username } = credentials;
    // Whoever waits for the same opening brings another password: it must open without one, should the link get one meanwhile.
    const password = lock === "open" ? null : credentials.password;
    try {
      return await openedOnce(hashOf(username, password, client.address), username, {
        ...client,
        password: password ?? "",
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 429) throw error;
      return error;
    }
  };

  return {
    known,

    /** Opens the link of this name; says why it does not open, and undefined where no link has the name. 429, 503. */
    async enter(credentials: Credentials, client: Client): Promise<EnteredLink | Failure | undefined> {
      const lock = await lockFor(credentials.username, client.address);
      if (lock === "none") return undefined;
      const caller = await unlock(lock, credentials, client);
      return caller instanceof Failure ? caller : { caller, byPassword: lock === "password" };
    },

    /** Whoever has signed with the secret of a link. 403 link.network; 404, 410, 429. */
    async signed(slug: string, client: Client): Promise<LinkCaller> {
      const hash = hashOf(slug, BY_SIGNATURE, client.address);
      return (await visitOf(hash, slug)) ?? (await openedOnce(hash, slug, { ...client, hasSigned: true }));
    },

    /** Whoever asks for a link by its address, with its password. 401 password.missing, password.wrong; 403 link.network; 404, 410, 429. */
    async visit(credentials: Credentials, client: Client): Promise<LinkCaller> {
      await synced();
      const before = await known(credentials, client.address);
      if (before) return before;
      const { username, password } = credentials;
      const lock = await kept.lockOf(username);
      // Opening what is not there is a guess.
      if (lock === "none") return (await open(username, { ...client, password })).caller;
      const visitor = await unlock(lock, credentials, client);
      if (visitor instanceof Failure) throw visitor;
      return visitor;
    },
  };
}

/**
 * Returns the function that finds what somebody at an address meets who has a name for a slug. One that no link has is a guess at a slug. The
 * same one again is no further guess: a program with an old name must not close links to its whole office. 429 limit.wait.
 */
function createLockLookUp({ kept, limiter, secret }: Pick<BasicVisitsDeps, "kept" | "limiter" | "secret">) {
  const hashKey = deriveKey(secret, "names of no link");
  const missed = new Lru<string, true>(MAX_REMEMBERED);

  return async (slug: string, address: string): Promise<Lock> => {
    const guesser = { limited: "missingShareByAddress", subject: limitedAddress(address) } as const;
    const mark = mac(hashKey, JSON.stringify([slug, guesser.subject])).toString("base64url");
    await limiter.check(guesser.limited, guesser.subject);
    let lock: Lock = "none";
    await limiter.guess(missed.get(mark) ? [] : [guesser], async () => {
      lock = await kept.lockOf(slug);
      return lock !== "none";
    });
    if (lock === "none") missed.set(mark, true);
    return lock;
  };
}
