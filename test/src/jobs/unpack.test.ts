import { describe, expect, test } from "bun:test";
import type { CallInput } from "#contract/endpoint";
import { fsJobs } from "#contract/fs/jobs";
import type { Permission } from "#contract/permissions";
import { storage as storages } from "#contract/storage";
import { davCalls } from "../../support/clients/dav.ts";
import { stopAtEachWrite } from "../../support/database/crash.ts";
import { type MadeEntry, tar, zip } from "../../support/files/archives.ts";
import { admin, ended } from "../../support/jobs/jobs-room.ts";
import { makeMount } from "../../support/make-mount.ts";
import { ask } from "../../support/share-file.ts";
import { openFolderHouse } from "../../support/stores/folder-house.ts";
import { openTestHouse } from "../../support/test-house.ts";
import { type TreeCalls, treeCalls, type Who } from "../../support/tree/tree-house.ts";

/** Archives that are unpacked into the tree by a job. */

type Body = CallInput<typeof fsJobs.unpack>["body"];

async function openUnpacking() {
  const house = await openTestHouse();
  return { ...(await treeCalls(house)), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

async function store({ house }: Pick<TreeCalls, "house">, path: string, content: Uint8Array): Promise<void> {
  const view = await house.house.vfs.as(admin, "mount");
  const body = new Response(content as Uint8Array<ArrayBuffer>);
  await view.at(path).put({ body, length: content.byteLength });
}

/** Unpacks, and answers what became of it: the state, counts, and the failures by the names of files. */
async function unpack(tree: TreeCalls, body: Body, who?: Who) {
  const { status, data, error } = await tree.call(fsJobs.unpack, { body }, who);
  if (!data) return { status, error };
  const job = await ended(tree.house.house.jobs, data.id);
  const target = data.tasks[0]?.target ?? "";
  const { state, done_files: done, skipped_files: skipped, failed_files: failed, failures } = job;
  const why = Object.fromEntries(
    failures.map(({ path, error: code }) => [path.slice(path.lastIndexOf("/") + 1), code]),
  );
  return { status, target, state, done, skipped, failed, why, total: job.total_files };
}

const three: readonly MadeEntry[] = [
  { name: "d/", content: "" },
  { name: "d/a", content: "a" },
  { name: "b", content: "b".repeat(100) },
  { name: "c", content: "c" },
];

describe("an archive is unpacked", () => {
  test("into a new folder beside it, the next one with a number", async () => {
    await using tree = await openUnpacking();
    await store(tree, "/drive/in/three.v1.zip", zip(three));
    expect(await unpack(tree, { path: "/drive/in/three.v1.zip" })).toEqual({
      status: 202,
      target: "/drive/in/three.v1",
      state: "completed",
      done: 3,
      skipped: 0,
      failed: 0,
      why: {},
      total: 3,
    });
    expect(await unpack(tree, { path: "/drive/in/three.v1.zip" })).toMatchObject({
      target: "/drive/in/three.v1 (2)",
      done: 3,
    });
    expect(await tree.names("/drive/in")).toBe("three.v1 (2)/ three.v1/ three.v1.zip");
    expect([await tree.names("/drive/in/three.v1"), await tree.text("/drive/in/three.v1/d/a")]).toEqual([
      "d/ b c",
      "a",
    ]);
  });

  test.each<[Body["onConflict"], object, string, string]>([
    ["skip", { done: 2, skipped: 1 }, "d/ b c", "mine"],
    ["rename", { done: 3, skipped: 0 }, "d/ b b(1) c", "mine"],
    ["overwrite", { done: 3, skipped: 0 }, "d/ b c", "b".repeat(100)],
  ])("where a name is taken: %s", async (onConflict, counts, names, text) => {
    await using tree = await openUnpacking();
    await store(tree, "/drive/three.zip", zip(three));
    await tree.write("/drive/to/b", "mine");
    const job = await unpack(tree, { path: "/drive/three.zip", target: "/drive/to/", onConflict });
    expect(job).toMatchObject({ state: "completed", ...counts });
    expect([await tree.names("/drive/to"), await tree.text("/drive/to/b")]).toEqual([names, text]);
  });

  test("what is bad in it is told by name, and the rest is there", async () => {
    await using tree = await openUnpacking();
    const entries = [
      { name: "good", content: "good" },
      { name: "good", content: "twice" },
      { name: "GOOD", content: "another on most systems" },
      { name: "e\u0301", content: "1" },
      { name: "\u00e9", content: "2" },
      { name: "good/below", content: "x" },
      { name: "../up", content: "x" },
      { name: "/root", content: "x" },
      { name: "C:\\x", content: "x" },
      { name: ".satchel-staging-x", content: "x" },
      { name: "sum", content: "x", says: { crc: 1 } },
      { name: "link", content: "/etc/passwd", mode: 0o120777 },
      { name: "last", content: "last" },
    ];
    await store(tree, "/drive/bad.zip", zip(entries));
    expect(await unpack(tree, { path: "/drive/bad.zip" })).toMatchObject({
      state: "partial_complete",
      done: 4,
      skipped: 1,
      failed: 8,
      why: {
        good: "archive.twice",
        é: "archive.twice",
        below: "path.conflict",
        up: "archive.name",
        root: "archive.name",
        "C:\\x": "archive.name",
        ".satchel-staging-x": "archive.name",
        sum: "archive.broken",
        link: "archive.link",
      },
    });
    expect((await tree.names("/drive/bad")).split(" ").sort()).toEqual(["GOOD", "good", "last", "é"]);
    expect([await tree.text("/drive/bad/good"), await tree.names("/drive")]).toEqual(["good", "bad/ bad.zip"]);
  });

  test("of a tar with an end that is missing all before it stays, and the job says so", async () => {
    await using tree = await openUnpacking();
    await store(tree, "/drive/a.tar", tar([{ name: "a", content: "a" }], { cut: true }));
    const job = await unpack(tree, { path: "/drive/a.tar" });
    expect(job).toMatchObject({ state: "partial_complete", done: 1, why: { "a.tar": "archive.broken" } });
    expect(await tree.text("/drive/a/a")).toBe("a");
  });

  test("nothing of it takes its own place, or that of its folder", async () => {
    await using tree = await openUnpacking();
    const entries = [
      { name: "self.zip", content: "another" },
      { name: ".", content: "no folder" },
      { name: "last", content: "last" },
    ];
    await store(tree, "/drive/to/self.zip", zip(entries));
    const job = await unpack(tree, { path: "/drive/to/self.zip", target: "/drive/to", onConflict: "overwrite" });
    expect(job).toMatchObject({ done: 1, failed: 2, why: { "self.zip": "path.taken", to: "archive.name" } });
    const other = await unpack(tree, { path: "/drive/to/self.zip", target: "/drive/to", onConflict: "rename" });
    expect(other).toMatchObject({ done: 2, failed: 1 });
    expect(await tree.names("/drive/to")).toBe("last last(1) self(1).zip self.zip");
  });

  test("nothing of it takes its place under the path of another mount of its storage", async () => {
    await using tree = await openUnpacking();
    await makeMount(tree.house, { name: "Other", mount_path: "/other" });
    const archive = zip([
      { name: "self.zip", content: "another" },
      { name: "last", content: "last" },
    ]);
    await store(tree, "/drive/to/self.zip", archive);
    const job = await unpack(tree, { path: "/drive/to/self.zip", target: "/other/to", onConflict: "overwrite" });
    expect(job).toMatchObject({ done: 1, failed: 1, why: { "self.zip": "path.taken" } });
    expect(await tree.names("/drive/to")).toBe("last self.zip");
    const whole = await tree.house.request("/api/fs/download?path=/drive/to/self.zip", { headers: tree.admin });
    expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(archive))).toBe(true);
  });

  test("what is none, or a bomb, makes neither a job nor a folder", async () => {
    await using tree = await openUnpacking();
    await store(tree, "/drive/bomb.zip", zip([{ name: "a" }, { name: "b" }], { at: [0, 0] }));
    await tree.put("/drive/a.txt", "/drive/fake.zip");
    const codes: unknown[] = [];
    for (const path of ["/drive/a.txt", "/drive/fake.zip", "/drive/bomb.zip", "/drive/none.zip", "/drive", "a.zip"]) {
      const { status, error } = (await unpack(tree, { path })) as { status: number; error: string };
      codes.push(`${status} ${error}`);
    }
    expect(codes).toEqual([
      "415 archive.format",
      "400 archive.broken",
      "413 archive.bomb",
      "404 path.missing",
      "400 path.isFolder",
      "400 path.invalid",
    ]);
    expect(await tree.names("/drive")).toBe("a.txt bomb.zip fake.zip");
    expect((await tree.call(fsJobs.list, { query: {} })).data).toEqual([]);
  });
});

