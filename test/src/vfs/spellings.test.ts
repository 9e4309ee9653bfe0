import { expect, test } from "bun:test";
import { fs as api } from "#contract/fs";
import { callsOf } from "../../support/s3-front.ts";
import { openTestHouse } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree-house.ts";

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
