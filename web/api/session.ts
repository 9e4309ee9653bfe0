import { admin } from "#contract/admin";
import { REVALIDATE_AFTER } from "#contract/limits";
import { useStore } from "../lib/store.ts";
import { type Tabs, tabs, UPLOADING } from "../lib/tabs.ts";
import { type Call, call, callAs } from "./call.ts";
import { type Credential, credential, type SessionState, type SignOutReason } from "./credential.ts";
import { isFailure } from "./failure.ts";

/** How long a sign-out waits for what has to be given up before, in milliseconds. */
const PARTING = 2000;

/** Gives up what it has begun, by calls that keep the session which ends. Never rejects. */
type Leaving = (call: Call) => Promise<unknown>;

interface Surroundings {
  readonly credential: Credential;
  readonly call: Call;
  readonly callAs: (session: SessionState) => Call;
  readonly tabs: Pick<Tabs, "quiet">;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Where the events `auth-state-changed` and `admin-token-expired` are sent, and `storage` is heard. */
  readonly window: Pick<Window, "dispatchEvent" | "addEventListener">;
  /** Milliseconds, PARTING unless said. */
  readonly parting?: number;
}

/** The session's life: signed in, checked now and then, ended by the person, by the server or in another tab. */
export function createSession(surroundings: Surroundings) {
  const { credential, call, callAs, tabs, now, window, parting = PARTING } = surroundings;
  const { state, reason } = credential;
  const leavers = new Set<Leaving>();
  let checking: Promise<void> | undefined;
  /** Until everybody has given up what the last session had begun. */
  let left: Promise<unknown> = Promise.resolve();

  const check = async (): Promise<void> => {
    try {
      await call(admin.token);
      credential.validated(now());
    } catch (error) {
      // A 401 has signed out already; a server that cannot be reached says nothing about the session.
      if (!isFailure(error)) throw error;
    } finally {
      checking = undefined;
    }
  };

  /** Asks the server when the last answer is older than REVALIDATE_AFTER. Never throws for a failed call. */
  const revalidate = async (): Promise<void> => {
    const present = state.get();
    if (present.authType === "none" || now() - present.lastValidated < REVALIDATE_AFTER) return;
    checking ??= check();
    await checking;
  };

  /** Whose work may be under way: it outlives a session that ended by itself, which the same person begins again. */
  let person = state.get();
  const follow = (next: SessionState) => {
    if (reason.get() === "expired") return;
    const before = person;
    person = next;
    // After a change of the account the same person may come back under another name.
    const stays = before.username === next.username || reason.get() === "changed";
    if (before.authType === "none" || stays) return;
    left = Promise.all([...leavers].map((leaver) => leaver(callAs(before))));
  };

  let token = state.get().token;
  state.subscribe(() => {
    const present = state.get();
    if (present.token === token) return;
    token = present.token;
    follow(present);
    window.dispatchEvent(new CustomEvent<SessionState>("auth-state-changed", { detail: present }));
    if (reason.get() === "expired") window.dispatchEvent(new CustomEvent("admin-token-expired"));
  });
  window.addEventListener("storage", credential.adopt);

  return {
    state,
    reason,
    revalidate,
    /** Signs in with username and password. Throws ApiFailure login.wrong or limit.wait. */
    async login(username: string, password: string): Promise<void> {
      const { data } = await call(admin.login, { body: { username, password } });
      credential.signIn(data.token, data.username, now());
    },
    /** Signs in with the one-time token of the first start. Throws ApiFailure signInLink.invalid. */
    async signInWithLink(linkToken: string): Promise<void> {
      const { data } = await call(admin.signInWithLink, { body: { token: linkToken } });
      credential.signIn(data.token, data.username, now());
    },
    /**
     * Has something given up when a person signs out, here or in another tab, or another person signs in. The session lives
     * on for a moment then, for the calls that it takes. Answers how to be asked no more.
     */
    beforeSignOut(leaver: Leaving): () => void {
      leavers.add(leaver);
      return () => void leavers.delete(leaver);
    },
    /** Ends the session in the browser at once, and on the server when everybody is done with it, if it can be reached. */
    async logout(): Promise<void> {
      const end = callAs(state.get());
      credential.signOut("loggedOut");
      const all = Promise.all([left, tabs.quiet(UPLOADING, parting)]);
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, parting))]);
      try {
        await end(admin.logout);
      } catch (error) {
        if (!isFailure(error)) throw error;
      }
    },
    /** Changes the account, which ends every session. Throws ApiFailure account.* */
    async changeAccount(change: {
      currentPassword: string;
      newUsername?: string;
      newPassword?: string;
    }): Promise<void> {
      await call(admin.changePassword, { body: change });
      credential.signOut("changed");
    },
  };
}

/** The session of this page. */
export const session = createSession({ credential, call, callAs, tabs, now: Date.now, window });

/** Who is signed in. */
export const useSession = (): SessionState => useStore(session.state);

/** Why the last session ended, to say so where the person signs in again. */
export const useSignOutReason = (): SignOutReason | undefined => useStore(session.reason);
