import { createHash } from "node:crypto";
import type { AuditAction } from "#contract/endpoint";
import { Failure } from "#contract/failures";
import { SIGN_IN_LINK_LIFE } from "#contract/limits";
import type { Database } from "../database/database.ts";
import { limitedAddress } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import { randomToken, sameText } from "../lib/secret.ts";
import { type AccountRow, adminTable } from "./admin-table.ts";
import type { Audit } from "./audit.ts";
import type { Limiter, Password } from "./limiter.ts";
import type { Passwords } from "./passwords.ts";
import type { Device, OpenedSession, Sessions } from "./sessions.ts";

interface AdminDeps {
  db: Database;
  clock: Clock;
  passwords: Passwords;
  sessions: Sessions;
  limiter: Limiter;
  audit: Audit;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Credentials that the terminal prints once: the generated password, and a token that signs in without it. */
export interface FirstCredentials extends Credentials {
  readonly linkToken: string;
}

interface AccountChange {
  readonly currentPassword: string;
  readonly newPassword?: string | undefined;
  readonly newUsername?: string | undefined;
}

type SignedIn = OpenedSession & { readonly username: string };

const PASSWORD: Password = { byAddress: "loginByAddress", byStrangers: "loginByAccount", subject: "admin" };

/** A text that changes with the name and the password of the account and reveals neither. */
export const epochOf = ({ username, password_hash }: AccountRow): string =>
  createHash("sha256")
    .update(JSON.stringify([username, password_hash]))
    .digest("base64url");

const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");

/** The one administrator: account, sign-in and its one-time links. */
export async function openAdmin({ db, clock, passwords, sessions, limiter, audit }: AdminDeps) {
  const table = adminTable(db);

  const trust = (address: string) => limiter.trust(PASSWORD, limitedAddress(address));
  // Else a restart during an attack would lock the administrator out with everybody else.
  for (const address of new Set(await sessions.addresses())) await trust(address);

  const account = async (): Promise<AccountRow> => {
    const found = await table.account();
    if (!found) throw new Failure("login.wrong");
    return found;
  };

  const noteFailed = (address: string, actor: "admin" | "nobody" = "nobody") =>
    audit.note({ action: "login.failed", actor, address });

  /** Opens a session, and closes it again if the credentials changed in between. 401 login.wrong. */
  const openSession = async (before: AccountRow, device: Device, action: AuditAction): Promise<SignedIn> => {
    const { address } = device;
    const opened = await sessions.open(device);
    if (await table.isStill(before)) {
      await trust(address);
      await audit.note({ action, actor: "admin", address, subject: opened.id });
      return { ...opened, username: before.username };
    }
    await sessions.close(opened.id);
    await noteFailed(address);
    throw new Failure("login.wrong");
  };

  /**
   * Checks name and password and returns the account they matched. A wrong name takes as long as a wrong password and
   * counts as one; otherwise the limits would reveal the name.
   */
  const check = async ({ username, password }: Credentials, address: string) => {
    const row = await account();
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

  const addLink = async () => {
    const token = randomToken(24);
    await table.addLink(hashOf(token), clock() + SIGN_IN_LINK_LIFE);
    return token;
  };

  return {
    /** 401 login.wrong, 429 limit.wait. */
    async login(credentials: Credentials, device: Device): Promise<SignedIn> {
      const checked = await check(credentials, device.address);
      if (!checked.right) throw new Failure("login.wrong");
      return await openSession(checked.account, device, "login.done");
    },

    /** Like `login`, without a session: for clients that send the password with every request. 429 limit.wait. */
    check,

    /** The epoch of the account as it is now, also when it was changed from the terminal; undefined before the first start. */
    async epoch(): Promise<string | undefined> {
      const row = await table.account();
      return row && epochOf(row);
    },

    /** Reports whether the password is still one that the terminal printed. */
    hasGeneratedPassword: async (): Promise<boolean> => (await table.account())?.is_generated === 1,

    /** Reports whether the account is unchanged, including changes made from the terminal. */
    async isStill({ username, password_hash }: AccountRow): Promise<boolean> {
      const now = await account();
      return now.password_hash === password_hash && now.username === username;
    },

    /**
     * Uses up a one-time link. It works from any address: its 192 random bits cannot be guessed, and it is the way in
     * after a lock-out. 401 signInLink.invalid, 429 limit.wait.
     */
    async signInWithLink(token: string, device: Device): Promise<SignedIn> {
      if (await table.spendLink(hashOf(token), clock()))
        return await openSession(await account(), device, "login.link");
      await limiter.miss("loginByAddress", limitedAddress(device.address));
      await noteFailed(device.address);
      throw new Failure("signInLink.invalid");
    },

    /** Ends the session that a request carries. */
    async logOut(sessionId: string, address: string): Promise<void> {
      if (await sessions.close(sessionId))
        await audit.note({ action: "logout.done", actor: "admin", address, subject: sessionId });
    },

    /** Changes name, password or both and ends every session. 401 account.wrongPassword, 400 for nothing new. */
    async change({ currentPassword, newPassword, newUsername }: AccountChange, device: Device): Promise<void> {
      const before = await account();
      if (!newPassword && !newUsername) throw new Failure("account.nothingToChange");
      await proveAgain(currentPassword, before, device.address);
      if (newPassword === currentPassword) throw new Failure("account.samePassword");
      const chosen = newPassword ? { password_hash: await passwords.hash(newPassword), is_generated: 0 } : before;
      await table.change(before, { ...chosen, username: newUsername || before.username }, clock());
    },

    /** Makes the account at the very first start; undefined when there is one already or the password was given. */
    async create(username: string, password: string | undefined): Promise<FirstCredentials | undefined> {
      if (await table.account()) return undefined;
      const chosen = password ?? randomToken(12);
      const account = { username, password_hash: await passwords.hash(chosen), is_generated: password ? 0 : 1 };
      const created = await table.create(account, clock());
      return created && !password ? { username, password: chosen, linkToken: await addLink() } : undefined;
    },

    /** A new random password and link; ends every session. For the terminal of the machine only. */
    async reset(): Promise<FirstCredentials> {
      const before = await table.account();
      if (!before) throw new Error("There is no administrator here yet. Start the server once.");
      const password = randomToken(12);
      await table.change(
        before,
        { ...before, password_hash: await passwords.hash(password), is_generated: 1 },
        clock(),
      );
      await audit.note({ action: "account.reset", actor: "terminal", address: "" });
      return { username: before.username, password, linkToken: await addLink() };
    },

    sweep: () => table.removeExpiredLinks(clock()),
  };
}

export type Admin = Awaited<ReturnType<typeof openAdmin>>;
