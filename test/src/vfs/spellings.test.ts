import { describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { davCalls } from "../../support/clients/dav.ts";
import { callsOf } from "../../support/clients/s3.ts";
import { ended } from "../../support/jobs/jobs-room.ts";
import { mountOther } from "../../support/make-mount.ts";
import { openFolderHouse } from "../../support/stores/folder-house.ts";
import { openTestHouse } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree/tree-house.ts";

/** Names that are longer in another form of Unicode, and keys that differ by their form alone. */

/** 29 syllables: 87 bytes composed, and 261 decomposed, which is more than a name may have. */
const LONG = "각".repeat(29);

test("a name whose decomposed form is too long for one is written, found and removed as any other", async () => {
  await using house = await openTestHouse();
  const { call, write } = await treeCalls(house);
  expect(Buffer.byteLength(LONG.normalize("NFD"))).toBeGreaterThan(255);
  await write(`/drive/${LONG}`, "written");
  expect((await call(api.mkdir, { body: { path: `/drive/d/${LONG}` } })).error).toBeUndefined();
  await write(`/drive/d/${LONG}/${LONG}.txt`, "below");
  const authorization = `Basic ${Buffer.from("admin:correct horse").toString("base64")}`;
  const dav = async (method: string, path: string, body?: string) =>
    (await house.request(`/dav/drive/${encodeURI(path)}`, { method, headers: { authorization }, body: body ?? null }))
      .status;
  expect(await dav("PUT", `${LONG} by dav`, "x")).toBe(201);
  expect(await dav("MKCOL", `${LONG} folder`)).toBe(201);
  expect(await dav("GET", `${LONG} none`)).toBe(404);
  expect(await dav("GET", LONG)).toBe(200);
  expect(await dav("DELETE", LONG)).toBe(204);
  const s3 = await callsOf(house);
  expect(await s3.outcome("PUT", `/drive/${LONG}`, { body: "by s3" })).toBe("200");
  expect(await s3.text(`/drive/${LONG}`)).toBe("by s3");
});

test("by S3 a key is its bytes: one in another form of Unicode is another object", async () => {
  await using house = await openTestHouse();
  const s3 = await callsOf(house);
  const [composed, decomposed] = ["é/é.txt", "é/é.txt"].map((key, index) => key.normalize(index ? "NFD" : "NFC"));
  await s3.put(`/drive/${composed}`, "composed");
  expect(await s3.text(`/drive/${decomposed}`)).toBe("NoSuchKey");
  expect(await s3.outcome("DELETE", `/drive/${decomposed}`)).toBe("204");
  expect(await s3.text(`/drive/${composed}`)).toBe("composed");
  await s3.put(`/drive/${decomposed}`, "decomposed");
  expect(await s3.list("drive")).toEqual([decomposed ?? "", composed ?? ""]);
  expect(await s3.text(`/drive/${composed}`)).toBe("composed");
  expect(await s3.text(`/drive/${decomposed}`)).toBe("decomposed");
  expect(await s3.outcome("DELETE", `/drive/${decomposed}`)).toBe("204");
  expect(await s3.list("drive")).toEqual([composed ?? ""]);
});

/** Far enough from one another that they are not copied at the same time. */
const FILLERS = Array.from({ length: 40 }, (_, index) => `f${index}`);
const COMPOSED = "\u00e9";
const APART = "e\u0301";
const NAMES = [`${APART}.txt`, `${COMPOSED}.txt`, `${APART}/in.txt`, `${COMPOSED}/in.txt`, `${APART}/${COMPOSED}.txt`];

/** Mounts /near and /other of the built-in disk, and the folder /m of the machine; /near/from has names in both forms of Unicode. */
async function openTwins() {
  const opened = await openFolderHouse();
  const { house } = opened;
  for (const path of ["/near", "/other"]) await mountOther(house, path, true);
  const s3 = await callsOf(house);
  for (const name of [...NAMES, ...FILLERS]) await s3.put(`/near/from/${name}`, name);
  /** What is in each of those files at another place. */
  const at = async (folder: string) => {
    const texts: string[] = [];
    for (const name of [...NAMES, ...FILLERS]) texts.push(await opened.text(`${folder}/${name}`));
    return texts;
  };
  return { ...opened, at, dav: davCalls(house) };
}

describe("files whose names differ by their form of Unicode alone", () => {
  const all = [...NAMES, ...FILLERS];
  const targets = ["/near/to", "/other/to", "/m/to"] as const;

  test.each(targets)("are all in a COPY to %s, also in place of a folder", async (target) => {
    await using twins = await openTwins();
    for (const status of [201, 204]) {
      expect((await twins.dav.copyOrMove("COPY", "/near/from", target)).status).toBe(status);
      expect(await twins.at(target)).toEqual(all);
    }
    expect(await twins.at("/near/from")).toEqual(all);
  });

  test.each(targets)("are all there after a MOVE to %s", async (target) => {
    await using twins = await openTwins();
    expect((await twins.dav.copyOrMove("MOVE", "/near/from", target)).status).toBe(201);
    expect(await twins.at(target)).toEqual(all);
    expect(await twins.names("/near/from")).toBe("path.missing");
  });

  test.each([
    ["copy", "/near/to", true],
    ["copy", "/m/to", false],
    ["move", "/other/to", true],
    ["move", "/m/to", false],
  ] as const)("are all done by a job: %s to %s, leaving what is there: %p", async (kind, target, skipExisting) => {
    await using twins = await openTwins();
    const { call, house } = twins;
    // A folder that is there already, and that the task spells otherwise.
    await twins.write(`${target}/${APART}/${APART}/before.txt`, "before");
    const folder = `${target}/${COMPOSED}/${APART}`;
    const tasks = [{ kind, source: "/near/from", target: folder, skipExisting }];
    const { data } = await call(fsJobs.create, { body: { tasks } });
    const sums = { state: "completed", done_files: all.length, skipped_files: 0, failed_files: 0 };
    expect(await ended(house.house.jobs, data.id)).toMatchObject(sums);
    expect(await twins.at(`${target}/${APART}/${APART}`)).toEqual(all);
    expect(await twins.at("/near/from")).toEqual(kind === "copy" ? all : all.map(() => "path.missing"));
  });
});
