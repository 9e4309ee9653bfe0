import { Failure } from "#contract/failures";
import { BASIC_REMEMBERED } from "#contract/limits";
import { allows } from "#contract/permissions";
import type { Clock } from "../lib/clock.ts";
import { Lru } from "../lib/lru.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import type { Admin, Credentials } from "./admin.ts";
import type { AccountRow } from "./admin-table.ts";
import type { CheckKey } from "./key-check.ts";
import type { Caller } from "./principal.ts";

interface BasicRoom {
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
 * Who calls with HTTP Basic (RFC 7617): the administrator by name and password, or a key that may read by WebDAV as both.
 * Checking a password is dear and such clients send it with every request, so the outcome is remembered for five minutes,
 * by an HMAC of the whole credential and for as long as the account stays as it was. 401 login.wrong, 429 limit.wait.
 */
export function createBasic({ admin, checkKey, clock, secret }: BasicRoom) {
  const hashKey = deriveKey(secret, "remembered credentials");
  const remembered = new Lru<string, Checked>(MOST_REMEMBERED);

  const known = async (hash: string): Promise<boolean | undefined> => {
    const before = remembered.get(hash);
    if (!before || before.until <= clock()) return undefined;
    return (await admin.isStill(before.account)) ? before.right : undefined;
  };

  const isAdmin = async (credentials: Credentials, address: string): Promise<boolean> => {
    const hash = mac(hashKey, JSON.stringify([credentials.username, credentials.password])).toString("base64url");
    const before = await known(hash);
    if (before !== undefined) return before;
    const checked = await admin.check(credentials, address);
    remembered.set(hash, { ...checked, until: clock() + BASIC_REMEMBERED });
    // The account may have been changed while the password was checked.
    return checked.right && (await admin.isStill(checked.account));
  };

  return async (credentials: Credentials, address: string): Promise<Caller> => {
    const { username, password } = credentials;
    const key = username === password ? await checkKey(password, address) : undefined;
    if (key && allows(key.permissions, "webdav_read")) return key;
    if (await isAdmin(credentials, address)) return { kind: "admin", sessionId: null };
    throw new Failure("login.wrong");
  };
}

export type Basic = ReturnType<typeof createBasic>;
