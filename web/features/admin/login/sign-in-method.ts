import { session } from "../../../api/session/session.ts";
import { createStore } from "../../../lib/store.ts";

/** The kinds of credentials. */
type SignInMethod = "password" | "key";

/** Which form the card shows: that of the last session here, until another one is chosen. */
export function createSignInMethod({ state, reason }: Pick<typeof session, "state" | "reason">) {
  const method = createStore<SignInMethod>(reason.get() === "keyInvalid" ? "key" : "password");
  const follow = () => {
    const { authType } = state.get();
    if (authType !== "none") method.set(authType === "apikey" ? "key" : "password");
  };
  follow();
  state.subscribe(follow);
  return method;
}

/** Which form the sign-in card of this page shows. */
export const signInMethod = createSignInMethod(session);
