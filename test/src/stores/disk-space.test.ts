import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DISK_RESERVE } from "#contract/limits";
import { createDiskSpace } from "../../../src/stores/disk/space.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The space of a disk of a terabyte with so many bytes free beside the reserve. */
const open = (free: number) =>
  createDiskSpace({ folder: "/", volume: () => ({ size: 1024 ** 4, free: DISK_RESERVE + free }) });
const full = expect.objectContaining({ code: "storage.full" });

describe("the space of a disk", () => {
  test("is given to one write only, and given back with it", () => {
    const space = open(10);
    {
      using _first = space.hold(undefined, 6);
      expect(() => space.hold(undefined, 5)).toThrow(full);
      using _second = space.hold(undefined, 4);
      expect(space.free()).toBe(0);
    }
    expect(space.free()).toBe(10);
  });

  test("counts what has arrived only once", () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "arriving");
    const space = open(10);
    using _write = space.hold(path, 8);
    expect(space.free()).toBe(2);
    // The disk has them less by now, which the volume says; here it stays as it was.
    writeFileSync(path, "12345");
    expect(space.free()).toBe(7);
  });

  /** A disk whose bytes are really written, and a clock. */
  function openReal(free: number) {
    const now = { free: DISK_RESERVE + free, milliseconds: 0 };
    const volume = () => ({ size: 1024 ** 4, free: now.free });
    const space = createDiskSpace({ folder: "/", volume, elapsed: () => now.milliseconds });
    const begin = (length: number) => {
      const body = space.arriving(length);
      let come = 0;
      return {
        /** Says how many bytes come now. */
        send(bytes: number) {
          come += bytes;
          now.free -= bytes;
          body.reached(come);
        },
        end() {
          now.free += come;
          body[Symbol.dispose]();
        },
      };
    };
    return { now, space, begin };
  }

  test("is held ahead by what grows, but to the last byte when it must", () => {
    const { now, space } = openReal(160);
    using body = space.growing();
    let written = 0;
    const left = (bytes: number) => {
      body.reached(bytes);
      now.free -= bytes - written;
      written = bytes;
      return space.free();
    };
    expect([left(1), left(10), left(11), left(160)]).toEqual([150, 150, 141, 0]);
    expect(() => left(161)).toThrow(full);
  });

  const isRefused = (send: () => void): boolean => {
    try {
      send();
      return false;
    } catch {
      return true;
    }
  };

  test("is held for little of a body that is said to be long, for what its speed foretells, and at last for as much again", () => {
    const { now, space, begin } = openReal(1600);
    const body = begin(1000);
    expect(space.free()).toBe(1500);
    body.send(10);
    expect(space.free()).toBe(990);
    now.milliseconds = 60_000;
    expect(space.free()).toBe(1490);
    body.send(190);
    expect(space.free()).toBe(1200);
    body.send(300);
    now.milliseconds = 3_600_000;
    expect(space.free()).toBe(600);
    expect(() => space.arriving(601)).toThrow(full);
  });

  test("is given back by a body that was told of late", () => {
    const { space, begin } = openReal(160);
    const body = begin(100);
    body.end();
    body.send(0);
    expect(space.free()).toBe(160);
    using _all = space.hold(undefined, 160);
  });

  test("stays for one that is half there, whatever others send", () => {
    const { now, begin } = openReal(1600);
    const [first, second] = [begin(1000), begin(1000)];
    now.milliseconds = 3_600_000;
    first.send(500);
    second.send(500);
    second.send(100);
    expect(() => second.send(1)).toThrow(full);
    second.end();
    first.send(500);
  });

  test("of several that go beyond it together refuses no more than it must", () => {
    const { now, begin } = openReal(1600);
    now.milliseconds = 3_600_000;
    let bodies = [begin(1000), begin(1000), begin(1000)];
    now.milliseconds *= 2;
    const left: number[] = [];
    for (let come = 100; come <= 1000; come += 100) {
      const goes = new Set(bodies.filter((body) => isRefused(() => body.send(100))));
      for (const body of goes) body.end();
      now.milliseconds += 2000;
      bodies = bodies.filter((body) => !goes.has(body));
      left.push(bodies.length);
    }
    expect(left).toEqual([3, 3, 3, 3, 2, 2, 1, 1, 1, 1]);
  });

  test("takes nothing below the reserve, not even what is empty", () => {
    const space = open(-1);
    expect(space.free()).toBe(0);
    expect(space.isUsedUp()).toBe(true);
    expect(() => space.hold(undefined, 0)).toThrow(full);
    space.requireForDatabase(DISK_RESERVE / 4 - 1);
    expect(() => space.requireForDatabase(DISK_RESERVE / 4)).toThrow(full);
  });
});
