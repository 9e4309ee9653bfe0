import { createStore } from "../lib/store.ts";

/** Work that a sign-out would end, each entry telling whether there is some of its kind. */
const work = createStore<Readonly<Partial<Record<"uploads" | "changes", () => boolean>>>>({});

/** What signing out now would break off; whoever may have such a thing under way says how to find out. */
export const signingOut = {
  watch: (kind: "uploads" | "changes", isUnderWay: () => boolean): void =>
    work.set({ ...work.get(), [kind]: isUnderWay }),
  /** `uploads` are on their way, `changes` wait for the connection. */
  breaksOff: (): "uploads" | "changes" | undefined => {
    const { uploads, changes } = work.get();
    if (uploads?.()) return "uploads";
    return changes?.() ? "changes" : undefined;
  },
};
