import { createCall } from "../../web/api/call.ts";
import { createCredential, type SessionState } from "../../web/api/credential.ts";
import { createSession } from "../../web/api/session.ts";
import { createSignIn } from "../../web/api/sign-in.ts";
import { createKeyValue } from "../../web/lib/storage.ts";
import { createStore } from "../../web/lib/store.ts";
import { createTabs } from "../../web/lib/tabs.ts";
import { answer } from "./stand-in.ts";

const storage = createKeyValue(() => localStorage);

/** A session with a clock of its own, and the names of the events it sends. */
export function openSession(base: string, locks?: Pick<LockManager, "request" | "query">) {
  const clock = { now: 1_000_000 };
  const events: string[] = [];
  const listeners = new Map<string, () => void>();
  const credential = createCredential(storage);
  const wire = { base: () => `${base}/api`, language: () => "en" as const };
  const common = {
    credential,
    call: createCall({ ...wire, credential }),
    callAs: (left: SessionState) =>
      createCall({ ...wire, credential: { state: createStore(left), signOut: () => undefined } }),
    now: () => clock.now,
  };
  const session = createSession({
    ...common,
    tabs: createTabs(locks),
    parting: 200,
    window: {
      dispatchEvent: (event: Event) => events.push(event.type) > 0,
      addEventListener: (type: string, listener: unknown) => void listeners.set(type, listener as () => void),
    },
  });
  return { session, signIn: createSignIn(common), credential, clock, events, listeners };
}

/** What the server answers to a sign-in of the administrator. */
export const signedIn = () =>
  answer({ data: { token: "tok", username: "admin", expiresAt: "2031-01-01T00:00:00.000Z" } });
