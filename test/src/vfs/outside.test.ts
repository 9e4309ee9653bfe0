import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { createLog } from "../../../src/lib/log.ts";
import type { Place } from "../../../src/stores/store.ts";
import type { Storage } from "../../../src/stores/stores.ts";
import { createOutside } from "../../../src/vfs/outside.ts";
import { until } from "../../support/until.ts";

/** What a system does that refuses to watch, and programs that never stop; test/src/fronts/folders/outside.test.ts has a real folder. */

interface RoomOptions {
  /** Throws what a system that watches nothing throws. */
  readonly refusal?: () => Error;
  readonly look?: (folder: Place) => Promise<boolean>;
}

function open({ refusal, look = async () => true }: RoomOptions = {}) {
  const lines: string[] = [];
  const looks: string[] = [];
  const watched = new Map<string, () => void>();
  const watch = (folder: string, changed: () => void): (() => void) => {
    if (refusal) throw refusal();
    watched.set(folder, () => {
      watched.delete(folder);
      changed();
    });
    return () => watched.delete(folder);
  };
  const storage = { config: { id: "one" }, store: { watch } } as unknown as Storage;
  const outside = createOutside({
    log: createLog("info", (text) => void lines.push(text)),
    settled: async () => undefined,
    async look(folder) {
      looks.push(folder.key);
      outside.watch(storage, folder.key);
      return await look(folder);
    },
  });
  return { outside, storage, lines, looks, watched };
}

describe("what is outside", () => {
  test("is watched where the system can; where it refuses, one line of the log says so", () => {
    const refusal = () => Object.assign(new Error("ENOSPC: no space left on device, watch"), { code: "ENOSPC" });
    const { outside, storage, lines } = open({ refusal });
    for (let index = 0; index < 50; index += 1) outside.watch(storage, `${index}/`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("folders not watched");
    expect(lines[0]).toContain("ENOSPC");
  });

  test("is no line of the log where a folder is gone or its disk is", () => {
    const { outside, storage, lines } = open({ refusal: () => new Failure("storage.unreachable") });
    outside.watch(storage, "a/");
    expect(lines).toEqual([]);
  });

  test("is looked at once for many changes, and watched again", async () => {
    const { outside, storage, looks, watched } = open();
    for (const key of ["a/", "b/"]) outside.watch(storage, key);
    watched.get("a/")?.();
    expect(watched.has("a/")).toBe(false);
    await until(
      () => looks.join(" "),
      (done) => done === "a/",
    );
    expect([...watched.keys()].sort()).toEqual(["a/", "b/"]);
    await outside.close();
    expect(watched.size).toBe(0);
  });

  test("is left alone where a folder is too large to be listed at once", async () => {
    const { outside, storage, watched } = open({ look: async () => false });
    const told: string[] = [];
    outside.follow(({ key }) => void told.push(key));
    outside.watch(storage, "large/");
    watched.get("large/")?.();
    await until(
      () => told.join(" "),
      (keys) => keys === "large/",
    );
    expect(watched.size).toBe(0);
  });

  test("is looked at although a folder before it could not be", async () => {
    const look = async ({ key }: Place): Promise<boolean> => {
      if (key === "gone/") throw new Failure("storage.unreachable");
      if (key === "broken/") throw new Error("a fault");
      return true;
    };
    const { outside, storage, watched, looks, lines } = open({ look });
    for (const key of ["gone/", "broken/", "good/"]) {
      outside.watch(storage, key);
      watched.get(key)?.();
    }
    await until(
      () => looks.join(" "),
      (done) => done === "gone/ broken/ good/",
    );
    expect(lines.join("")).toContain("change from outside not seen");
    expect(lines.join("")).not.toContain("storage.unreachable");
  });

  test("is looked into where nobody knew it, up to a bound, and only in storages that are watched", () => {
    const { outside, storage } = open();
    expect(outside.lookInto({ storage: "one", key: "new/" })).toBe(false);
    outside.watch(storage, "");
    const into = Array.from({ length: 101 }, (_, index) => outside.lookInto({ storage: "one", key: `${index}/` }));
    expect(into.filter(Boolean)).toHaveLength(100);
    expect(outside.lookInto({ storage: "other", key: "new/" })).toBe(false);
  });

  test("is watched no more once it was closed", async () => {
    const { outside, storage, watched } = open();
    await outside.close();
    outside.watch(storage, "a/");
    expect(watched.size).toBe(0);
    expect(outside.lookInto({ storage: "one", key: "a/" })).toBe(false);
  });
});
