import { admin } from "#contract/admin";
import { REVALIDATE_AFTER } from "#contract/limits";
import { useStore } from "../lib/store.ts";
import { type Call, call } from "./call.ts";
import { type Credential, credential, type SessionState, type SignOutReason } from "./credential.ts";
import { isFailure } from "./failure.ts";

interface Surroundings {
  readonly credential: Credential;
  readonly call: Call;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Where the events `auth-state-changed` and `admin-token-expired` are sent, and `storage` is heard. */
  readonly window: Pick<Window, "dispatchEvent" | "addEventListener">;
}

/** The session's life: signed in, checked now and then, ended by the person, by the server or in another tab. */
export function createSession({ credential, call, now, window }: Surroundings) {
  const { state, reason } = credential;
  let checking: Promise<void> | undefined;

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

  let token = state.get().token;
  state.subscribe(() => {
    const present = state.get();
    if (present.token === token) return;
    token = present.token;
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
    /** Ends the session here at once, and on the server if it can be reached. */
    async logout(): Promise<void> {
      const ended = call(admin.logout);
      credential.signOut("loggedOut");
      try {
        await ended;
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
export const session = createSession({ credential, call, now: Date.now, window });

/** Who is signed in. */
export const useSession = (): SessionState => useStore(session.state);

/** Why the last session ended, to say so where the person signs in again. */
export const useSignOutReason = (): SignOutReason | undefined => useStore(session.reason);
