import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { SIGN_IN_LINK_LIFE } from "#contract/limits";
import type { Database } from "../database/database.ts";
import { randomToken } from "../lib/secret.ts";
import { type AccountRow, adminTable } from "./admin-table.ts";
import type { FirstAccount } from "./first-account.ts";
import type { Device } from "./sessions.ts";
import { accountOf, type Credentials, createSignIn, linkHash, type SignedIn, type SignInDeps } from "./sign-in.ts";

interface AdminDeps extends Omit<SignInDeps, "table"> {
  readonly db: Database;
}

/** Credentials that the terminal prints once: the generated password, and a token that signs in without it. */
export interface FirstCredentials extends Credentials {
  readonly linkToken: string;
}

interface AccountChange {
  readonly currentPassword: string;
  readonly newPassword?: string | undefined;
  readonly newUsername?: string | undefined;
  /** Whether the caller has a session, and is to have one after it; a script that sends the password with each call has none. */
  readonly staysIn?: boolean;
}

/** A text that changes with the name and the password of the account and reveals neither. */
export const epochOf = ({ username, password_hash }: AccountRow): string =>
  createHash("sha256")
    .update(JSON.stringify([username, password_hash]))
    .digest("base64url");

/** The one administrator: account, sign-in and its one-time links. */
export async function openAdmin({ db, clock, passwords, sessions, limiter, audit }: AdminDeps) {
  const table = adminTable(db);
  const { trust, check, proveAgain, openFor, ...signIn } = createSignIn({
    table,
    clock,
    passwords,
    sessions,
    limiter,
    audit,
  });

  // Else a restart during an attack would lock the administrator out with everybody else.
  for (const address of new Set(await sessions.addresses())) await trust(address);

  const addLink = async () => {
    const token = randomToken(24);
    await table.addLink(linkHash(token), clock() + SIGN_IN_LINK_LIFE);
    return token;
  };

  return {
    ...signIn,

    /** Checks name and password without a session: for clients that send them with every request. 429 limit.wait. */
    check,

    /** The epoch of the account as it is now, also when it was changed from the terminal; undefined before the first start. */
    async epoch(): Promise<string | undefined> {
      const row = await table.account();
      return row && epochOf(row);
    },

    /** Reports whether the password is still one that the terminal printed. */
    hasGeneratedPassword: async (): Promise<boolean> => (await table.account())?.is_generated === 1,

    /** Reports whether this is the administrator's name. */
    isNamed: async (username: string): Promise<boolean> => (await table.account())?.username === username,

    /** Reports whether the account is unchanged, including changes made from the terminal. */
    async isStill({ username, password_hash }: AccountRow): Promise<boolean> {
      const now = await accountOf(table);
      return now.password_hash === password_hash && now.username === username;
    },

    /**
     * Changes name, password or both, ends every session, and opens a new one for the device that did it: whoever holds a copy of the token
     * that it had before is out with the others. Returns undefined if the account changed once more. 401 account.wrongPassword, 400 for
     * nothing new.
     */
    async change(
      { currentPassword, newPassword, newUsername, staysIn }: AccountChange,
      device: Device,
    ): Promise<SignedIn | undefined> {
      const before = await accountOf(table);
      if (!newPassword && !newUsername) throw new Failure("account.nothingToChange");
      await proveAgain(currentPassword, before, device.address);
      if (newPassword === currentPassword) throw new Failure("account.samePassword");
      const chosen = newPassword ? { password_hash: await passwords.hash(newPassword), is_generated: 0 } : before;
      const after = { ...before, ...chosen, username: newUsername || before.username };
      await table.change(before, after, clock());
      return staysIn ? await openFor(after, device) : undefined;
    },

    /** Makes the account at the very first start; undefined when there is one already or the password was given. */
    async create(begin: () => FirstAccount): Promise<FirstCredentials | undefined> {
      if (await table.account()) return undefined;
      const { username, password, isGenerated, hash } = begin();
      const account = { username, password_hash: await hash, is_generated: isGenerated ? 1 : 0 };
      const created = await table.create(account, clock());
      return created && isGenerated ? { username, password, linkToken: await addLink() } : undefined;
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
