import { admin } from "#contract/admin";
import { allows, permissions } from "#contract/permissions";
import { type Call, call, callAs } from "../call.ts";
import { ApiFailure } from "../failure.ts";
import { type Credential, credential, isCredential, type KeyRights, type SessionState } from "./credential.ts";
import { askKeyRights } from "./key-rights.ts";

interface SignInPorts {
  readonly credential: Pick<Credential, "state" | "hasLeft" | "signIn" | "signInWithKey" | "renew" | "signOut">;
  readonly call: Call;
  readonly callAs: (session: SessionState) => Call;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface AccountChange {
  readonly currentPassword: string;
  readonly newUsername?: string;
  readonly newPassword?: string;
}

/** Signing in, and the change of account that ends every other session. A module of its own, because most pages do not need it. */
export function createSignIn({ credential, call, callAs, now }: SignInPorts) {
  const begin = (answer: Partial<{ data: Partial<{ token: string; username: string }> | null }> | undefined) => {
    if (!answer?.data) throw failed("login.unreadable");
    const { token, username } = answer.data;
    if (!token || !isCredential(token)) throw failed("login.tokenless");
    credential.signIn(token, username ?? "", now());
  };

  const changed = (change: AccountChange) => call(admin.changePassword, { body: change });

  return {
    /** Signs in with username and password. Throws ApiFailure login.wrong, login.unreadable, login.tokenless or limit.wait. */
    async withPassword(username: string, password: string): Promise<void> {
      begin(await call(admin.login, { body: { username, password } }));
    },
    /** Signs in with the one-time token of the first start. Throws ApiFailure signInLink.invalid. */
    async withLink(linkToken: string): Promise<void> {
      begin(await call(admin.signInWithLink, { body: { token: linkToken } }));
    },
    /**
     * Signs in with an API key, which is checked before anything is stored. Throws ApiFailure key.invalid,
     * key.unchecked, key.rightsUnknown, key.rightsFew or limit.wait.
     */
    async withKey(key: string): Promise<void> {
      // The server could not be asked: no header can carry it.
      if (!isCredential(key)) throw failed("key.invalid", 401);
      const unknown: KeyRights = { id: "", name: "", permissions: 0, basePath: "/" };
      const rights = await askKeyRights(callAs({ authType: "apikey", key, ...unknown, lastValidated: 0 }));
      if (!isOfUse(rights)) throw failed("key.rightsFew");
      credential.signInWithKey(key, rights, now());
    },
    /**
     * Changes the account. The server ends every session and answers a new one for this browser; without one, as servers of
     * an earlier version answer, the person signs in again. Throws ApiFailure account.*
     */
    async changeAccount(change: AccountChange): Promise<void> {
      const answer: Partial<Awaited<ReturnType<typeof changed>>> | undefined = await changed(change);
      // Whoever has signed out meanwhile stays out, and whoever has taken a key keeps it.
      if (credential.state.get().authType === "apikey" || credential.hasLeft()) return;
      const { token, username } = answer?.data ?? {};
      if (token && isCredential(token)) credential.renew(token, username ?? "", now());
      else credential.signOut("changed");
    },
  };
}

const failed = (code: ApiFailure["code"], status = 200) => new ApiFailure({ code, status, message: "" });

/** Reports whether a key is of use here: one for WebDAV alone is for other programs. */
const isOfUse = ({ permissions: bits }: KeyRights): boolean =>
  permissions.some((one) => !one.startsWith("webdav") && allows(bits, one));

/** Signs in on this page. */
export const signIn = createSignIn({ credential, call, callAs, now: Date.now });