describe("rights", () => {
  const path = "/drive/mine/three.zip";
  const cases: readonly (readonly [string, readonly Permission[], Body, string])[] = [
    ["both", ["mount_view", "mount_upload"], { path }, "202"],
    ["to read alone", ["mount_view"], { path }, "403 auth.forbidden"],
    ["to write alone", ["mount_upload"], { path }, "403 auth.forbidden"],
    ["to copy and rename", ["mount_copy", "mount_rename", "mount_delete"], { path }, "403 auth.forbidden"],
    ["both, elsewhere", ["mount_view", "mount_upload"], { path, target: "/drive/theirs" }, "403 path.forbidden"],
    ["both, for another's", ["mount_view", "mount_upload"], { path: "/drive/theirs/x.zip" }, "403 path.forbidden"],
    [
      "both, where no storage is",
      ["mount_view", "mount_upload"],
      { path, target: "/drive/mine/../x" },
      "400 path.invalid",
    ],
  ];
  test.each(cases)("%s", async (_, rights, body, outcome) => {
    await using tree = await openUnpacking();
    await store(tree, path, zip(three));
    await store(tree, "/drive/theirs/x.zip", zip(three));
    expect(await tree.outcome(fsJobs.unpack, { body }, await tree.holder("/drive/mine", ...rights))).toBe(outcome);
    expect(await tree.outcome(fsJobs.unpack, { body }, {})).toBe("401 auth.required");
  });

  test("a folder that may only be read takes nothing, and can be unpacked from", async () => {
    await using tree = await openFolderHouse({ readOnly: true });
    await Bun.write(`${tree.root}/a.zip`, zip(three));
    expect(await tree.outcome(fsJobs.unpack, { body: { path: "/m/a.zip" } })).toBe("403 storage.readOnly");
    expect(await unpack(tree, { path: "/m/a.zip", target: "/drive/a" })).toMatchObject({ state: "completed", done: 3 });
  });

  test("a lock of somebody else keeps its file", async () => {
    await using tree = await openUnpacking();
    await store(tree, "/drive/three.zip", zip(three));
    await tree.write("/drive/to/b", "mine");
    expect((await davCalls(tree.house).lock("/drive/to/b")).status).toBe(200);
    const job = await unpack(tree, { path: "/drive/three.zip", target: "/drive/to", onConflict: "overwrite" });
    expect(job).toMatchObject({ state: "partial_complete", done: 2, why: { b: "path.locked" } });
    expect(await tree.text("/drive/to/b")).toBe("mine");
  });

  test("a full storage takes no more of it", async () => {
    await using tree = await openUnpacking();
    await store(tree, "/drive/three.zip", zip([...three, { name: "big", content: Buffer.alloc(50_000, "x") }]));
    const { data } = await ask(tree.house, storages.list, {});
    const config = { name: "Built-in", is_public: true, total_storage_bytes: 20_000 };
    await ask(tree.house, storages.update, { params: { id: data[0]?.id ?? "" }, body: config as never });
    const job = await unpack(tree, { path: "/drive/three.zip" });
    expect(job).toMatchObject({ state: "partial_complete", done: 3, why: { big: "storage.full" } });
    expect(await tree.names("/drive/three")).toBe("d/ b c");
  });
});

