import { describe, expect, test } from "bun:test";
import { type Permission, permissions } from "#contract/permissions";
import { callsOf, type S3Calls, s3Calls, textsOf } from "../../../support/clients/s3.ts";
import { makeKey } from "../../../support/make-key.ts";
import { makeMount, mountOther } from "../../../support/make-mount.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** Which right opens which operation: nothing that is called here may fail for another reason than who calls. */

type Attempt = (calls: S3Calls) => Promise<string>;

const copying = { headers: { "x-amz-copy-source": "/drive/file" } };
const deletion = { query: { delete: "" }, body: "<Delete><Object><Key>file</Key></Object></Delete>" };

const tagging = {
  headers: { "x-amz-copy-source": "/drive/file", "x-amz-tagging-directive": "REPLACE", "x-amz-tagging": "a=1" },
};
const describing = { headers: { "x-amz-copy-source": "/drive/file", "x-amz-metadata-directive": "REPLACE" } };

/** Rights that an operation needs: all that are named. */
const attempts: Readonly<Record<string, readonly [string, Attempt]>> = {
  ListBuckets: ["mount_view", (s3) => s3.outcome("GET", "/")],
  HeadBucket: ["mount_view", (s3) => s3.outcome("HEAD", "/drive")],
  GetBucketLocation: ["mount_view", (s3) => s3.outcome("GET", "/drive", { query: { location: "" } })],
  ListObjects: ["mount_view", (s3) => s3.outcome("GET", "/drive")],
  ListObjectsV2: ["mount_view", (s3) => s3.outcome("GET", "/drive", { query: { "list-type": "2" } })],
  GetObject: ["mount_view", (s3) => s3.outcome("GET", "/drive/file")],
  HeadObject: ["mount_view", (s3) => s3.outcome("HEAD", "/drive/file")],
  GetObjectAttributes: [
    "mount_view",
    (s3) =>
      s3.outcome("GET", "/drive/file", { query: { attributes: "" }, headers: { "x-amz-object-attributes": "ETag" } }),
  ],
  PutObject: ["mount_upload", (s3) => s3.outcome("PUT", "/drive/file", { body: "new" })],
  "PutObject of a folder": ["mount_upload", (s3) => s3.outcome("PUT", "/drive/folder/")],
  CreateMultipartUpload: ["mount_upload", (s3) => s3.outcome("POST", "/drive/parts", { query: { uploads: "" } })],
  ListMultipartUploads: ["mount_upload", (s3) => s3.outcome("GET", "/drive", { query: { uploads: "" } })],
  CopyObject: ["mount_copy", (s3) => s3.outcome("PUT", "/drive/copy", copying)],
  "CopyObject of an object onto itself, which describes it anew": [
    "mount_copy mount_upload",
    (s3) => s3.outcome("PUT", "/drive/file", describing),
  ],
  "CopyObject with another description": [
    "mount_copy mount_upload",
    (s3) => s3.outcome("PUT", "/drive/copy", describing),
  ],
  "CopyObject with other tags": ["mount_copy mount_upload", (s3) => s3.outcome("PUT", "/drive/copy", tagging)],
  DeleteObject: ["mount_delete", (s3) => s3.outcome("DELETE", "/drive/file")],
  DeleteObjects: ["mount_delete", (s3) => s3.outcome("POST", "/drive", deletion)],
};

const isCovered = (rights: readonly Permission[], wanted: string): boolean =>
  wanted.split(" ").every((one) => rights.some((right) => right === one));
const isOpen = (outcome: string): boolean => outcome.startsWith("2");

async function met(house: TestHouse, calls: S3Calls): Promise<Record<string, boolean>> {
  const all = await callsOf(house);
  const outcomes: Record<string, boolean> = {};
  for (const [name, [, attempt]] of Object.entries(attempts)) {
    await all.put("/drive/file", "old");
    const outcome = await attempt(calls);
    if (!isOpen(outcome) && !/^403( AccessDenied)?$/.test(outcome)) throw new Error(`${name}: ${outcome}`);
    outcomes[name] = isOpen(outcome);
  }
  return outcomes;
}

