import { Failure } from "#contract/failures";
import type { Admin } from "./admin.ts";
import type { Keys } from "./keys.ts";
import {
  type AdminCaller,
  type Caller,
  type KeyCaller,
  type LinkCaller,
  linkNamed,
  ownerName,
  type TreeCaller,
} from "./principal.ts";
import type { Sessions } from "./sessions.ts";

/** Who began something, as a record remembers it: the owner's name and, in `credential`, how the owner was signed in. */
export interface Bearer {
  readonly owner: string;
  readonly credential: string;
  /** Of a visitor: the address as limits count it, and so a network of IPv6. */
  readonly network?: string | undefined;
}

/** Who began something that outlasts sessions, as a record remembers it. */
interface Lasting {
  readonly owner: string;
  /** What `lasting` answered when the record was made; null in records of older versions, which go on whatever has changed. */
  readonly credential: string | null;
}

interface CallersDeps {
  readonly sessions: Pick<Sessions, "isLive">;
  readonly admin: Pick<Admin, "epoch">;
  readonly keys: Pick<Keys, "callerOf" | "epoch" | "credential">;
  readonly links: LinkCallers;
  /** Returns when what other servers have changed is known here. */
  readonly synced: () => Promise<void>;
}

/** Whoever has opened a link, looked up again; links are of another room. */
interface LinkCallers {
  /** Undefined when the opening, the link or its owner has ended; `since` says what is asked about time, now unless said. */
  callerOf(id: string, visitor: string, since?: number): Promise<LinkCaller | undefined>;
  /** A text that changes with the link; undefined as for `callerOf`. */
  epoch(id: string, visitor: string): Promise<string | undefined>;
}

/** The credential of a visitor in a record. */
export const VISITOR = "visitor";

/** The part of a caller that a record stores. */
export const bearerOf = (caller: TreeCaller): Bearer => ({
  owner: ownerName(caller),
  credential: credentialOf(caller),
  network: caller.kind === "admin" ? undefined : caller.network,
});

function credentialOf(caller: TreeCaller): string {
  if (caller.kind === "link") return "";
  if (caller.kind === "key") return caller.isVisitor ? VISITOR : "";
  if (caller.sessionId !== null) return `session ${caller.sessionId}`;
  return caller.account === undefined ? "" : `account ${caller.account}`;
}

/** The administrator as a record remembers them: by session, by name and password, or (in older records) without either. */
function adminFrom(credential: string): AdminCaller {
  const [kind, value = ""] = credential.split(" ");
  if (kind === "session") return { kind: "admin", sessionId: value };
  return { kind: "admin", sessionId: null, ...(kind === "account" && { account: value }) };
}

/**
 * Looks callers up again. A request may take hours, so a principal that was read at its beginning says nothing about the
 * moment when its effect becomes visible: sessions end, keys are deleted, rights and base paths change.
 */
export function createCallers({ sessions, admin, keys, links, synced }: CallersDeps) {
  const adminNow = async (caller: AdminCaller): Promise<AdminCaller> => {
    const { sessionId, account } = caller;
    // The row of the account or session is read anew; what the caller meets with, as locks, is in memory.
    const [isLive, epoch] = await Promise.all([
      sessionId === null || sessions.isLive(sessionId),
      account === undefined ? undefined : admin.epoch(),
      synced(),
    ]);
    if (!isLive) throw new Failure("auth.expired");
    if (account !== epoch) throw new Failure("login.wrong");
    return caller;
  };

  const keyNow = async (owner: string, visitor: boolean): Promise<KeyCaller> => {
    await synced();
    const found = await keys.callerOf(owner);
    if (visitor && !(found?.kind === "key" && found.isVisitor)) throw new Failure("auth.required");
    if (found?.kind !== "key") throw new Failure("key.invalid");
    // The holder of the visitors' key is not a visitor.
    return { ...found, isVisitor: visitor };
  };

  const linkNow = async ({ id, visitor }: Pick<LinkCaller, "id" | "visitor">, since?: number): Promise<LinkCaller> => {
    await synced();
    const found = await links.callerOf(id, visitor, since);
    if (!found) throw new Failure("grant.void");
    return found;
  };

  async function now(caller: Caller): Promise<Caller>;
  async function now(caller: TreeCaller, since?: number): Promise<TreeCaller>;
  async function now(caller: TreeCaller, since?: number): Promise<TreeCaller> {
    if (caller.kind === "admin") return await adminNow(caller);
    if (caller.kind === "link") return { ...(await linkNow(caller, since)), network: caller.network };
    const { isVisitor, network } = caller;
    return { ...(await keyNow(ownerName(caller), isVisitor)), network };
  }

  /** The holder of a key, as long as it is the one that the record was made with. */
  const holderNow = async ({ owner, credential }: Lasting): Promise<KeyCaller> => {
    const found = await keyNow(owner, false);
    if (credential !== null && (await keys.credential(owner)) !== credential) throw new Failure("job.credential");
    return found;
  };

  return {
    /** A caller with the rights of this moment; what other servers had changed by then is known here too. Of a link that has run out since a moment it is who it was then. 401 auth.expired, login.wrong, key.invalid, auth.required for visitors; 403 grant.void. */
    now,

    /** As `now`, for the owner of a record. */
    of({ owner, credential }: Bearer): Promise<TreeCaller> {
      const link = linkNamed(owner);
      if (link) return linkNow(link);
      return owner === "admin" ? adminNow(adminFrom(credential)) : keyNow(owner, credential === VISITOR);
    },

    /** The owner of a record, without what only a credential could say; undefined when nobody is left of them. */
    async callerOf(owner: string): Promise<TreeCaller | undefined> {
      const link = linkNamed(owner);
      return link ? await links.callerOf(link.id, link.visitor) : await keys.callerOf(owner);
    },

    /**
     * Returns a text that changes with an owner's credential and rights: the administrator's name or password; a key's value, rights,
     * base path or expiry. Undefined if the owner is gone or has expired. Ended sessions do not change it. What other servers had changed
     * by then is known here: a grant is all that its bearer shows.
     */
    async epoch(owner: string): Promise<string | undefined> {
      await synced();
      const link = linkNamed(owner);
      if (link) return await links.epoch(link.id, link.visitor);
      return await (owner === "admin" ? admin.epoch() : keys.epoch(owner));
    },

    /**
     * What the record of a job remembers of its caller: a text that changes with the administrator's name or password, or with the value
     * of a key, whose rights may change meanwhile; of a visitor that it was one. Undefined if the caller is gone or has expired.
     */
    async lasting(caller: Caller): Promise<string | undefined> {
      if (caller.kind === "admin") return await admin.epoch();
      return caller.isVisitor ? VISITOR : await keys.credential(ownerName(caller));
    },

    /** The owner of such a record with the rights of this moment. 401 login.wrong, job.credential, key.invalid, auth.required for visitors. */
    ofLasting(record: Lasting): Promise<Caller> {
      const { owner, credential } = record;
      if (owner === "admin") return adminNow({ ...adminFrom(""), ...(credential !== null && { account: credential }) });
      return credential === VISITOR ? keyNow(owner, true) : holderNow(record);
    },
  };
}

export type Callers = ReturnType<typeof createCallers>;
