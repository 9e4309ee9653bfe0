import { describe, expect, test } from "bun:test";
import type { OwnKey } from "#contract/fields";
import type { FileRecord } from "#contract/files";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import type { CreatedPaste, ListedPaste } from "#contract/pastes";
import type { ApiKey } from "../../../../src/access/keys.ts";
import { sql } from "../../../../src/database/sql.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { put, shareFile } from "../../../support/share-file.ts";
import { shareText } from "../../../support/share-text.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** What belongs to whom, of two keys and the administrator. */

interface Answer<Data> {
  readonly status: number;
  readonly error?: string;
  readonly data: Data;
  readonly pagination: object;
  readonly key_info?: OwnKey;
}

/** A key as its holder uses it; without one, the administrator. */
function caller(house: TestHouse, key?: ApiKey) {
  return async <Data>(method: string, path: string, body?: unknown): Promise<Answer<Data> & Data> => {
    const headers = key ? withKey(key) : { authorization: `Bearer ${await house.signIn()}` };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await house.request(`/api${path}`, sent);
    return { ...((await response.json()) as Answer<Data> & Data), status: response.status };
  };
}

type Calls = ReturnType<typeof caller>;

async function openWithKeys() {
  const house = await openTestHouse();
  const [ann, bob] = [await makeKey(house, { name: "ann" }), await makeKey(house, { name: "bob" })];
  return { house, ann, bob, asAnn: caller(house, ann), asBob: caller(house, bob), asAdmin: caller(house) };
}

interface Begun {
  readonly file_id: string;
  readonly upload_id: string;
  readonly upload_url: string;
  readonly contentType: string;
}

async function upload(house: TestHouse, call: Calls, slug: string): Promise<FileRecord> {
  const { data } = await call<Begun>("POST", "/s3/presign", { filename: `${slug}.txt`, size: 5, slug });
  await put(house, data.upload_url, "hello", data.contentType);
  return (await call<FileRecord>("POST", "/s3/commit", data)).data;
}

/** Records written with the prefix, as we write it, and without, as older ones may be. */
const spellings = [
  ["apikey:{id}", (_: TestHouse) => Promise.resolve()],
  [
    "the plain id",
    async ({ db }: TestHouse) => {
      await db.run(sql`update pastes set created_by = replace(created_by, 'apikey:', '')`);
      await db.run(sql`update files set created_by = replace(created_by, 'apikey:', '')`);
    },
  ],
] as const;

describe.each(spellings)("what is written as made by %s", (_, respell) => {
  test("texts belong to the key that made them", async () => {
    const { house, asAnn, asBob, asAdmin } = await openWithKeys();
    await using _house = house;
    const made = await asAnn<CreatedPaste>("POST", "/paste", { content: "ann's", slug: "anns" });
    await asBob("POST", "/paste", { content: "bob's", slug: "bobs" });
    await shareText(house, { slug: "admins" });
    await respell(house);
    const slugs = async (call: Calls) => {
      const { data, pagination } = await call<ListedPaste[]>("GET", "/pastes");
      expect(pagination).toMatchObject({ total: data.length });
      return data.map(({ slug }) => slug);
    };
    expect(await slugs(asAnn)).toEqual(["anns"]);
    expect(await slugs(asBob)).toEqual(["bobs"]);
    expect(await slugs(asAdmin)).toEqual(["admins", "bobs", "anns"]);
    for (const name of [made.id, "anns"]) {
      expect((await asBob("GET", `/pastes/${name}`)).error).toBe("share.missing");
      expect((await asBob("PUT", `/pastes/${name}`, { remark: "bob was here" })).error).toBe("share.missing");
    }
    expect((await asBob<object>("DELETE", "/pastes/batch-delete", { ids: [made.id] })).data).toMatchObject({
      deleted: 0,
    });
    expect((await asAnn("PUT", "/pastes/anns", { remark: "mine" })).status).toBe(200);
    expect((await asAdmin("PUT", "/pastes/bobs", { remark: "admin" })).status).toBe(200);
    expect((await asAnn("GET", `/pastes/${made.id}`)).data).toMatchObject({ content: "ann's", remark: "mine" });
    expect((await asAnn<object>("DELETE", "/pastes/batch-delete", { ids: [made.id] })).data).toMatchObject({
      deleted: 1,
    });
  });

  test("files belong to the key that made them", async () => {
    const { house, asAnn, asBob, asAdmin } = await openWithKeys();
    await using _house = house;
    const { id } = await upload(house, asAnn, "anns");
    await upload(house, asBob, "bobs");
    await shareFile(house, { slug: "admins" });
    await respell(house);
    const slugs = async (call: Calls) => {
      const { data } = await call<{ files: FileRecord[]; pagination: object }>("GET", "/files");
      expect(data.pagination).toMatchObject({ total: data.files.length });
      return data.files.map(({ slug }) => slug);
    };
    expect(await slugs(asAnn)).toEqual(["anns"]);
    expect(await slugs(asBob)).toEqual(["bobs"]);
    expect(await slugs(asAdmin)).toEqual(["admins", "bobs", "anns"]);
    expect((await asBob("GET", `/files/${id}`)).error).toBe("share.missing");
    expect((await asBob("PUT", `/files/${id}`, { remark: "bob was here" })).error).toBe("share.missing");
    const remove = { ids: [id] };
    expect((await asBob<object>("DELETE", "/files/batch-delete", remove)).data).toMatchObject({ success: 0 });
    expect((await asAnn("PUT", `/files/${id}`, { remark: "mine" })).status).toBe(200);
    expect((await asAnn("GET", `/files/${id}`)).data).toMatchObject({ remark: "mine" });
    expect((await asAnn<object>("DELETE", "/files/batch-delete", remove)).data).toMatchObject({ success: 1 });
  });

  test("unfinished uploads belong to the key that began them", async () => {
    const { house, asAnn, asBob } = await openWithKeys();
    await using _house = house;
    const whole = (await asAnn<Begun>("POST", "/s3/presign", { filename: "a.txt", size: 5 })).data;
    await put(house, whole.upload_url, "hello", whole.contentType);
    const values = { filename: "b.txt", size: 5, part_size: 5 * 1024 * 1024 };
    const { file_id, upload_id } = (await asAnn<Begun>("POST", "/s3/multipart/init", values)).data;
    const parts = { file_id, upload_id };
    await respell(house);
    expect((await asBob("POST", "/s3/commit", whole)).error).toBe("upload.missing");
    for (const [step, more] of [
      ["parts", {}],
      ["complete", { parts: [] }],
      ["abort", {}],
    ] as const)
      expect((await asBob("POST", `/s3/multipart/${step}`, { ...parts, ...more })).error).toBe("upload.missing");
    expect((await asBob<object>("DELETE", "/files/batch-delete", { ids: [file_id] })).data).toMatchObject({
      success: 0,
    });
    expect((await asAnn("POST", "/s3/commit", whole)).status).toBe(200);
    expect((await asAnn("POST", "/s3/multipart/parts", parts)).status).toBe(200);
    expect((await asAnn("POST", "/s3/multipart/abort", parts)).status).toBe(200);
  });

  test("the administrator sees the names of the keys, and keys do not", async () => {
    const { house, ann, asAnn, asAdmin } = await openWithKeys();
    await using _house = house;
    const { id } = await asAnn<CreatedPaste>("POST", "/paste", { content: "x" });
    const file = await upload(house, asAnn, "anns");
    await shareText(house, {});
    await respell(house);
    const texts = async (call: Calls) =>
      (await call<ListedPaste[]>("GET", "/pastes")).data.map(({ key_name }) => key_name);
    const files = async (call: Calls) =>
      (await call<{ files: FileRecord[] }>("GET", "/files")).data.files.map(({ key_name }) => key_name);
    expect(await texts(asAdmin)).toEqual([undefined, "ann"]);
    expect(await files(asAdmin)).toEqual(["ann"]);
    expect((await asAdmin("GET", `/pastes/${id}`)).data).toMatchObject({ key_name: "ann" });
    expect((await asAdmin("GET", `/files/${file.id}`)).data).toMatchObject({ key_name: "ann" });
    expect([...(await texts(asAnn)), ...(await files(asAnn))]).toEqual([undefined, undefined]);
    await house.house.access.keys.update(ann.id, { name: "anna" });
    expect(await files(asAdmin)).toEqual(["anna"]);
    await house.house.access.keys.remove(ann.id);
    expect(await texts(asAdmin)).toEqual([undefined, undefined]);
  });
});

