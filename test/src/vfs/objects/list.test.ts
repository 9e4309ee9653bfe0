import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listKeys } from "../../../../src/vfs/objects/list.ts";
import { openDiskStore } from "../../../support/stores/disk-store.ts";

test("a list by an odd delimiter reads the storage once, however many folders that makes", async () => {
  await using disk = await openDiskStore();
  const folder = join(disk.drive, "many");
  mkdirSync(folder, { recursive: true });
  for (let number = 100; number < 500; number++) writeFileSync(join(folder, `${number}.txt`), "");
  let reads = 0;
  const counted = {
    list: (request: Parameters<typeof disk.store.list>[0]) => {
      reads += 1;
      return disk.store.list(request);
    },
  };
  const request = { prefix: "many/", delimiter: ".", limit: 300 } as const;
  const first = await listKeys(counted, { scope: "", except: [] }, { ...request, after: "" });
  const second = await listKeys(counted, { scope: "", except: [] }, { ...request, after: first.next ?? "" });
  expect(reads).toBe(2);
  expect([first.folders.length, first.next]).toEqual([300, "many/399."]);
  expect([second.folders.length, second.folders[0], second.next]).toEqual([100, "many/400.", undefined]);
});
