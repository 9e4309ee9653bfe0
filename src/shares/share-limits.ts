import { Failure } from "#contract/failures";
import { type Caller, type KeyCaller, ownerName } from "../access/principal.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import type { Settings } from "../settings/settings.ts";
import { visitorSharesTable } from "./visitor-shares-table.ts";

interface ShareLimitsDeps {
  readonly cluster: Pick<Cluster, "db" | "turns">;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Whoever acts with the visitors' key; undefined without one. */
  readonly visitors: () => Promise<KeyCaller | undefined>;
}

/** What the administrator lets a caller's shares be. */
interface AllowedShares {
  /** Hours after which a share ends that nobody gave an expiry; 0 is never. */
  readonly defaultHours: number;
  /** Hours that a share may last; 0 is without limit. */
  readonly longestHours: number;
}

const HOUR = 3_600_000;
/** The clock of whoever asks may be ahead: what is too long by no more than this is as long as it may be, in milliseconds. */
const TOLERANCE = HOUR;

/** How long shares last, and how many visitors have, as the settings of this moment say. */
export function createShareLimits({ cluster, clock, settings, visitors }: ShareLimitsDeps) {
  const table = visitorSharesTable(cluster.db);
  const inTurn = cluster.turns("shares of visitors");

  /** Visitors, and whoever has their key. */
  const isVisitor = async (caller: Caller): Promise<boolean> =>
    caller.kind === "key" && (caller.isVisitor || (await visitors())?.id === caller.id);

  const allowed = async (caller: Caller): Promise<AllowedShares> => {
    const forVisitors = settings.get("visitor_expiry_longest");
    const bounds = [settings.get("share_expiry_longest")];
    if (forVisitors > 0 && (await isVisitor(caller))) bounds.push(forVisitors);
    const longestHours = Math.min(...bounds.filter((hours) => hours > 0));
    const usual = settings.get("share_expiry_default");
    if (!Number.isFinite(longestHours)) return { defaultHours: usual, longestHours: 0 };
    return { defaultHours: usual === 0 ? longestHours : Math.min(usual, longestHours), longestHours };
  };

  /** An instant within what is allowed. 400 expiry.tooLong. */
  const bounded = (instant: number | null, { longestHours }: AllowedShares, now: number): number | null => {
    if (longestHours === 0) return instant;
    const last = now + longestHours * HOUR;
    if (instant === null || instant > last + TOLERANCE) throw new Failure("expiry.tooLong", { hours: longestHours });
    return Math.min(instant, last);
  };

  return {
    allowed,

    /** When a new share ends; null is never, and undefined says nothing. 400 expiry.past, expiry.tooLong. */
    async expiry(caller: Caller, wanted: number | null | undefined): Promise<number | null> {
      const [now, bounds] = [clock(), await allowed(caller)];
      if (wanted === undefined) return bounds.defaultHours === 0 ? null : now + bounds.defaultHours * HOUR;
      if (wanted !== null && !(wanted > now)) throw new Failure("expiry.past");
      return bounded(wanted, bounds, now);
    },

    /**
     * When an edited share ends: an edit form sends the old expiry back, which is no new one even when it has passed or lasts longer than
     * shares may by now. 400 expiry.past, expiry.tooLong.
     */
    async editedExpiry(
      caller: Caller,
      before: number | null,
      wanted: string | null | undefined,
    ): Promise<number | null> {
      if (wanted === undefined) return before;
      const [now, instant] = [clock(), wanted === null ? null : Date.parse(wanted)];
      if (instant === before) return before;
      if (instant !== null && !(instant > now)) throw new Failure("expiry.past");
      return bounded(instant, await allowed(caller), now);
    },

    /**
     * Runs what adds a share of the caller. Visitors wait for one another, so that of two at once only one takes the last place.
     * 403 visitors.shares.
     */
    async within<Result>(caller: Caller, add: () => Promise<Result>): Promise<Result> {
      const limit = settings.get("visitor_max_shares");
      if (limit === 0 || !(await isVisitor(caller))) return await add();
      return await inTurn("all", async () => {
        if ((await table.count(ownerName(caller), clock())) >= limit) throw new Failure("visitors.shares", { limit });
        return await add();
      });
    },
  };
}

export type ShareLimits = ReturnType<typeof createShareLimits>;