describe("a key's list", () => {
  test("says which key it is for, and the administrator's says nothing of the kind", async () => {
    const { house, asAdmin } = await openWithKeys();
    await using _house = house;
    const key = await makeKey(house, { permissions: ["text", "file_share"], basic_path: "/team", role: "GUEST" });
    const { id, name } = key;
    const own = { id, name, key: key.key, basicPath: "/team", permissions: 3, role: "GUEST", isGuest: 0 };
    for (const path of ["/pastes", "/files"]) {
      expect((await caller(house, key)("GET", path)).key_info).toEqual(own as OwnKey);
      expect((await asAdmin("GET", path)).key_info).toBeUndefined();
    }
  });

  test("carries whole texts as long as all of a page are not too much", async () => {
    const { house, asAnn, asAdmin } = await openWithKeys();
    await using _house = house;
    const half = "h".repeat(MAX_CONTENT_BYTES / 2);
    for (const content of ["old", half, half, "new"]) await asAnn("POST", "/paste", { content });
    const lengths = async (path: string) =>
      (await asAnn<ListedPaste[]>("GET", path)).data.map(({ content }) => content?.length);
    expect(await lengths("/pastes")).toEqual([3, half.length, undefined, undefined]);
    expect(await lengths("/pastes?offset=1&limit=2")).toEqual([half.length, half.length]);
    expect(await lengths("/pastes?content=false")).toEqual(Array<undefined>(4).fill(undefined));
    expect(await lengths("/pastes?content=true&limit=1")).toEqual([3]);
    expect((await asAdmin<ListedPaste[]>("GET", "/pastes")).data.map(({ content }) => content)).toEqual(
      Array<undefined>(4).fill(undefined),
    );
  });

  test("turns its pages newest first, and cannot be asked for another's", async () => {
    const { house, bob, asAnn, asBob, asAdmin } = await openWithKeys();
    await using _house = house;
    for (const slug of ["s1", "s2", "s3"]) {
      await asAnn("POST", "/paste", { content: slug, slug });
      await asBob("POST", "/paste", { content: slug, slug: `bob-${slug}` });
    }
    const slugs = async (call: Calls, query: string) =>
      (await call<ListedPaste[]>("GET", `/pastes?${query}`)).data.map(({ slug }) => slug);
    expect(await slugs(asAnn, "limit=2")).toEqual(["s3", "s2"]);
    expect(await slugs(asAnn, "limit=2&page=2")).toEqual(["s1"]);
    expect(await slugs(asAnn, `created_by=apikey:${bob.id}`)).toEqual(["s3", "s2", "s1"]);
    expect(await slugs(asAdmin, `created_by=apikey:${bob.id}&limit=1&offset=1`)).toEqual(["bob-s2"]);
  });
});
