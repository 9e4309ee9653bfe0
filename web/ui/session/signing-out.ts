import { createStore } from "../../lib/store.ts";
import { draftStorage } from "../../page/draft-storage.ts";

/** `uploads` are on their way, `changes` wait for the connection, the `draft` is no share yet. */
const kinds = ["uploads", "changes", "draft"] as const;
export type InterruptedWork = (typeof kinds)[number];

/** Work that a sign-out would end, each entry telling whether there is some of its kind. */
const work = createStore<Readonly<Partial<Record<InterruptedWork, () => boolean>>>>({
  // Home, which knows more of it, may not have loaded.
  draft: draftStorage.isThere,
});

/** What signing out now would break off; whoever may have such a thing under way says how to find out. */
export const signingOut = {
  watch: (kind: InterruptedWork, isUnderWay: () => boolean): void => work.set({ ...work.get(), [kind]: isUnderWay }),
  breaksOff: (): readonly InterruptedWork[] => kinds.filter((kind) => work.get()[kind]?.()),
};