describe("what changes meanwhile", () => {
  const steps = async (tree: TreeCalls, after: string | undefined, each: () => Promise<unknown>) => {
    const conditions = {
      caller: async () => admin,
      protocol: "mount",
      after,
      signal: new AbortController().signal,
    } as const;
    const task = { kind: "unpack", source: "/drive/three.zip", target: "/drive/to", onConflict: "skip" } as const;
    const outcomes: string[] = [];
    for await (const { outcome, cursor } of tree.house.house.jobs.run(task, conditions)) {
      outcomes.push(outcome);
      if (outcomes.length === 1) await each();
      if (cursor === undefined) throw new Error("Where it goes on is not known.");
    }
    return outcomes;
  };

  test("an archive that is written anew stops it", async () => {
    await using tree = await openUnpacking();
    await store(tree, "/drive/three.zip", zip(three));
    const changed = steps(tree, undefined, () => store(tree, "/drive/three.zip", zip(three.slice(0, 2))));
    expect(await changed.catch(({ code }) => code)).toBe("archive.changed");
    expect(await tree.names("/drive/to")).toBe("d/");
  });

  test("one that is another when it goes on stops it at once", async () => {
    await using tree = await openUnpacking();
    await store(tree, "/drive/three.zip", zip(three));
    const after = JSON.stringify({ etag: "another", next: 1 });
    expect(await steps(tree, after, async () => undefined).catch(({ code }) => code)).toBe("archive.changed");
    expect(await tree.names("/drive/to")).toBe("path.missing");
  });
});

