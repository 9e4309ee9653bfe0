import { createHash } from "node:crypto";
import type { AuditAction } from "#contract/audit-actions";
import { Failure } from "#contract/failures";
import { limitedAddress } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import { sameText } from "../lib/secret.ts";
import type { AccountRow, AdminTable } from "./admin-table.ts";
import type { Audit } from "./audit.ts";
import type { Limiter, Password } from "./limiter.ts";
import type { Passwords } from "./passwords.ts";
import type { Device, OpenedSession, Sessions } from "./sessions.ts";

export interface SignInDeps {
  readonly table: AdminTable;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly limiter: Limiter;
  readonly audit: Audit;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type SignedIn = OpenedSession & { readonly username: string };

const PASSWORD: Password = { byAddress: "loginByAddress", byStrangers: "loginByAccount", subject: "admin" };

/** The hash under which a one-time link is stored. */
export const linkHash = (token: string) => createHash("sha256").update(token).digest("base64url");

/** The account of the administrator. 401 login.wrong before the first start. */
export async function accountOf(table: AdminTable): Promise<AccountRow> {
  const found = await table.account();
  if (!found) throw new Failure("login.wrong");
  return found;
}

/** Signs the administrator in, and out. */
export function createSignIn({ table, clock, passwords, sessions, limiter, audit }: SignInDeps) {
  const trust = (address: string) => limiter.trust(PASSWORD, limitedAddress(address));

  const noteFailed = (address: string, actor: "admin" | "nobody" = "nobody") =>
    audit.note({ action: "login.failed", actor, address });

  /** Opens a session for an account, and closes it again if that has changed in between; undefined then. */
  const openFor = async (account: AccountRow, device: Device): Promise<SignedIn | undefined> => {
    const opened = await sessions.open(device);
    if (await table.isStill(account)) {
      await trust(device.address);
      return { ...opened, username: account.username };
    }
    await sessions.close(opened.id);
    return undefined;
  };

  /** 401 login.wrong when the credentials changed in between. */
  const openSession = async (before: AccountRow, device: Device, action: AuditAction): Promise<SignedIn> => {
    const { address } = device;
    const opened = await openFor(before, device);
    if (!opened) {
      await noteFailed(address);
      throw new Failure("login.wrong");
    }
    await audit.note({ action, actor: "admin", address, subject: opened.id });
    return opened;
  };

  /**
   * Checks name and password and returns the account they matched. A wrong name takes as long as a wrong password and
   * counts as one; otherwise the limits would reveal the name.
   */
  const check = async ({ username, password }: Credentials, address: string) => {
    const row = await accountOf(table);
    const named = sameText(username, row.username);
    const right = await limiter.guessPassword(
      PASSWORD,
      limitedAddress(address),
      async (who) => (await passwords.verify(password, row.password_hash, who)) && named,
    );
    if (!right) await noteFailed(address);
    return { account: row, right };
  };

  /** The caller is signed in, so guesses of strangers do not count. 401 account.wrongPassword, 429 limit.wait. */
  const proveAgain = async (password: string, { password_hash }: AccountRow, address: string): Promise<void> => {
    const counted = { limited: "loginByAddress", subject: limitedAddress(address) } as const;
    if (await limiter.guess([counted], () => passwords.verify(password, password_hash, "known"))) return;
    await noteFailed(address, "admin");
    throw new Failure("account.wrongPassword");
  };

  return {
    /** Remembers an address from which the administrator has signed in, so that guesses of others do not lock it out. */
    trust,
    check,
    proveAgain,
    openFor,

    /** 401 login.wrong, 429 limit.wait. */
    async login(credentials: Credentials, device: Device): Promise<SignedIn> {
      const checked = await check(credentials, device.address);
      if (!checked.right) throw new Failure("login.wrong");
      return await openSession(checked.account, device, "login.done");
    },

    /**
     * Uses up a one-time link. It works from any address: its 192 random bits cannot be guessed, and it is the way in
     * after a lock-out. 401 signInLink.invalid, 429 limit.wait.
     */
    async signInWithLink(token: string, device: Device): Promise<SignedIn> {
      if (await table.spendLink(linkHash(token), clock()))
        return await openSession(await accountOf(table), device, "login.link");
      await limiter.miss("loginByAddress", limitedAddress(device.address));
      await noteFailed(device.address);
      throw new Failure("signInLink.invalid");
    },

    /** Ends the session that a request carries. */
    async logOut(sessionId: string, address: string): Promise<void> {
      if (await sessions.close(sessionId))
        await audit.note({ action: "logout.done", actor: "admin", address, subject: sessionId });
    },
  };
}
