import { Failure } from "#contract/failures";
import type { Admin } from "./admin.ts";
import type { Keys } from "./keys.ts";
import { type AdminCaller, type Caller, type KeyCaller, ownerName } from "./principal.ts";
import { demand } from "./rights.ts";
import type { Sessions } from "./sessions.ts";

/** Who began something, as a record remembers it: the owner's name and, in `credential`, how the owner was signed in. */
export interface Bearer {
  readonly owner: string;
  readonly credential: string;
}

interface CallersDeps {
  readonly sessions: Pick<Sessions, "isLive">;
  readonly admin: Pick<Admin, "epoch">;
  readonly keys: Pick<Keys, "callerOf" | "epoch" | "credential">;
  /** Returns when what other servers have changed is known here. */
  readonly caughtUp: () => Promise<void>;
}

/** The credential of a visitor in a record. */
export const VISITOR = "visitor";

/** The part of a caller that a record stores. */
export const bearerOf = (caller: Caller): Bearer => ({ owner: ownerName(caller), credential: credentialOf(caller) });

function credentialOf(caller: Caller): string {
  if (caller.kind === "key") return caller.visitor ? VISITOR : "";
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
export function createCallers({ sessions, admin, keys, caughtUp }: CallersDeps) {
  const adminNow = async (caller: AdminCaller): Promise<AdminCaller> => {
    const { sessionId, account } = caller;
    // The row of the account or session is read anew; what the caller meets with, as locks, is in memory.
    const [isLive, epoch] = await Promise.all([
      sessionId === null || sessions.isLive(sessionId),
      account === undefined ? undefined : admin.epoch(),
      caughtUp(),
    ]);
    if (!isLive) throw new Failure("auth.expired");
    if (account !== epoch) throw new Failure("login.wrong");
    return caller;
  };

  const keyNow = async (owner: string, visitor: boolean): Promise<KeyCaller> => {
    await caughtUp();
    const found = await keys.callerOf(owner);
    if (visitor && !(found?.kind === "key" && found.visitor)) throw new Failure("auth.required");
    if (found?.kind !== "key") throw new Failure("key.invalid");
    // The holder of the visitors' key is not a visitor.
    return { ...found, visitor };
  };

  const now = (caller: Caller): Promise<Caller> =>
    caller.kind === "admin" ? adminNow(caller) : keyNow(ownerName(caller), caller.visitor);

  return {
    /** A caller with the rights of this moment; what other servers had changed by then is known here too. 401 auth.expired, login.wrong, key.invalid, auth.required for visitors. */
    now,

    /** As `now`, for the owner of a record. */
    of: ({ owner, credential }: Bearer): Promise<Caller> =>
      owner === "admin" ? adminNow(adminFrom(credential)) : keyNow(owner, credential === VISITOR),

    /** As `now`, and refuses a caller without the right to share files. 403 auth.forbidden, 401 auth.required. */
    async sharing(caller: Caller): Promise<Caller> {
      const present = await now(caller);
      demand("file_share", present);
      return present;
    },

    /**
     * Returns a text that changes with an owner's credential and rights: the administrator's name or password; a key's value, rights,
     * base path or expiry. Undefined if the owner is gone or has expired. Ended sessions do not change it.
     */
    epoch: (owner: string): Promise<string | undefined> => (owner === "admin" ? admin.epoch() : keys.epoch(owner)),

    /** The same, but only of the administrator's name and password and of a key's value: rights may change meanwhile. */
    credential: (owner: string): Promise<string | undefined> =>
      owner === "admin" ? admin.epoch() : keys.credential(owner),
  };
}

export type Callers = ReturnType<typeof createCallers>;