test("an archive of names that are all refused lets others work", async () => {
  await using tree = await openUnpacking();
  const names = Array.from({ length: 20_000 }, (_, index) => ({ name: `../${index}`, content: "" }));
  await store(tree, "/drive/refused.zip", zip(names));
  const task = { kind: "unpack", source: "/drive/refused.zip", target: "/drive/to", onConflict: "skip" } as const;
  const conditions = { caller: async () => admin, protocol: "mount", signal: new AbortController().signal } as const;
  let [refused, meanwhile] = [0, 0];
  for await (const { outcome } of tree.house.house.jobs.run(task, conditions)) {
    if (outcome !== "failed") continue;
    refused += 1;
    if (refused === 1)
      setImmediate(() => {
        meanwhile = refused;
      });
  }
  expect(refused).toBe(names.length);
  expect(meanwhile).toBeGreaterThan(0);
  expect(meanwhile).toBeLessThan(names.length);
});

describe("a job that is killed before any of its writes", () => {
  const entries: readonly MadeEntry[] = [
    ...three,
    { name: "bad", content: "x", says: { crc: 1 } },
    { name: "e", content: "e" },
  ];
  const asTar = tar(entries.slice(1, 4).map(({ name, content = "" }) => ({ name: `${name}`, content })));
  const cases: readonly (readonly [string, string, Buffer, Body["onConflict"], string, object])[] = [
    [
      "a zip that skips",
      "x.zip",
      zip(entries),
      "skip",
      "d/ b c e",
      { done_files: 3, skipped_files: 1, failed_files: 1 },
    ],
    [
      "a zip beside what is there",
      "x.zip",
      zip(entries),
      "rename",
      "d/ b b(1) c e",
      { done_files: 4, skipped_files: 0, failed_files: 1 },
    ],
    [
      "a zip over what is there",
      "x.zip",
      zip(entries),
      "overwrite",
      "d/ b c e",
      { done_files: 4, skipped_files: 0, failed_files: 1 },
    ],
    [
      "a tar beside what is there",
      "x.tar",
      asTar,
      "rename",
      "d/ b b(1) c",
      { done_files: 3, skipped_files: 0, failed_files: 0 },
    ],
  ];
  test.each(cases)("%s", async (_, name, content, onConflict, names, counts) => {
    const stops = await stopAtEachWrite({
      stride: 3,
      async arrange(house) {
        const tree = await treeCalls(house);
        await store(tree, `/drive/${name}`, content);
        await tree.write("/drive/to/b", "mine");
      },
      async act(house) {
        const body = { path: `/drive/${name}`, target: "/drive/to", onConflict } as const;
        const { data } = await (await treeCalls(house)).call(fsJobs.unpack, { body });
        await ended(house.house.jobs, data.id);
      },
      async check(house, __, writes) {
        const tree = await treeCalls(house);
        const [job] = (await tree.call(fsJobs.list, { query: {} })).data;
        if (!job) return;
        const { done_files, skipped_files, failed_files } = await ended(house.house.jobs, job.id);
        expect({ writes, done_files, skipped_files, failed_files }).toEqual({ writes, ...counts } as never);
        expect({ writes, names: await tree.names("/drive/to") }).toEqual({ writes, names });
        expect(await tree.text("/drive/to/b")).toBe(onConflict === "overwrite" ? "b".repeat(100) : "mine");
      },
    });
    expect(stops).toBeGreaterThan(5);
  });
});
