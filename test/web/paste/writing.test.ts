import { expect, test } from "bun:test";
import { createWriting } from "../../../web/features/paste/home/writing.ts";
import { createDraftStorage } from "../../../web/page/draft-storage.ts";
import { noOptions } from "../../../web/ui/share-options/options.ts";

/** A storage that refuses, beside a window whose leaving can be tried. */
function surroundings(room: boolean) {
  const kept = new Map<string, string>();
  const window = new EventTarget();
  const storage = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => room && kept.set(key, value).size > 0,
    remove: (key: string) => void kept.delete(key),
  };
  const leave = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const draft = createDraftStorage({ storage, window: window as unknown as Window });
  return { kept, draft, window, leave, writing: createWriting({ kept: draft, window: window as unknown as Window }) };
}

test("leaving is asked about only while the text is nowhere else", () => {
  const { writing, leave } = surroundings(false);
  writing.write("too long");
  expect(leave()).toBe(true);
  writing.flush();
  expect(leave()).toBe(false);
  writing.shared("too long");
  expect(leave()).toBe(true);
  const small = surroundings(true);
  small.writing.write("short");
  small.writing.flush();
  expect(small.leave()).toBe(true);
});

test("a share ends its own text and every option, but not what was written since", () => {
  const { writing, kept } = surroundings(true);
  writing.write("first");
  writing.options.set({ ...noOptions, slug: "mine" });
  writing.write("second");
  writing.shared("first");
  writing.flush();
  expect([writing.text.get(), writing.options.get(), [...kept.values()]]).toEqual(["second", noOptions, ["second"]]);
  writing.shared("second");
  expect([writing.text.get(), kept.size]).toEqual(["", 0]);
});

test("what was written on this visit is not exchanged for a draft", () => {
  const { writing, kept } = surroundings(true);
  kept.set("satchel-draft", "old");
  writing.restore();
  expect(writing.text.get()).toBe("old");
  writing.write("new");
  writing.restore();
  expect(writing.text.get()).toBe("new");
});

test("who logs out takes the draft along, in every tab", () => {
  const { writing, kept, draft } = surroundings(true);
  writing.write("mine");
  writing.flush();
  writing.write("mine, and more");
  draft.forget();
  writing.flush();
  expect([writing.text.get(), kept.size]).toEqual(["", 0]);

  const other = surroundings(true);
  other.writing.write("of another tab");
  const heard = (newValue: string | null) => Object.assign(new Event("storage"), { key: "satchel-draft", newValue });
  // A tab that has shared its own text removes it, and says nothing of this one.
  other.window.dispatchEvent(heard(null));
  expect(other.writing.text.get()).toBe("of another tab");
  other.window.dispatchEvent(heard(""));
  expect(other.writing.text.get()).toBe("");
});