describe("the right to each operation", () => {
  const few: readonly (readonly Permission[])[] = [
    ["mount_view", "mount_copy"],
    ["mount_copy", "mount_upload"],
  ];
  const held: readonly (readonly Permission[])[] = [[], ...permissions.map((one) => [one]), ...few, permissions];
  test.each(held.map((rights) => [rights.join(" ") || "none", rights] as const))("with %s", async (_, rights) => {
    await using house = await openTestHouse();
    const calls = await callsOf(house, { permissions: rights });
    const expected = Object.fromEntries(
      Object.entries(attempts).map(([name, [right]]) => [name, isCovered(rights, right)]),
    );
    expect(await met(house, calls)).toEqual(expected);
  });

  test("with every right, outside of its base path: not one", async () => {
    await using house = await openTestHouse();
    await mountOther(house, "/other");
    const calls = await callsOf(house, { basic_path: "/other" });
    for (const [name, [, attempt]] of Object.entries(attempts)) {
      const outcome = await attempt(calls);
      expect({ name, outcome }).toEqual({
        name,
        outcome: name === "ListBuckets" ? "200" : expect.stringMatching(/^404/),
      });
    }
    expect((await calls.send("GET", "/")).text).not.toContain("<Name>drive<");
  });
});

test("of uploads in parts whoever may not list is told their own alone", async () => {
  await using house = await openTestHouse();
  const seeing = await callsOf(house, { permissions: ["mount_upload", "mount_view"] });
  const blind = await callsOf(house, { permissions: ["mount_upload"] });
  for (const [calls, key] of [
    [seeing, "a"],
    [blind, "b"],
    [seeing, "c"],
  ] as const)
    expect(await calls.outcome("POST", `/drive/${key}`, { query: { uploads: "" } })).toBe("200");
  const keysOf = async (calls: typeof seeing) =>
    textsOf(await calls.send("GET", "/drive", { query: { uploads: "", "max-uploads": "2" } }), "Key");
  expect([await keysOf(seeing), await keysOf(blind)]).toEqual([["a", "b"], ["b"]]);
});

describe("a base path inside of a bucket", () => {
  test("shows what lies there alone, and lets nothing else be touched", async () => {
    await using house = await openTestHouse();
    const all = await callsOf(house);
    for (const key of ["a/1", "a/in/2", "a/in/deep/3", "a/inner/4", "b"]) await all.put(`/drive/${key}`);
    const inside = await callsOf(house, { basic_path: "/drive/a/in" });
    expect(await inside.list("drive")).toEqual(["a/in/2", "a/in/deep/3"]);
    expect(await inside.list("drive", { delimiter: "/" })).toEqual(["a/"]);
    expect(await inside.list("drive", { delimiter: "/", prefix: "a/" })).toEqual(["a/in/"]);
    expect(await inside.list("drive", { delimiter: "/", prefix: "a/in/" })).toEqual(["a/in/2", "a/in/deep/"]);
    for (const prefix of ["b", "a/1", "a/inner/"]) expect(await inside.list("drive", { prefix })).toEqual([]);
    expect(await inside.text("/drive/a/in/2")).toBe("/drive/a/in/2");
    for (const key of ["a/1", "a/inner/4", "b", "new"]) {
      expect(await inside.text(`/drive/${key}`)).toBe("AccessDenied");
      expect(await inside.outcome("PUT", `/drive/${key}`, { body: "x" })).toBe("403 AccessDenied");
      expect(await inside.outcome("DELETE", `/drive/${key}`)).toBe("403 AccessDenied");
      const copy = { headers: { "x-amz-copy-source": `/drive/${key}` } };
      expect(await inside.outcome("PUT", "/drive/a/in/stolen", copy)).toBe("403 AccessDenied");
      expect(await inside.outcome("POST", `/drive/${key}`, { query: { uploads: "" } })).toBe("403 AccessDenied");
    }
    const body = "<Delete><Object><Key>b</Key></Object><Object><Key>a/in/2</Key></Object></Delete>";
    const { text } = await inside.send("POST", "/drive", { query: { delete: "" }, body });
    expect(text).toContain("<Deleted><Key>a/in/2</Key></Deleted><Error><Key>b</Key><Code>AccessDenied</Code>");
    expect(await all.list("drive")).toEqual(["a/1", "a/in/deep/3", "a/inner/4", "b"]);
  });
});

