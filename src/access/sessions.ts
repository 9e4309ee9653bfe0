import { jwt } from "@elysiajs/jwt";
import { Failure } from "#contract/failures";
import { SESSION_IDLE, SESSION_LIFE } from "#contract/limits";
import type { Database } from "../database/database.ts";
import { Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { deriveKey } from "../lib/secret.ts";
import { type SessionRow, sessionsTable } from "./admin-table.ts";

/** The device that opened a session. */
export interface Device {
  readonly address: string;
  readonly userAgent: string;
}

export interface OpenedSession {
  readonly id: string;
  readonly token: string;
  /** Epoch milliseconds; slides with use. */
  readonly expiresAt: number;
}

const TOUCH_EVERY = 60_000;
const LONGEST_USER_AGENT = 300;
/** A script that signs in for each request must not fill the table. */
const MAX_SESSIONS = 1000;
const MAX_LISTED = 100;

/**
 * Sessions end after a day without use, thirty days in any case, and at once when they are closed or more than a thousand
 * others were used since.
 */
export function createSessions({ db, clock, tokens }: { db: Database; clock: Clock; tokens: Tokens }) {
  const table = sessionsTable(db);

  const touch = async (session: SessionRow, now: number) => {
    // Used in the future: the clock was set back, and the session must not idle until then.
    if (Math.abs(now - session.used_at) < TOUCH_EVERY) return;
    await table.touch(session.id, now, Math.min(now + SESSION_IDLE, session.created_at + SESSION_LIFE));
  };

  /** Ends a session and returns it; undefined when it had ended before. */
  const close = async (id: string): Promise<SessionRow | undefined> => {
    const ended = await table.remove(id);
    return ended && ended.expires_at > clock() ? ended : undefined;
  };

  return {
    async open({ address, userAgent }: Device): Promise<OpenedSession> {
      const now = clock();
      const id = Bun.randomUUIDv7();
      const expiresAt = now + SESSION_IDLE;
      const device = { address, user_agent: userAgent.slice(0, LONGEST_USER_AGENT) };
      await table.insert({ id, created_at: now, used_at: now, expires_at: expiresAt, ...device }, MAX_SESSIONS);
      return { id, token: await tokens.sign(id, now + SESSION_LIFE), expiresAt };
    },
    /** The id of the session that a token names and that still lives. */
    async resume(token: string): Promise<string | undefined> {
      const id = await tokens.read(token);
      const session = id && (await table.find(id));
      if (!session || session.expires_at <= clock()) return undefined;
      await touch(session, clock());
      return session.id;
    },
    /** Reports whether a session has neither ended nor expired. This is no use of it. */
    async isLive(id: string): Promise<boolean> {
      const session = await table.find(id);
      return session !== undefined && session.expires_at > clock();
    },
    /** Those that live, the last used first, a hundred at most; `total` counts them all. */
    async list(): Promise<{ sessions: SessionRow[]; total: number }> {
      const now = clock();
      return { sessions: await table.living(now, MAX_LISTED), total: await table.count(now) };
    },
    /** From where those that live were opened, once for each session. */
    addresses: async (): Promise<string[]> =>
      (await table.living(clock(), MAX_SESSIONS)).map(({ address }) => address).reverse(),
    close,
    /** As `close`. 404 session.missing. */
    async end(id: string): Promise<SessionRow> {
      const ended = await close(id);
      if (!ended) throw new Failure("session.missing");
      return ended;
    },
    /** Ends all sessions but the one with this id, or all for null; returns how many. */
    endOthers: (id: string | null): Promise<number> => table.removeOthers(id ?? "", clock()),
    sweep: () => table.removeExpired(clock()),
  };
}

export type Sessions = ReturnType<typeof createSessions>;

/** Signs and reads the tokens that name a session (JWT, RFC 7519, HS256). */
interface Tokens {
  sign(sessionId: string, expiresAt: number): Promise<string>;
  /** Returns the session that a token names; undefined if the token is altered, expired or foreign. */
  read(token: string): Promise<string | undefined>;
}

interface Claims {
  readonly sessionId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const LONGEST_TOKEN = 1000;

/** A token's signature never changes, so a token once found valid is remembered (500 at most); its expiry is checked each time. */
export function createTokens(secret: string, clock: Clock): Tokens {
  const { jwt: signer } = jwt({ name: "jwt", secret: deriveKey(secret, "session tokens") }).decorator;
  const known = new Lru<string, Claims>(500);

  const verify = async (token: string): Promise<Claims | undefined> => {
    const claims = await signer.verify(token, { currentDate: new Date(clock()), algorithms: ["HS256"] });
    if (!claims || typeof claims.sub !== "string" || typeof claims.exp !== "number") return undefined;
    return { sessionId: claims.sub, expiresAt: claims.exp * 1000 };
  };

  return {
    sign: (sessionId, expiresAt) => signer.sign({ sub: sessionId, exp: Math.floor(expiresAt / 1000), iat: false }),
    async read(token) {
      if (token.length > LONGEST_TOKEN) return undefined;
      const claims = known.get(token) ?? (await verify(token));
      if (!claims || claims.expiresAt <= clock()) return undefined;
      known.set(token, claims);
      return claims.sessionId;
    },
  };
}
