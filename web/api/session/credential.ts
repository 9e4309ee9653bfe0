import { browserStorage, type KeyValue } from "../../lib/storage.ts";
import { createStore } from "../../lib/store.ts";
import { ADMIN, KEY } from "./credential-names.ts";

interface Nobody {
  readonly authType: "none";
  readonly lastValidated: 0;
}

interface AdminSession {
  readonly authType: "admin";
  readonly token: string;
  readonly username: string;
  /** Epoch milliseconds; 0 if restored and not checked yet. */
  readonly lastValidated: number;
}

/** An API key and its rights, as the server reported them last. */
export interface KeyRights {
  readonly id: string;
  readonly name: string;
  /** Bits, as the contract names them. */
  readonly permissions: number;
  readonly basePath: string;
}

interface KeySession extends KeyRights {
  readonly authType: "apikey";
  readonly key: string;
  /** Epoch milliseconds; 0 if restored and not checked yet. */
  readonly lastValidated: number;
}

/** Who this browser is signed in as. */
export type SessionState = Nobody | AdminSession | KeySession;

/** Whoever has opened a link: a caller on its page alone, and no session of this browser. */
interface LinkVisitor {
  readonly authType: "link";
  readonly slug: string;
  readonly grant: string;
}

/** Who sends a call. */
export type Sender = SessionState | LinkVisitor;

const reasons = ["loggedOut", "changed", "expired", "keyInvalid", "unauthorized"] as const;

/** Why a session ended: `unauthorized` is a refusal without a reason about the credential. */
export type SignOutReason = (typeof reasons)[number];

const signedOut: SessionState = { authType: "none", lastValidated: 0 };

/** Returns the Authorization header of a sender's calls. */
export function authorizationOf(state: Sender): string | undefined {
  if (state.authType === "none") return undefined;
  if (state.authType === "link") return `Link ${state.grant}`;
  return state.authType === "admin" ? `Bearer ${state.token}` : `ApiKey ${state.key}`;
}

/** Returns the name of a sender: the account's, or that of a key or a link with a colon, which no account's name has. */
export function personOf(state: Sender): string | undefined {
  if (state.authType === "none") return undefined;
  if (state.authType === "link") return `link:${state.slug}`;
  return state.authType === "admin" ? state.username : `apikey:${state.id}`;
}

/** Reports whether two sessions are of the same person, as far as is known: other clients store no name for the administrator. */
export const isSamePerson = (one: SessionState, other: SessionState): boolean =>
  one.authType === other.authType &&
  (personOf(one) === personOf(other) || (one.authType === "admin" && [personOf(one), personOf(other)].includes("")));

/**
 * Reports whether a record belongs to the session: everything to the administrator, its own records to a key (with or
 * without the prefix).
 */
export const owns = (state: SessionState, createdBy: string): boolean =>
  state.authType === "admin" || (state.authType === "apikey" && [state.id, personOf(state)].includes(createdBy));

/** Why the last session ended; written before the session is removed, for the other tabs. */
const ENDED = "satchel-session-ended";
/**
 * Another tab may read in between: the credential is removed first and written last, so that it finds no session
 * rather than half of one.
 */
const NAMES = [ADMIN.token, KEY.key, ADMIN.name, KEY.permissions, KEY.info] as const;

