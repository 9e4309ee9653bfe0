import { afterEach, beforeEach, expect, test } from "bun:test";
import { act, cleanup, waitFor } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { openUpload, pageServer, rowOf, small } from "./open-upload.tsx";

/** What this browser lacks: telling what is in view, and reading pictures. */
const { IntersectionObserver: before } = globalThis;
const seers = new Map<Element, IntersectionObserverCallback>();

class Seer {
  constructor(readonly told: IntersectionObserverCallback) {}
  observe = (place: Element) => void seers.set(place, this.told);
  disconnect = () => {
    for (const [place, told] of seers) if (told === this.told) seers.delete(place);
  };
}

beforeEach(() => {
  credential.signIn("token", "admin", Date.now());
  Object.assign(globalThis, { IntersectionObserver: Seer });
});
afterEach(() => {
  cleanup();
  credential.signOut("loggedOut");
  seers.clear();
  Object.assign(globalThis, { IntersectionObserver: before });
  Reflect.deleteProperty(globalThis, "createImageBitmap");
});

/** Reads pictures when the test says so. */
function pictures() {
  const open = new Set<string>();
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  const asked: unknown[] = [];
  const createImageBitmap = ({ name }: File, options: unknown) => {
    asked.push(options);
    const reading = Promise.withResolvers<unknown>();
    waiting.set(name, reading);
    return reading.promise;
  };
  Object.assign(globalThis, { createImageBitmap });
  return {
    open,
    asked,
    reading: () => [...waiting.keys()],
    read(name: string) {
      open.add(name);
      waiting.get(name)?.resolve({ width: 112, height: 84, close: () => open.delete(name) });
      waiting.delete(name);
    },
    fail(name: string) {
      waiting.get(name)?.reject(new DOMException("no", "InvalidStateError"));
      waiting.delete(name);
    },
  };
}

const picture = (name: string) => small(name, name, "image/png");
const canvasOf = (name: string) => rowOf(name).querySelector("canvas");
const comesIntoView = (name: string) =>
  act(async () => {
    for (const [place, told] of [...seers]) {
      if (rowOf(name).contains(place)) told([{ isIntersecting: true } as IntersectionObserverEntry], {} as never);
    }
  });

test("a picture is read small when it comes into view, one after the other, and let go of with its row", async () => {
  await using server = pageServer();
  const read = pictures();
  const { pick, uploads, leave } = await openUpload(server);
  await pick(picture("a.png"), picture("b.png"), picture("c.png"), small("d.zip"));
  expect(read.reading()).toEqual([]);
  await comesIntoView("a.png");
  await comesIntoView("b.png");
  expect(read.reading()).toEqual(["a.png"]);
  expect(read.asked).toMatchObject([{ resizeWidth: 112 }]);
  read.read("a.png");
  await waitFor(() => expect(canvasOf("a.png")?.width).toBe(112));
  await waitFor(() => expect(read.reading()).toEqual(["b.png"]));
  read.fail("b.png");
  await comesIntoView("c.png");
  await waitFor(() => expect(read.reading()).toEqual(["c.png"]));
  expect(canvasOf("b.png")).toBeNull();
  expect(rowOf("b.png").querySelector("svg")).not.toBeNull();

  const [first] = uploads.items.get();
  act(() => uploads.remove(first?.id ?? ""));
  expect([...read.open]).toEqual([]);
  leave();
  await act(async () => read.read("c.png"));
  await waitFor(() => expect([...read.open]).toEqual([]));
});
