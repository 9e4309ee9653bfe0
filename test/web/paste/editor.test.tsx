import { afterEach, describe, expect, jest, test } from "bun:test";
import { act, render, renderHook, screen, waitFor } from "@testing-library/react";
import { MAX_CONTENT_BYTES, RICH_TEXT_CHARACTERS } from "#contract/limits";
import { sizeState } from "../../../web/features/paste/editor/bar/size-counter.tsx";
import { flat, moreTools, toolOfKey, tools } from "../../../web/features/paste/editor/bar/tools.ts";
import { createDraft } from "../../../web/features/paste/editor/draft.ts";
import { labelOfKey, shortcuts } from "../../../web/features/paste/editor/help/shortcuts.ts";
import { savedMode, savedWidth, saveMode, saveWidth, surfaceFor } from "../../../web/features/paste/editor/mode.ts";
import { PlainSurface } from "../../../web/features/paste/editor/surface/plain-surface.tsx";
import type { EditorSurface, Start } from "../../../web/features/paste/editor/surface/surface.ts";
import { useSurface } from "../../../web/features/paste/editor/surface/use-surface.ts";
import { readTextFile } from "../../../web/features/paste/editor/text-file.ts";
import { i18n } from "../../../web/i18n/i18n.ts";
import { bytesOfText } from "../../../web/lib/bytes.ts";
import { createKeyValue, type KeyValue } from "../../../web/lib/storage.ts";
import { createDraftStorage } from "../../../web/page/draft-storage.ts";
import { dictionaries } from "../../support/pages/dictionaries.ts";

/** A storage with room for a few characters. */
function smallStorage(room: number) {
  const kept = new Map<string, string>();
  const storage = createKeyValue(() => localStorage);
  return {
    ...storage,
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => value.length <= room && kept.set(key, value).size > 0,
    remove: (key: string) => void kept.delete(key),
  };
}

const keptIn = (storage: KeyValue) => createDraftStorage({ storage, window });

describe("the draft", () => {
  test("is kept, restored and forgotten", () => {
    const storage = smallStorage(100);
    const kept: boolean[] = [];
    const draft = createDraft({ kept: keptIn(storage), onKept: (one) => kept.push(one), delay: 60_000 });
    expect(draft.restore()).toBe("");
    draft.note("one");
    draft.note("two");
    expect(storage.get("satchel-draft")).toBeNull();
    draft.flush();
    draft.flush();
    expect(kept).toEqual([true]);
    expect(draft.restore()).toBe("two");
    draft.note("three");
    draft.clear();
    draft.flush();
    expect(draft.restore()).toBe("");
  });

  test("says when a text does not fit, and leaves no older one behind", () => {
    const kept: boolean[] = [];
    const draft = createDraft({ kept: keptIn(smallStorage(5)), onKept: (one) => kept.push(one), delay: 60_000 });
    draft.note("short");
    draft.flush();
    draft.note("too long for it");
    draft.flush();
    expect(kept).toEqual([true, false]);
    expect(draft.restore()).toBe("");
  });

  test("one tab leaves alone what another has kept since", () => {
    const storage = smallStorage(100);
    const tab = () => createDraft({ kept: keptIn(storage), onKept: () => undefined, delay: 60_000 });
    const [one, other] = [tab(), tab()];
    one.note("one");
    one.flush();
    other.note("other");
    other.flush();
    one.clear();
    one.note("");
    one.flush();
    expect(storage.get("satchel-draft")).toBe("other");
    other.clear();
    expect(storage.get("satchel-draft")).toBeNull();
  });

  test("waits for a pause", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const draft = createDraft({ kept: keptIn(smallStorage(100)), onKept: resolve, delay: 1 });
    draft.note("text");
    expect(await promise).toBe(true);
    expect(draft.restore()).toBe("text");
  });
});

