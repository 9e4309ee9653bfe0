import { createCall } from "../../../web/api/call.ts";
import { createCredential, type SessionState } from "../../../web/api/session/credential.ts";
import { createSession } from "../../../web/api/session/session.ts";
import { createSignIn } from "../../../web/api/session/sign-in.ts";
import { createKeyValue } from "../../../web/lib/storage.ts";
import { createStore } from "../../../web/lib/store.ts";
import { createTabs } from "../../../web/lib/tabs.ts";
import { answer } from "../page-servers/fake-server.ts";

const storage = createKeyValue(() => localStorage);

/** A session with a clock of its own, and the names of the events it sends with what they carry. */
export function openSession(base: string, locks?: Pick<LockManager, "request" | "query">) {
  const clock = { now: 1_000_000 };
  const events: string[] = [];
  const details: unknown[] = [];
  const listeners = new Map<string, (event: { readonly key: string | null; readonly persisted: boolean }) => void>();
  const credential = createCredential(storage);
  const wire = { base: () => `${base}/api`, language: () => "en" as const };
  const common = {
    credential,
    call: createCall({ ...wire, credential }),
    callAs: (left: SessionState) => createCall({ ...wire, credential: { state: createStore(left) } }),
    now: () => clock.now,
  };
  const session = createSession({
    ...common,
    tabs: createTabs(locks),
    signOutTimeout: 200,
    window: {
      dispatchEvent(event: Event) {
        events.push(event.type);
        if (event instanceof CustomEvent && event.detail !== null) details.push(event.detail);
        return true;
      },
      addEventListener: (type: string, listener: (event: never) => void) =>
        void listeners.set(type, listener as (event: object) => void),
    },
  });
  /** What this tab hears when another one has changed what is stored. */
  const hear = (key: string | null = null) => listeners.get("storage")?.({ key, persisted: false });
  /** Whoever has left this page comes back to it as it was. */
  const comeBack = () => listeners.get("pageshow")?.({ key: null, persisted: true });
  return { ...common, session, signIn: createSignIn(common), clock, events, details, hear, comeBack };
}

/** What the server answers to a sign-in of the administrator. */
export const signedIn = () =>
  answer({ data: { token: "tok", username: "admin", expiresAt: "2031-01-01T00:00:00.000Z" } });
