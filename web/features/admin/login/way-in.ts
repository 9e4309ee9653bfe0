import { session } from "../../../api/session.ts";
import { createStore } from "../../../lib/store.ts";

/** The kinds of credentials. */
type WayIn = "password" | "key";

/** Which form the card shows: that of the last session here, until another one is chosen. */
export function createWayIn({ state, reason }: Pick<typeof session, "state" | "reason">) {
  const way = createStore<WayIn>(reason.get() === "keyInvalid" ? "key" : "password");
  const follow = () => {
    const { authType } = state.get();
    if (authType !== "none") way.set(authType === "apikey" ? "key" : "password");
  };
  follow();
  state.subscribe(follow);
  return way;
}

/** Which form the sign-in card of this page shows. */
export const wayIn = createWayIn(session);