/** Stores the credential of every call across reloads. It makes no calls itself: session.ts does. */
export function createCredential(storage: KeyValue) {
  const forget = () => NAMES.forEach(storage.remove);
  /** Whether the session could not be stored, because storage is off or full: what other tabs find there is then not about it. */
  let persistFailed = false;
  const write = (session: AdminSession | KeySession) => {
    persistFailed = entriesOf(session).some(([name, value]) => !storage.set(name, value));
    if (persistFailed) forget();
  };
  const state = createStore<SessionState>(restore(storage));
  const reason = createStore<SignOutReason | undefined>(undefined);

  const change = (next: SessionState, why: SignOutReason | undefined) => {
    reason.set(why);
    state.set(next);
  };
  const signIn = (session: AdminSession | KeySession) => {
    storage.remove(ENDED);
    forget();
    write(session);
    change(session, undefined);
  };
  /** Why another tab has ended the session; undefined when none has said so. */
  const ended = () => reasons.find((one) => one === storage.get(ENDED));
  /** Takes over a change of another tab; `name` is the changed item, null for all of them. */
  const syncFromStorage = (name: string | null) => {
    if (name !== null && !NAMES.some((one) => one === name)) return;
    const [present, stored] = [state.get(), restore(storage)];
    if (isSame(stored, present)) return;
    if (stored.authType === "none") return persistFailed ? undefined : change(signedOut, ended());
    persistFailed = false;
    // The account was changed in another tab: this is the same person, maybe under another name.
    const isRenewed = ended() === "changed" && present.authType === "admin" && stored.authType === "admin";
    const stays = authorizationOf(stored) === authorizationOf(present);
    change(stays ? { ...stored, lastValidated: present.lastValidated } : stored, isRenewed ? "changed" : undefined);
  };

  return {
    state,
    /** Why the last session ended; undefined while there is one, but for one that goes on after the account was `changed`. */
    reason,
    syncFromStorage,
    /** Whether the last session of this browser ended because the person signed out, on this page or before it. */
    hasLeft: () => state.get().authType === "none" && ended() === "loggedOut",
    signIn: (token: string, username: string, now: number) =>
      signIn({ authType: "admin", token, username, lastValidated: now }),
    signInWithKey: (key: string, rights: KeyRights, now: number) =>
      signIn({ authType: "apikey", key, ...rights, lastValidated: now }),
    /** Goes on with another token, and maybe under another name, after the account was changed; other tabs hear why the last one ended. */
    renew(token: string, username: string, now: number) {
      const session = { authType: "admin", token, username, lastValidated: now } as const;
      storage.set(ENDED, "changed");
      forget();
      write(session);
      change(session, "changed");
    },
    signOut(why: SignOutReason) {
      const stored = restore(storage);
      const isOther = authorizationOf(stored) !== authorizationOf(state.get());
      // A session that another tab has just begun did not end here, and a tab that ended one knows why.
      const isTheirs = stored.authType !== "none" || (why !== "changed" && !persistFailed && ended() !== undefined);
      if (why !== "loggedOut" && isOther && isTheirs) return syncFromStorage(null);
      storage.set(ENDED, why);
      forget();
      change(signedOut, why);
    },
    /** Records that the session was refused where it should not have been: the server has to be asked about it. */
    markStale() {
      const present = state.get();
      if (present.authType !== "none") state.set({ ...present, lastValidated: 0 });
    },
    /** Records that the server still accepts the session, and the present rights of a key. */
    validated(now: number, rights?: KeyRights) {
      const present = state.get();
      if (present.authType === "none") return;
      // Another tab has ended it in the meantime, or begun another one: writing would restore it.
      if (!persistFailed && authorizationOf(restore(storage)) !== authorizationOf(present))
        return syncFromStorage(null);
      const next = { ...present, ...(present.authType === "apikey" ? rights : undefined), lastValidated: now };
      if (!isSame(next, present)) write(next);
      state.set(next);
    },
  };
}

export type Credential = ReturnType<typeof createCredential>;

/** Reports whether two states are of one session with the same rights, whenever the server was asked. */
export const isSame = (one: SessionState, other: SessionState): boolean => identity(one) === identity(other);

function identity(state: SessionState): string {
  const rights = state.authType === "apikey" ? [state.permissions, state.basePath, state.name] : [];
  return [authorizationOf(state), personOf(state), ...rights].join("\n");
}

/** The stored items of a session, the credential last. */
function entriesOf(session: AdminSession | KeySession): readonly (readonly [name: string, value: string])[] {
  if (session.authType === "admin")
    return [
      [ADMIN.name, session.username],
      [ADMIN.token, session.token],
    ];
  const { id, name, basePath: basic_path } = session;
  return [
    [KEY.info, JSON.stringify({ id, name, basic_path })],
    [KEY.permissions, String(session.permissions)],
    [KEY.key, session.key],
  ];
}

/** The session that the stored items make. A damaged item counts as absent. */
function restore(storage: KeyValue): SessionState {
  const token = storage.get(ADMIN.token);
  if (isCredential(token))
    return { authType: "admin", token, username: storage.get(ADMIN.name) ?? "", lastValidated: 0 };
  const key = storage.get(KEY.key);
  const permissions = parsed(storage.get(KEY.permissions));
  const info = parsed(storage.get(KEY.info));
  if (!isCredential(key) || !isBits(permissions) || !isInfo(info)) return signedOut;
  const { id, name, basic_path: basePath } = info;
  return { authType: "apikey", key, id, name, permissions, basePath, lastValidated: 0 };
}

/** Reports whether a text is valid in a header: otherwise no call could be sent at all. */
export const isCredential = (text: string | null): text is string => text !== null && /^[!-~]+$/.test(text);

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

const isBits = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

const isInfo = (value: unknown): value is { id: string; name: string; basic_path: string } =>
  typeof value === "object" &&
  value !== null &&
  ["id", "name", "basic_path"].every((field) => typeof (value as Record<string, unknown>)[field] === "string") &&
  (value as { id: string }).id !== "";

/** The credential of this page. */
export const credential = createCredential(browserStorage);
