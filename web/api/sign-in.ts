import { admin } from "#contract/admin";
import { allows, permissions } from "#contract/permissions";
import { type Call, call, callAs } from "./call.ts";
import { type Credential, credential, isCredential, type KeyRights, type SessionState } from "./credential.ts";
import { ApiFailure } from "./failure.ts";
import { askKeyRights } from "./key-rights.ts";

interface SignInPorts {
  readonly credential: Pick<Credential, "signIn" | "signInWithKey" | "signOut">;
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

/** Signing in, and the change of account that ends the session. A module of its own, because most pages do not need it. */
export function createSignIn({ credential, call, callAs, now }: SignInPorts) {
  const begin = (answer: Partial<{ data: Partial<{ token: string; username: string }> | null }> | undefined) => {
    if (!answer?.data) throw failed("login.unreadable");
    const { token, username } = answer.data;
    if (!token || !isCredential(token)) throw failed("login.tokenless");
    credential.signIn(token, username ?? "", now());
  };

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
    /** Changes the account, which ends every session on the server. Throws ApiFailure account.* */
    async changeAccount(change: AccountChange): Promise<void> {
      await call(admin.changePassword, { body: change });
    },
    /** Ends the session here too, once the person knows that the account was changed. */
    leaveChanged(): void {
      credential.signOut("changed");
    },
  };
}

const failed = (code: ApiFailure["code"], status = 200) => new ApiFailure({ code, status, message: "" });

/** Reports whether a key is of use here: one for WebDAV alone is for other programs. */
const isOfUse = ({ permissions: bits }: KeyRights): boolean =>
  permissions.some((one) => !one.startsWith("webdav") && allows(bits, one));

/** Signs in on this page. */
export const signIn = createSignIn({ credential, call, callAs, now: Date.now });
