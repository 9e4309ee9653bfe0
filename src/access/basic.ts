import { Failure } from "#contract/failures";
import { BASIC_REMEMBERED } from "#contract/limits";
import { allows } from "#contract/permissions";
import { Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import { type Admin, type Credentials, epochOf } from "./admin.ts";
import type { AccountRow } from "./admin-table.ts";
import type { CheckKey } from "./key-check.ts";
import type { Caller, KeyCaller } from "./principal.ts";

interface BasicDeps {
  readonly admin: Admin;
  readonly checkKey: CheckKey;
  readonly clock: Clock;
  readonly secret: string;
}

/** What came of checking a name and a password against the account as it was then. */
interface Checked {
  readonly account: AccountRow;
  readonly right: boolean;
  readonly until: number;
}

const MOST_REMEMBERED = 1000;

/**
 * Who calls with HTTP Basic (RFC 7617): the administrator by name and password, or a key that may read by WebDAV as the password of any name.
 * Checking a password is dear and such clients send it with every request, so the outcome is remembered for five minutes,
 * by an HMAC of the whole credential and for as long as the account stays as it was. 401 login.wrong, 429 limit.wait.
 */
export function createBasic({ admin, checkKey, clock, secret }: BasicDeps) {
  const hashKey = deriveKey(secret, "remembered credentials");
  const remembered = new Lru<string, Checked>(MOST_REMEMBERED);

  const hashOf = ({ username, password }: Credentials): string =>
    mac(hashKey, JSON.stringify([username, password])).toString("base64url");

  /** The outcome of an earlier check, while the account is as it was. */
  const known = async (hash: string): Promise<Checked | undefined> => {
    const before = remembered.get(hash);
    if (!before || before.until <= clock()) return undefined;
    return (await admin.isStill(before.account)) ? before : undefined;
  };

  /** The account whose name and password these are; undefined when they are wrong. */
  const accountOf = async (credentials: Credentials, address: string): Promise<AccountRow | undefined> => {
    const hash = hashOf(credentials);
    const before = await known(hash);
    if (before) return before.right ? before.account : undefined;
    const checked = await admin.check(credentials, address);
    remembered.set(hash, { ...checked, until: clock() + BASIC_REMEMBERED });
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
  ): Promise<KeyCaller | Failure | undefined> => {
    try {
      return await checkKey(password, address);
    } catch (error) {
      if (username === password || !(error instanceof Failure)) throw error;
      return error;
    }
  };

  return async (credentials: Credentials, address: string): Promise<Caller> => {
    const before = await known(hashOf(credentials));
    const key = before?.right ? undefined : await keyOf(credentials, address);
    if (key && !(key instanceof Failure) && allows(key.permissions, "webdav_read")) return key;
    const account = await accountOf(credentials, address);
    if (account) return { kind: "admin", sessionId: null, account: epochOf(account) };
    throw key instanceof Failure ? key : new Failure("login.wrong");
  };
}

export type Basic = ReturnType<typeof createBasic>;
