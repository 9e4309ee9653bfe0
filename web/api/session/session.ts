import { REVALIDATE_AFTER } from "#contract/limits";
import { keyIn } from "../../lib/storage.ts";
import { createStore, useStore } from "../../lib/store.ts";
import { type Tabs, tabs, UPLOADING } from "../../lib/tabs.ts";
import { type Call, call, callAs } from "../call.ts";
import { ApiFailure, isFailure, noAnswer } from "../failure.ts";
import {
  authorizationOf,
  type Credential,
  credential,
  isSame,
  isSamePerson,
  type SessionState,
  type SignOutReason,
} from "./credential.ts";

/** How long a sign-out waits for uploads to be cancelled, in milliseconds. */
const SIGN_OUT_TIMEOUT = 2000;

/** Cancels unfinished work, by calls with the session that ends. Never rejects. */
type SignOutCleanup = (call: Call) => Promise<unknown>;

interface SessionPorts {
  readonly credential: Credential;
  readonly call: Call;
  readonly callAs: (session: SessionState) => Call;
  readonly tabs: Pick<Tabs, "quiet">;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Where `auth-state-changed`, `admin-token-expired` and `api-key-invalid` are sent, and `storage` and `pageshow` are heard. */
  readonly window: Pick<Window, "dispatchEvent"> & {
    addEventListener(type: "storage", listener: (event: Pick<StorageEvent, "key">) => void): void;
    addEventListener(type: "pageshow", listener: (event: Pick<PageTransitionEvent, "persisted">) => void): void;
  };
  /** Milliseconds; SIGN_OUT_TIMEOUT by default. */
  readonly signOutTimeout?: number;
}

/** Makes the check of the session, which asks the server now and then, and ends a session that the server refuses. */
function createRevalidation({ credential, call, now }: Pick<SessionPorts, "credential" | "call" | "now">) {
  const { state } = credential;
  /** The running check; undefined without one. */
  const checking = createStore<{ readonly carried: string | undefined; readonly done: Promise<void> } | undefined>(
    undefined,
  );

  const check = async (carried: string | undefined): Promise<void> => {
    try {
      const asked = state.get();
      const rights = await ask(asked, call);
      const present = state.get();
      if (authorizationOf(present) !== carried) return;
      const isDoubted = present !== asked && present.lastValidated === 0;
      // What was refused meanwhile is newer than an answer that does not explain it.
      if (isDoubted && isSame({ ...present, ...rights }, present)) return await check(carried);
      credential.validated(now(), rights);
    } catch (error) {
      // A 401 has signed out already; a server that cannot be reached says nothing about the session.
      if (!isFailure(error)) throw error;
      const { authType } = state.get();
      if (error.code === "validation.failed" && authorizationOf(state.get()) === carried)
        credential.signOut(authType === "admin" ? "expired" : "keyInvalid");
    } finally {
      if (checking.get()?.carried === carried) checking.set(undefined);
    }
  };

  const isStale = (): boolean => {
    const { authType, lastValidated } = state.get();
    return authType !== "none" && now() - lastValidated >= REVALIDATE_AFTER;
  };

  /** Asks the server when the last answer is older than REVALIDATE_AFTER. Never throws for a failed call. */
  const revalidate = async (): Promise<void> => {
    if (!isStale()) return;
    const carried = authorizationOf(state.get());
    const running = checking.get();
    if (running && running.carried === carried) return running.done;
    const done = check(carried);
    checking.set({ carried, done });
    await done;
  };

  return { checking, isStale, revalidate };
}

