import { expect, test } from "bun:test";
import { createStore } from "../../../web/lib/store.ts";
import { createInstall } from "../../../web/offline/install.ts";

test("the offer to install is quiet for a week, and no longer when the clock was wrong as it was put off", () => {
  const kept = new Map<string, string>();
  const at = { now: Date.UTC(2040, 0) };
  const storage = {
    get: (name: string) => kept.get(name) ?? null,
    set: (name: string, value: string) => Boolean(kept.set(name, value)),
    remove: (name: string) => void kept.delete(name),
  };
  const open = () => {
    const offer = createStore<Event | undefined>(new Event("beforeinstallprompt"));
    return createInstall({ storage, now: () => at.now, window, standalone: false, offer });
  };
  open().later();
  expect(open().state.get()).toBe("dismissed");
  at.now = Date.UTC(2026, 0);
  expect(open().state.get()).toBe("installable");
});
