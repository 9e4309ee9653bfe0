import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { fsBytes } from "#contract/fs/bytes";
import { fs as api } from "#contract/fs/fs";
import { ALL_PERMISSIONS } from "#contract/permissions";
import type { Caller } from "../../../../../src/access/principal.ts";
import type { Task } from "../../../../../src/jobs/task.ts";
import { s3Calls, textsOf } from "../../../../support/clients/s3.ts";
import { namesIn } from "../../../../support/files/read-zip.ts";
import { makeKey } from "../../../../support/make-key.ts";
import { openTreeHouse, type TreeCalls, urlOf, type Who } from "../../../../support/tree/tree-house.ts";

/** What lies behind a mount is nobody's, also where the storage spells the folder with letters that are taken apart. */

const apart = "e\u0301x";
const composed = "\u00e9x";

const admin = { kind: "admin", sessionId: null } as const;

/** A mount at /drive/f/éx/inner, which keys do not see, before a folder of that name in other letters. */
async function openShadowed() {
  const tree = await openTreeHouse({ mount_path: "/drive" });
  await tree.put(`/drive/f/${apart}/inner/shadowed.txt`, `/drive/f/${apart}/inner/deep/shadowed.txt`);
  await tree.put(`/drive/f/${apart}/inner by name.txt`, `/drive/f/${apart}/open.txt`);
  const { mount } = await tree.second({ mount_path: `/drive/f/${composed}/inner` }, { is_public: false });
  await tree.put(`/drive/f/${composed}/inner/private.txt`);
  await tree.house.house.vfs.search.settled();
  return { ...tree, mount };
}

const callers: Record<string, (tree: TreeCalls) => Promise<{ who: Who; sees: string[] }>> = {
  "an administrator, who sees it,": async (tree) => ({ who: tree.admin, sees: ["private.txt"] }),
  "a key, which does not see it,": async (tree) => ({ who: await tree.holder(), sees: [] }),
  "a key of the folder above": async (tree) => ({ who: await tree.holder("/drive/f"), sees: [] }),
};

/** The names of files in an archive. */
async function zipped({ house }: TreeCalls, path: string, who: Who): Promise<string[]> {
  const response = await house.request(urlOf(fsBytes.zip, { path }), { headers: who });
  expect(response.status).toBe(200);
  const names = namesIn(new Uint8Array(await response.arrayBuffer()));
  return names.filter((name) => !name.endsWith("/")).map((name) => name.slice(name.lastIndexOf("/") + 1));
}

