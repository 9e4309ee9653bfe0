import { browserStorage, type KeyValue } from "../lib/storage.ts";
import { createStore } from "../lib/store.ts";

/** Who this browser is signed in as. API keys join here as authType "apikey" when they come. */
export type SessionState =
  | { readonly authType: "none"; readonly token: null; readonly username: null; readonly lastValidated: 0 }
  | {
      readonly authType: "admin";
      readonly token: string;
      readonly username: string;
      /** Epoch milliseconds; 0 when restored and not yet asked. */
      readonly lastValidated: number;
    };

/** Why somebody is not signed in any more. */
export type SignOutReason = "loggedOut" | "expired" | "changed";

export const signedOut: SessionState = { authType: "none", token: null, username: null, lastValidated: 0 };

const TOKEN_KEY = "admin_token";
const NAME_KEY = "admin_username";

/** The credential every call carries, kept over reloads. It knows no server: session.ts does. */
export function createCredential(storage: KeyValue) {
  const restore = (): SessionState => {
    const token = storage.get(TOKEN_KEY);
    if (!token) return signedOut;
    return { authType: "admin", token, username: storage.get(NAME_KEY) ?? "", lastValidated: 0 };
  };
  const state = createStore<SessionState>(restore());
  const reason = createStore<SignOutReason | undefined>(undefined);

  const change = (next: SessionState, why: SignOutReason | undefined) => {
    if (state.get() === next) return;
    reason.set(why);
    state.set(next);
  };

  return {
    state,
    /** Why the last session ended; undefined while there is one. */
    reason,
    signIn(token: string, username: string, now: number) {
      storage.set(TOKEN_KEY, token);
      storage.set(NAME_KEY, username);
      change({ authType: "admin", token, username, lastValidated: now }, undefined);
    },
    signOut(why: SignOutReason) {
      storage.remove(TOKEN_KEY);
      storage.remove(NAME_KEY);
      change(signedOut, why);
    },
    /** Notes that the server knows the session still. */
    validated(now: number) {
      const present = state.get();
      if (present.authType === "admin") state.set({ ...present, lastValidated: now });
    },
    /** Takes over what another tab stored. */
    adopt() {
      const stored = restore();
      if (stored.token !== state.get().token) change(stored, stored.token ? undefined : "loggedOut");
    },
  };
}

export type Credential = ReturnType<typeof createCredential>;

/** The credential of this page. */
export const credential = createCredential(browserStorage);
