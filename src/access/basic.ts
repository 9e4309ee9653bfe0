import { Failure } from "#contract/failures";
import { BASIC_REMEMBERED } from "#contract/limits";
import { allows } from "#contract/permissions";
import { Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import { createSingleFlight } from "../lib/turns.ts";
import { type Admin, epochOf } from "./admin.ts";
import type { AccountRow } from "./admin-table.ts";
import type { CheckKey } from "./key-check.ts";
import type { EnteredLink, KeyCaller, LinkCaller, TreeCaller } from "./principal.ts";
import type { Credentials } from "./sign-in.ts";

interface BasicDeps {
  readonly admin: Admin;
  readonly checkKey: CheckKey;
  readonly links: BasicLinks;
  /** As for `createIdentify`. */
  readonly synced: () => Promise<void>;
  readonly clock: Clock;
  readonly secret: string;
}

/** Links whose slug and password somebody sends as name and password; they are of another room. */
interface BasicLinks {
  /** Whoever opened a link so before, while that lasts. */
  known(credentials: Credentials, address: string): Promise<LinkCaller | undefined>;
  /** Opens a link; says why it does not, and undefined where there is none of this name. 429 limit.wait. */
  enter(credentials: Credentials, sender: Sender): Promise<EnteredLink | Failure | undefined>;
}

/** Who sends a name and a password. */
export interface Sender {
  readonly address: string;
  /** User-Agent. */
  readonly agent?: string | null | undefined;
  /** As for `Identify`. */
  readonly takesKeys?: boolean | undefined;
}

/** The result of checking a name and a password against the account of that moment. */
interface Checked {
  readonly account: AccountRow;
  readonly right: boolean;
  readonly until: number;
}

const MAX_REMEMBERED = 1000;

/**
 * Checks HTTP Basic (RFC 7617): the administrator's name and password, any name with a key that may read by WebDAV as its password,
 * or the slug of a link with its password, which is any where the link has none.
 * Checking a password is expensive and such clients send it with every request, so the result is cached for five
 * minutes, by an HMAC of the whole credential, while the account stays unchanged. 401 login.wrong, 429 limit.wait.
 */
export function createBasic({ admin, checkKey, links, synced, clock, secret }: BasicDeps) {
  const hashKey = deriveKey(secret, "remembered credentials");
  const remembered = new Lru<string, Checked>(MAX_REMEMBERED);
  /** By credential and address. */
  const once = createSingleFlight<Checked>();

  const hashOf = ({ username, password }: Credentials): string =>
    mac(hashKey, JSON.stringify([username, password])).toString("base64url");

  /** The outcome of an earlier check, while the account is as it was. */
  const known = async (hash: string): Promise<Checked | undefined> => {
    const before = remembered.get(hash);
    if (!before || before.until <= clock()) return undefined;
    return (await admin.isStill(before.account)) ? before : undefined;
  };

  /** Checks and remembers a credential; whoever sends the same meanwhile waits for the same answer. */
  const check = (credentials: Credentials, hash: string, address: string): Promise<Checked> =>
    once(`${hash} ${address}`, async () => {
      const checked = { ...(await admin.check(credentials, address)), until: clock() + BASIC_REMEMBERED };
      remembered.set(hash, checked);
      return checked;
    });

  /** The account whose name and password these are; undefined when they are wrong. */
  const accountOf = async (credentials: Credentials, address: string): Promise<AccountRow | undefined> => {
    const hash = hashOf(credentials);
    const before = await known(hash);
    if (before) return before.right ? before.account : undefined;
    const checked = await check(credentials, hash, address);
    // The account may have been changed while the password was checked.
    return checked.right && (await admin.isStill(checked.account)) ? checked.account : undefined;
  };

  /**
   * The key that a password is, whatever the name. Somebody at the address who guesses keys must not keep the administrator out, so
   * a name with another password goes on to the account first, and hears of the limit only when it is none of that either.
   */
  const keyOf = async (
    { username, password }: Credentials,
    address: string,
    isOther: () => Promise<boolean>,
  ): Promise<KeyCaller | Failure | undefined> => {
    // Programs send an empty one where nobody typed any.
    if (password === "") return undefined;
    try {
      return await checkKey(password, address, isOther);
    } catch (error) {
      if (username === password || !(error instanceof Failure)) throw error;
      return error;
    }
  };

  /**
   * Returns the function that opens, once, the link that a name is, unless that is the administrator's own: nobody's link keeps them out.
   */
  const linkOf = (credentials: Credentials, sender: Sender) => {
    let entering: Promise<EnteredLink | Failure | undefined> | undefined;
    const enter = async (): Promise<EnteredLink | Failure | undefined> =>
      (await admin.isNamed(credentials.username)) ? undefined : await links.enter(credentials, sender);
    return () => (entering ??= enter());
  };

  return async (credentials: Credentials, sender: Sender): Promise<TreeCaller> => {
    const { address } = sender;
    // The account is read each time; what is in memory of keys and links is asked behind this.
    const [before] = await Promise.all([known(hashOf(credentials)), synced()]);
    if (before?.right) return { kind: "admin", sessionId: null, account: epochOf(before.account) };
    const visitor = await links.known(credentials, address);
    if (visitor) return visitor;
    const enterLink = linkOf(credentials, sender);
    const key = await keyOf(credentials, address, () => isByPassword(enterLink()));
    if (key && !(key instanceof Failure) && (sender.takesKeys || allows(key.permissions, "webdav_read"))) return key;
    const link = await enterLink();
    if (link && !(link instanceof Failure)) return link.caller;
    const account = link ? undefined : await accountOf(credentials, address);
    if (account) return { kind: "admin", sessionId: null, account: epochOf(account) };
    throw key instanceof Failure ? key : new Failure("login.wrong");
  };
}

/**
 * Reports whether a password opened a link. One that fails for whatever reason did not: were a guess at a key no guess
 * because the limit of links refused it, nothing would limit the guesses at keys.
 */
async function isByPassword(entering: Promise<EnteredLink | Failure | undefined>): Promise<boolean> {
  const link = await entering.catch(() => undefined);
  return link !== undefined && !(link instanceof Failure) && link.byPassword;
}

export type Basic = ReturnType<typeof createBasic>;