/** What became of each file of a task, and at last the code of what ended it. */
async function run({ house }: TreeCalls, caller: Caller, task: Task): Promise<string[]> {
  const conditions = { caller: async () => caller, protocol: "mount", signal: new AbortController().signal } as const;
  const steps: string[] = [];
  try {
    for await (const { path, outcome } of house.house.jobs.run(task, conditions)) steps.push(`${outcome} ${path}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    steps.push(error.code);
  }
  return steps;
}

/** Somebody who runs tasks: the administrator, or the holder of a key. */
const runners: Record<string, (tree: TreeCalls) => Promise<Caller>> = {
  "an administrator": async () => admin,
  "a key": async ({ house }) => {
    const { id, name } = await makeKey(house);
    return { kind: "key", id, name, permissions: ALL_PERMISSIONS, basePath: "/", isVisitor: false };
  },
};

const sorted = (names: readonly string[]): string[] => [...names].sort();

describe.each(Object.entries(callers))("%s", (_, made) => {
  test.each(["/drive/f", `/drive/f/${apart}`, `/drive/f/${composed}`])(
    "has nothing of it in an archive of %j",
    async (path) => {
      await using tree = await openShadowed();
      const { who, sees } = await made(tree);
      expect(sorted(await zipped(tree, path, who))).toEqual(sorted(["inner by name.txt", "open.txt", ...sees]));
      expect(await tree.text(`/drive/f/${apart}/inner/shadowed.txt`, who)).toBe(
        sees.length > 0 ? "path.missing" : "mount.none",
      );
    },
  );

  test("finds nothing of it, and is not told how much there is", async () => {
    await using tree = await openShadowed();
    const { who } = await made(tree);
    const found = async (path: string, q: string) =>
      (await tree.call(api.search, { query: { q, scope: "directory", path } }, who)).data;
    for (const path of ["/drive/f", `/drive/f/${apart}`, `/drive/f/${composed}`]) {
      expect(await found(path, "shadowed")).toMatchObject({ results: [], total: 0 });
      expect(await found(path, "open")).toMatchObject({ results: [{ name: "open.txt" }], total: 1 });
    }
  });

  test("lists the folder once, with what is beside it", async () => {
    await using tree = await openShadowed();
    const { who, sees } = await made(tree);
    expect((await tree.list("/drive/f", who)).data.items).toHaveLength(1);
    for (const path of [`/drive/f/${apart}`, `/drive/f/${composed}`])
      expect(await tree.names(path, who)).toBe(`${sees.length > 0 ? "inner/ " : ""}inner by name.txt open.txt`);
  });
});

test("a folder is in no list beside the mount that stands before it, nor for those who do not see that", async () => {
  await using tree = await openTreeHouse({ mount_path: "/drive" });
  await tree.put(`/drive/f/${apart}/shadowed.txt`, "/drive/f/open.txt");
  await tree.second({ mount_path: `/drive/f/${composed}` }, { is_public: false });
  expect(await tree.names("/drive/f")).toBe(`${composed}/ open.txt`);
  expect(await tree.names("/drive/f", await tree.holder())).toBe("open.txt");
  expect(await tree.names(`/drive/f/${apart}`, await tree.holder())).toBe("mount.none");
});

describe.each(Object.entries(runners))("of a task of %s", (_, made) => {
  test.each(["copy", "move"] as const)("a %s leaves it where it is", async (kind) => {
    await using tree = await openShadowed();
    const other = { name: "Third", bucket_name: "third" };
    await tree.second({ name: "To", mount_path: "/to" }, other);
    const ran = await run(tree, await made(tree), { kind, source: "/drive/f", target: "/to/g", skipExisting: true });
    expect(ran.filter((step) => step.includes("shadowed"))).toEqual([]);
    expect(ran).toContain(`done /drive/f/${apart}/open.txt`);
    expect(tree.readOnDisk(`f/${apart}/inner/shadowed.txt`)).toBe(`/drive/f/${apart}/inner/shadowed.txt`);
    expect(await tree.text(`/to/g/${apart}/open.txt`)).toBe(`/drive/f/${apart}/open.txt`);
    expect(await tree.text(`/to/g/${apart}/inner/shadowed.txt`)).toBe("path.missing");
  });

  test("a removal is refused", async () => {
    await using tree = await openShadowed();
    const caller = await made(tree);
    for (const source of ["/drive/f", `/drive/f/${apart}`, `/drive/f/${apart}/inner`])
      expect(await run(tree, caller, { kind: "delete", source })).toEqual(["path.mount"]);
    expect(tree.readOnDisk(`f/${apart}/inner/shadowed.txt`)).toBe(`/drive/f/${apart}/inner/shadowed.txt`);
  });
});

test("the index does not count it for a key that does not see what stands before it", async () => {
  await using tree = await openShadowed();
  const caller = await runners["a key"]?.(tree);
  if (!caller) throw new Error("There is no key.");
  const view = await tree.house.house.vfs.as(caller, "mount");
  expect(await view.at("/drive/f").wholePlace("copy")).toBeUndefined();
  expect(await view.at("/drive").wholePlace("copy")).toBeUndefined();
});

describe("by S3", () => {
  const open = async () => {
    const tree = await openShadowed();
    return { ...tree, s3: s3Calls(tree.house, await makeKey(tree.house)) };
  };
  const beside = [`f/${apart}/inner by name.txt`, `f/${apart}/open.txt`];

  test("no list has it, of whatever prefix and delimiter", async () => {
    await using tree = await open();
    for (const prefix of ["", "f/", `f/${apart}/`]) expect(await tree.s3.list("drive", { prefix })).toEqual(beside);
    expect(await tree.s3.list("drive", { prefix: `f/${apart}/`, delimiter: "/" })).toEqual(beside);
    expect(await tree.s3.list("drive", { prefix: `f/${apart}/inner/` })).toEqual([]);
    expect(await tree.s3.list("drive", { prefix: `f/${apart}/inner/`, delimiter: "/" })).toEqual([]);
    expect(await tree.s3.list("drive", { delimiter: "txt" })).toEqual(beside);
  });

  test("pages go on behind it", async () => {
    await using tree = await open();
    const keys: string[] = [];
    for (let page = 0; page < 3; page++)
      keys.push(...(await tree.s3.list("drive", { "max-keys": "1", "start-after": keys.at(-1) ?? "" })));
    expect(keys).toEqual(beside);
  });

  test.each([
    ["the folder itself", { prefix: `f/${apart}/`, "start-after": `f/${apart}/inner/d` }, beside.slice(1)],
    ["one above it", { prefix: "f/", "start-after": `f/${apart}/open.txt` }, []],
  ])("nobody learns what there is by going on within it: %s", async (_, query, rest) => {
    await using tree = await open();
    expect(await tree.s3.list("drive", { ...query, delimiter: "/" })).toEqual(rest);
  });

  test("it is neither read nor removed", async () => {
    await using tree = await open();
    const key = `/drive/f/${apart}/inner/shadowed.txt`;
    expect(await tree.s3.text(key)).not.toContain("shadowed.txt");
    await tree.s3.outcome("DELETE", key);
    expect(tree.readOnDisk(key.slice("/drive/".length))).toBe(key);
  });

  test("an upload to it, from before the mount, is not listed", async () => {
    await using tree = await openTreeHouse({ mount_path: "/drive" });
    const s3 = s3Calls(tree.house, await makeKey(tree.house));
    const begin = (name: string) => s3.send("POST", `/drive/f/${apart}/${name}`, { query: { uploads: "" } });
    for (const name of ["inner/a", "inner/b", "z"]) expect((await begin(name)).status).toBe(200);
    await tree.second({ mount_path: `/drive/f/${composed}/inner` }, { is_public: false });
    const answer = await s3.send("GET", "/drive", { query: { uploads: "", "max-uploads": "2" } });
    expect(textsOf(answer, "Key")).toEqual([`f/${apart}/z`]);
  });
});