/** Checks the session now and then, and ends it for the person, the server or another tab. sign-in.ts begins one. */
export function createSession(ports: SessionPorts) {
  const { credential, callAs, tabs, window, signOutTimeout = SIGN_OUT_TIMEOUT } = ports;
  const { state, reason } = credential;
  const { checking, isStale, revalidate } = createRevalidation(ports);
  const cleanups = new Set<SignOutCleanup>();
  const userEpoch = createStore(0);
  /** Resolves when the work of the last session is cancelled. */
  let left: Promise<unknown> = Promise.resolve();

  /** The person whose work may be running. It goes on after a session has expired, because that person may sign in again. */
  let person = state.get();
  let renamed = false;
  const follow = (next: SessionState) => {
    if (next.authType === "none" && reason.get() !== "loggedOut") {
      renamed = reason.get() === "changed";
      return;
    }
    const before = person;
    // After a change of the account the same person goes on, or comes back, under another name.
    const isRenamed = renamed || reason.get() === "changed";
    const stays = isSamePerson(before, next) || (isRenamed && next.authType === "admin");
    person = next;
    renamed = false;
    if (before.authType === "none" || stays) return;
    userEpoch.set(userEpoch.get() + 1);
    left = Promise.all([...cleanups].map((cleanup) => cleanup(callAs(before))));
  };

  let last = state.get();
  state.subscribe(() => {
    const [before, present] = [last, state.get()];
    last = present;
    if (isSame(before, present)) {
      // A refused call has marked the session as doubtful.
      if (before.lastValidated > 0 && present.lastValidated === 0) void revalidate();
      return;
    }
    if (authorizationOf(before) !== authorizationOf(present)) follow(present);
    window.dispatchEvent(new CustomEvent<SessionState>("auth-state-changed", { detail: present }));
    const why = reason.get();
    if (why !== "expired" && why !== "keyInvalid" && why !== "unauthorized") return;
    window.dispatchEvent(new CustomEvent(before.authType === "admin" ? "admin-token-expired" : "api-key-invalid"));
  });
  window.addEventListener("storage", (event) => {
    const key = keyIn(event);
    if (key !== undefined) credential.syncFromStorage(key);
  });
  // A page that was left, and that Back brings as it was, has heard nothing of what other tabs did meanwhile.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) credential.syncFromStorage(null);
  });

  return {
    state,
    reason,
    /** The running check of the session; undefined without one. */
    checking,
    /** Counts the persons who have used this page: unfinished work of one must not be shown to the next. */
    userEpoch,
    isStale,
    revalidate,
    /**
     * Registers a clean-up for when a person signs out, here or in another tab, or another person signs in. The
     * session then lives on for a moment, for the calls of the clean-up. Returns the function that unregisters it.
     */
    beforeSignOut(cleanup: SignOutCleanup): () => void {
      cleanups.add(cleanup);
      return () => void cleanups.delete(cleanup);
    },
    /**
     * Ends the session in the browser at once, and the administrator's on the server once every clean-up is done, if
     * the server can be reached. A key stays valid for its other holders.
     */
    async logout(): Promise<void> {
      const leaving = state.get();
      credential.signOut("loggedOut");
      if (leaving.authType !== "admin") return;
      const all = Promise.all([left, tabs.quiet(UPLOADING, signOutTimeout)]);
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, signOutTimeout))]);
      try {
        const { admin } = await part(() => import("#contract/admin"));
        await callAs(leaving)(admin.logout);
      } catch (error) {
        if (!isFailure(error)) throw error;
      }
    },
  };
}

/** Asks the server whether a session is still valid; returns the present rights of a key. Throws ApiFailure. */
async function ask({ authType }: SessionState, call: Call) {
  if (authType === "apikey") {
    const { askKeyRights } = await part(() => import("./key-rights.ts"));
    return await askKeyRights(call);
  }
  const { admin } = await part(() => import("#contract/admin"));
  // The server may have another version than the contract.
  const answer: object = await call(admin.token);
  if ("success" in answer && answer.success === false)
    throw new ApiFailure({ code: "validation.failed", status: 200, message: "" });
  return undefined;
}

/** Loads the code of the check when it is first needed: readers of a share have no session. Throws ApiFailure network. */
async function part<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch {
    throw noAnswer("network");
  }
}

/** The session of this page. */
export const session = createSession({ credential, call, callAs, tabs, now: Date.now, window });

/** Who is signed in. */
export const useSession = (): SessionState => useStore(session.state);

/** Why the last session ended, to say so where the person signs in again. */
export const useSignOutReason = (): SignOutReason | undefined => useStore(session.reason);