test("Markdown is the editor until another is chosen, which is remembered; long texts never stand in a text area", () => {
  const storage = smallStorage(100);
  expect(savedMode(storage)).toBe("rich");
  saveMode(storage, "plain");
  expect(savedMode(storage)).toBe("plain");
  expect(surfaceFor("rich", 0)).toBe("code");
  expect(surfaceFor("plain", RICH_TEXT_CHARACTERS + 1)).toBe("code");
  expect(surfaceFor("plain", 0)).toBe("plain");
});

test("the preview is as wide as there is room until another width is chosen, which is remembered", () => {
  const storage = smallStorage(100);
  expect(savedWidth(storage)).toBe("desk");
  saveWidth(storage, "phone");
  expect(savedWidth(storage)).toBe("phone");
  storage.set("satchel-editor-width", "wall");
  expect(savedWidth(storage)).toBe("desk");
});

test("the toolbar has a dozen buttons and a menu, and no icon stands for two things", () => {
  expect(tools.flat()).toHaveLength(12);
  expect(flat).toEqual([...tools, ...moreTools].flat());
  expect(new Set(flat.map(({ Icon }) => Icon)).size).toBe(flat.length);
});

test("keys stand for tools where no other key is held that means something else", () => {
  const press = (key: string, held: { altKey?: boolean; shiftKey?: boolean } = {}) =>
    toolOfKey({ key, altKey: false, shiftKey: false, ...held })?.id;
  expect([press("b"), press("B")]).toEqual(["editing.tool.bold", "editing.tool.bold"]);
  expect(press("/")).toBe("editing.tool.help");
  // A keyboard where / wants the shift key; undo is the editor's own.
  expect(press("/", { shiftKey: true })).toBe("editing.tool.help");
  expect([press("b", { shiftKey: true }), press("b", { altKey: true }), press("z")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("help names every key of the toolbar and of the text, as keyboards label them", async () => {
  await i18n.loadWords("help");
  const keys = shortcuts();
  expect(keys).toContainEqual({ label: "Bold", keys: "Ctrl+B" });
  expect(keys).toContainEqual({ label: "Help", keys: "Ctrl+/" });
  expect(keys.length).toBe(flat.filter(({ key }) => key).length + Object.keys(dictionaries.en.help.key).length);
  expect(new Set(keys.map((one) => one.keys)).size).toBe(keys.length);
  expect(labelOfKey("Mod-Alt-g", false)).toBe("Ctrl+Alt+G");
  expect(labelOfKey("Mod-Alt-g", true)).toBe("⌘⌥G");
  expect(labelOfKey("Alt-ArrowUp", false)).toBe("Alt+↑");
  expect(labelOfKey("Tab", true)).toBe("Tab");
});

test("sizes are bytes of UTF-8, as the server counts them", () => {
  expect(bytesOfText("aé字😀")).toBe(10);
  expect(sizeState(MAX_CONTENT_BYTES)).toBe("near");
  expect(sizeState(MAX_CONTENT_BYTES + 1)).toBe("over");
  expect(sizeState(1000)).toBe("fine");
});

test("a file is read as UTF-8 or refused", async () => {
  const file = (...parts: BlobPart[]) => new File(parts, "a.txt");
  expect(await readTextFile(file("\ufeff字\r\nb"))).toEqual({ text: "字\nb" });
  expect(await readTextFile(file(new Uint8Array([0xc3, 0x28])))).toEqual({ problem: "notText" });
  expect(await readTextFile(file("a\u0000b"))).toEqual({ problem: "notText" });
  expect(await readTextFile(file(new Uint8Array(MAX_CONTENT_BYTES + 1)))).toEqual({ problem: "tooLarge" });
});

test("an editor that did not load can be tried again", async () => {
  let attempts = 0;
  const load = async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("offline");
    return PlainSurface;
  };
  const { result } = renderHook(() => useSurface("rich", 0, load));
  act(() => result.current.chosen());
  await waitFor(() => expect(result.current.failed).toBe(true));
  act(() => result.current.chosen());
  await waitFor(() => expect(result.current.shown.kind).toBe("code"));
  expect([attempts, result.current.failed, result.current.loading]).toEqual([2, false, false]);
});

test("an editor that did not load comes by itself, also where the connection seems to be there", async () => {
  let attempts = 0;
  const load = async () => {
    attempts += 1;
    if (attempts < 3) throw new Error("nothing comes through");
    return PlainSurface;
  };
  jest.useFakeTimers();
  try {
    const { result } = renderHook(() => useSurface("rich", 0, load));
    const pass = async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 100)
        await act(async () => void jest.advanceTimersByTime(100));
    };
    await pass(500);
    expect([attempts, result.current.failed]).toEqual([1, true]);
    await pass(3000);
    expect([attempts, result.current.failed]).toEqual([2, true]);
    await pass(6000);
    expect([attempts, result.current.failed, result.current.shown.kind]).toEqual([3, false, "code"]);
  } finally {
    jest.useRealTimers();
  }
});

describe("without a connection", () => {
  const connection = (on: boolean) => {
    Object.defineProperty(navigator, "onLine", { value: on, configurable: true });
    act(() => void dispatchEvent(new Event(on ? "online" : "offline")));
  };
  afterEach(() => void Reflect.deleteProperty(navigator, "onLine"));

  test("the editor is not asked for, and is loaded when it is back", async () => {
    let attempts = 0;
    const load = async () => {
      attempts += 1;
      return PlainSurface;
    };
    connection(false);
    const { result } = renderHook(() => useSurface("rich", 0, load));
    await waitFor(() => expect(result.current.failed).toBe(true));
    expect(attempts).toBe(0);
    connection(true);
    await waitFor(() => expect(result.current.shown.kind).toBe("code"));
    expect([attempts, result.current.failed]).toEqual([1, false]);
  });

  test("one that broke off is tried again when it is back", async () => {
    let isOff = true;
    const load = async () => {
      if (isOff) throw new Error("offline");
      return PlainSurface;
    };
    const { result } = renderHook(() => useSurface("rich", 0, load));
    await waitFor(() => expect(result.current.failed).toBe(true));
    isOff = false;
    connection(true);
    await waitFor(() => expect(result.current.shown.kind).toBe("code"));
  });
});

describe("the plain editor", () => {
  const show = (start?: Start) => {
    const ref: { current: EditorSurface | null } = { current: null };
    const nothing = () => undefined;
    render(
      <PlainSurface
        ref={ref}
        value="hello world"
        onChange={nothing}
        label="Text"
        placeholder=""
        markdown
        live={false}
        typewriter={false}
        start={start}
      />,
    );
    return { surface: ref, area: screen.getByRole("textbox") as HTMLTextAreaElement };
  };

  test("takes over caret and focus, backwards selections too", () => {
    const { surface, area } = show({ caret: { anchor: 8, head: 2 }, scrolled: 0, focus: true });
    expect(document.activeElement).toBe(area);
    expect([area.selectionStart, area.selectionEnd]).toEqual([2, 8]);
    expect(surface.current?.caret()).toEqual({ anchor: 8, head: 2 });
    expect(surface.current?.focused()).toBe(true);
  });

  test("does not take a focus that nobody had", () => {
    const { surface, area } = show({ caret: { anchor: 3, head: 3 }, scrolled: 0, focus: false });
    expect(document.activeElement).not.toBe(area);
    expect(surface.current?.focused()).toBe(false);
  });

  test("asks to wait while an input method is in the middle of a word", async () => {
    const { surface, area } = show();
    act(() => void area.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true })));
    let settled = false;
    const waiting = surface.current?.settled().then(() => {
      settled = true;
    });
    await Promise.resolve();
    expect(settled).toBe(false);
    act(() => void area.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true })));
    await waiting;
    expect(settled).toBe(true);
  });
});
