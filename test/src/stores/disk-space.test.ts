import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DISK_RESERVE } from "#contract/limits";
import { createDiskSpace } from "../../../src/stores/disk/space.ts";
import { temporaryFolder } from "../../support/test-house.ts";

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

  test("is held ahead by what grows, but to the last byte when it must", () => {
    const space = open(160);
    using write = space.hold(undefined, 0);
    expect(write.grow(1)).toBe(10);
    expect(write.grow(160)).toBe(160);
    expect(() => write.grow(161)).toThrow(full);
    expect(space.free()).toBe(0);
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