describe("buckets", () => {
  test("are called as their mounts, or by an id, which every mount answers to", async () => {
    await using house = await openTestHouse();
    const photos = await mountOther(house, "/team/photos", true);
    const odd = await mountOther(house, "/照片_X", true);
    const s3 = await callsOf(house);
    const { text } = await s3.send("GET", "/");
    expect([...text.matchAll(/<Name>([^<]+)</g)].map(([, name]) => name).sort()).toEqual(
      ["drive", odd.id, "team.photos"].sort(),
    );
    for (const name of ["team.photos", photos.id])
      expect(await s3.outcome("PUT", `/${name}/a`, { body: name })).toBe("200");
    expect(await s3.text(`/${photos.id}/a`)).toBe(photos.id);
    expect(await s3.text("/team.photos/a")).toBe(photos.id);
    for (const name of ["none", "team", "..", "store-x", "Drive"])
      expect(await s3.outcome("GET", `/${name}`)).toMatch(/^40[34]/);
  });

  test("do not show what another mount shadows, nor let it be touched", async () => {
    await using house = await openTestHouse();
    const s3 = await callsOf(house);
    for (const key of ["a", "in/side", "in/deep/er", "z"]) await s3.put(`/drive/${key}`);
    await mountOther(house, "/drive/in", true);
    expect(await s3.list("drive")).toEqual(["a", "z"]);
    expect(await s3.list("drive", { "max-keys": "1" })).toEqual(["a"]);
    expect(await s3.list("drive", { "start-after": "a" })).toEqual(["z"]);
    expect(await s3.list("drive", { delimiter: "/" })).toEqual(["a", "z"]);
    expect(await s3.text("/drive/in/side")).toBe("NoSuchKey");
    expect(await s3.outcome("PUT", "/drive/in/side", { body: "x" })).toBe("403 AccessDenied");
    expect(await s3.outcome("DELETE", "/drive/in/side")).toBe("403 AccessDenied");
    expect(await s3.text("/drive.in/side")).toBe("NoSuchKey");
  });

  test("of a storage that is not public, or a mount that is off, are not there", async () => {
    await using house = await openTestHouse();
    await makeMount(house, { mount_path: "/off", is_active: false } as never);
    await mountOther(house, "/private");
    const s3 = await callsOf(house);
    for (const name of ["off", "private"]) expect(await s3.outcome("GET", `/${name}`)).toBe("404 NoSuchBucket");
  });
});

describe("who signs", () => {
  test("a key that was deleted, has expired or changed is out at once", async () => {
    await using house = await openTestHouse();
    const { keys } = house.house.access;
    const [deleted, changed] = [await makeKey(house), await makeKey(house)];
    expect(await s3Calls(house, deleted).outcome("GET", "/drive")).toBe("200");
    await keys.remove(deleted.id);
    expect(await s3Calls(house, deleted).outcome("GET", "/drive")).toBe("403 InvalidAccessKeyId");
    await keys.update(changed.id, { permissions: 0 });
    expect(await s3Calls(house, changed).outcome("GET", "/drive")).toBe("403 AccessDenied");
    const brief = await makeKey(house, { expires_at: new Date(house.clock.now() + 60_000).toISOString() });
    expect(await s3Calls(house, brief).outcome("GET", "/drive")).toBe("200");
    house.clock.advance(61_000);
    expect(await s3Calls(house, brief).outcome("GET", "/drive")).toBe("403 InvalidAccessKeyId");
  });

  test("a short key cannot, one that somebody chose is not guessed for long, and visitors never", async () => {
    await using house = await openTestHouse();
    const short = await makeKey(house, { custom_key: "fifteen-letters" });
    expect(await s3Calls(house, short).outcome("GET", "/drive")).toBe("403 InvalidAccessKeyId");
    const chosen = await makeKey(house, { custom_key: "sixteen--letters" });
    expect(await s3Calls(house, chosen).outcome("GET", "/drive")).toBe("200");
    const guess = () => s3Calls(house, { ...chosen, key: crypto.randomUUID() }).outcome("GET", "/drive");
    const guesses = [];
    for (let index = 0; index < 31; index++) guesses.push(await guess());
    expect([guesses[0], guesses.at(-1)]).toEqual(["403 SignatureDoesNotMatch", "503 SlowDown"]);
    await makeKey(house, { is_guest: true });
    // The pages answer it, and those take no PUT.
    expect(await (await house.request("/drive/a", { method: "PUT", body: "x" })).text()).toBe("site");
  });

  test("the right is asked again at the effect, when all has come", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house);
    const s3 = s3Calls(house, key);
    const { url, headers } = s3.signed("PUT", "/drive/late", { hash: "UNSIGNED-PAYLOAD" });
    const gate = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async pull(controller) {
        await gate.promise;
        controller.enqueue(Buffer.from("late"));
        controller.close();
      },
    });
    const put = house.request(url, { method: "PUT", headers, body });
    await house.house.access.keys.update(key.id, { permissions: 0 });
    gate.resolve();
    expect((await put).status).toBe(403);
    expect(await (await callsOf(house)).text("/drive/late")).toBe("NoSuchKey");
  });
});
