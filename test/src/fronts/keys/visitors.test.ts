import { describe, expect, test } from "bun:test";
import type { CreatedPaste } from "#contract/pastes";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { scenarios } from "../../../support/scenario.ts";
import { presign as ownPresign, put, remains, shareFile } from "../../../support/share-file.ts";
import { shareText } from "../../../support/share-text.ts";
import { days } from "../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** Visitors: who has no credential acts with the visitors' key where visitors may, once the administrator has made it. */

const paste = { method: "POST" as const, url: "/api/paste", body: { content: "hello" } };
const presign = { method: "POST" as const, url: "/api/s3/presign", body: { filename: "a.txt", size: 5 } };
const visitor = { as: "visitor" } as const;

/** Posts without a credential, unless headers carry one. */
async function post<Data>(house: TestHouse, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await house.request(`/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { error?: string; data: Data } & Data;
  return { status: response.status, ...answer };
}

interface Begun {
  readonly file_id: string;
  readonly upload_id: string;
  readonly upload_url: string;
  readonly presigned_urls: readonly { readonly url: string }[];
  readonly contentType: string;
  readonly slug: string;
  readonly grant?: string;
}

describe("visitors", () => {
  scenarios([
    { name: "without a visitors' key", ...paste, status: 401, has: ["auth.required"] },
    { name: "without a visitors' key", ...presign, status: 401, has: ["auth.required"] },
    { name: "without a visitors' key", method: "GET", url: "/api/s3-configs", status: 401, has: ["auth.required"] },
    { ...paste, ...visitor, status: 201, has: ['"authorizedBy":"apikey"'] },
    { ...paste, ...visitor, body: { content: "" }, status: 400, has: ["content.empty"] },
    { ...presign, ...visitor, status: 200, has: ['"file_id"'] },
    { ...visitor, method: "GET", url: "/api/s3-configs", status: 200, has: ["Built-in storage"] },
    { ...visitor, method: "GET", url: "/api/pastes", status: 401, has: ["auth.required"], hasNot: ["key_info"] },
    { ...visitor, method: "GET", url: "/api/test/api-key", status: 401, has: ["auth.required"] },
    {
      name: "with a wrong key",
      ...visitor,
      ...paste,
      headers: { "x-api-key": "wrong" },
      status: 401,
      has: ["key.inv"],
    },
    { name: "with an empty key", ...visitor, ...paste, headers: { "x-api-key": "" }, status: 401, has: ["key.inv"] },
    { ...visitor, ...paste, headers: { authorization: "Bearer x" }, status: 401, has: ["auth.expired"] },
    { ...visitor, ...paste, headers: { authorization: "Basic eDp5" }, status: 401, has: ["login.wrong"] },
    { ...visitor, ...paste, headers: { authorization: "" }, status: 401, has: ["auth.expired"] },
  ]);

  test("have the rights of their key and no more, for as long as it lives", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house, { is_guest: true, permissions: ["text"], expires_at: "2030-01-03T03:04:05.678Z" });
    expect((await post(house, "/paste", paste.body)).status).toBe(201);
    expect(await post(house, "/s3/presign", presign.body)).toMatchObject({ status: 401, error: "auth.required" });
    house.clock.advance(days(1));
    expect((await post(house, "/paste", paste.body)).status).toBe(401);
    const { keys } = house.house.access;
    await keys.update(key.id, { expires_at: null, permissions: 2 });
    expect((await post(house, "/paste", paste.body)).status).toBe(401);
    expect((await post(house, "/s3/presign", presign.body)).status).toBe(200);
    await keys.update(key.id, { is_guest: false });
    expect((await post(house, "/s3/presign", presign.body)).status).toBe(401);
    await keys.update(key.id, { is_guest: true });
    expect((await post(house, "/s3/presign", presign.body)).status).toBe(200);
    await keys.remove(key.id);
    expect((await post(house, "/s3/presign", presign.body)).status).toBe(401);
  });

  test("share under the name of their key, which alone manages what they shared", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house, { is_guest: true });
    const made = await post<CreatedPaste>(house, "/paste", paste.body);
    const read = (headers: Record<string, string>) => house.request(`/api/pastes/${made.id}`, { headers });
    expect((await read({})).status).toBe(401);
    expect((await read(withKey(await makeKey(house)))).status).toBe(404);
    expect(await (await read(withKey(key))).json()).toMatchObject({ data: { created_by: `apikey:${key.id}` } });
  });

  test("bring a file in, in one piece or in parts, and may give one up", async () => {
    await using house = await openTestHouse();
    await makeKey(house, { is_guest: true });
    const whole = (await post<Begun>(house, "/s3/presign", presign.body)).data;
    expect((await put(house, whole.upload_url, "hello", whole.contentType)).status).toBe(200);
    expect((await post(house, "/s3/commit", whole)).status).toBe(200);
    expect(await (await house.request(`/api/file-view/${whole.slug}`)).text()).toBe("hello");

    const fields = { filename: "b.txt", size: 5, part_size: 5 * 1024 * 1024 };
    const parts = (await post<Begun>(house, "/s3/multipart/init", fields)).data;
    const sent = await put(house, parts.presigned_urls[0]?.url ?? "", "parts", "application/octet-stream");
    const own = { file_id: parts.file_id, upload_id: parts.upload_id };
    expect((await post(house, "/s3/multipart/parts", own)).status).toBe(200);
    const arrived = { ...own, parts: [{ partNumber: 1, etag: sent.headers.get("etag") }] };
    expect((await post(house, "/s3/multipart/complete", arrived)).status).toBe(200);
    expect(await (await house.request(`/api/file-view/${parts.slug}`)).text()).toBe("parts");

    const given = (await post<Begun>(house, "/s3/multipart/init", fields)).data;
    expect((await post(house, "/s3/multipart/abort", given)).status).toBe(200);
  });

  test("give up what they bring in one piece, before and after its bytes are there, but nothing that is a share", async () => {
    await using house = await openTestHouse();
    await makeKey(house, { is_guest: true });
    const begin = async () => (await post<Begun>(house, "/s3/presign", presign.body)).data;
    const giveUp = ({ file_id }: Begun) => post(house, "/s3/multipart/abort", { file_id });
    const [promised, arrived, shared] = [await begin(), await begin(), await begin()];
    await put(house, arrived.upload_url, "hello", arrived.contentType);
    await put(house, shared.upload_url, "hello", shared.contentType);
    expect((await post(house, "/s3/commit", shared)).status).toBe(200);
    expect((await giveUp(promised)).status).toBe(200);
    expect((await giveUp(arrived)).status).toBe(200);
    expect(await giveUp(promised)).toMatchObject({ status: 404, error: "upload.missing" });
    expect(await giveUp(shared)).toMatchObject({ status: 409, error: "upload.finished" });
    const { shares, uploads, files } = await remains(house);
    expect([shares, uploads, files.length]).toEqual([1, 1, 1]);
    const admins = (await ownPresign(house)).data;
    expect(await giveUp({ ...shared, file_id: admins.file_id })).toMatchObject({ error: "upload.missing" });
  });

  test("get nobody else's share open by ending its upload again", async () => {
    await using house = await openTestHouse();
    await makeKey(house, { is_guest: true });
    const begun = (await post<Begun>(house, "/s3/presign", { ...presign.body, password: "sesame" })).data;
    await put(house, begun.upload_url, "hello", begun.contentType);
    expect((await post<Begun>(house, "/s3/commit", begun)).data.grant).toBe(begun.grant);
    const known = (await (await house.request(`/api/public/files/${begun.slug}`)).json()) as { data: { id: string } };
    const again = await post<Begun>(house, "/s3/commit", { file_id: known.data.id });
    expect(again.status).toBe(200);
    expect(again.data.grant).toBeUndefined();
    const admins = await shareFile(house, { slug: "admins", password: "sesame" });
    expect(await post(house, "/s3/commit", { file_id: admins.id })).toMatchObject({ error: "upload.missing" });
  });

  test("get nobody else's share by a request key that another address used too", async () => {
    await using house = await openTestHouse();
    await makeKey(house, { is_guest: true });
    const body = JSON.stringify({ content: "hello", password: "sesame" });
    const share = async (peer: string) => {
      const headers = { "idempotency-key": "1" };
      const response = await house.request("/api/paste", { method: "POST", headers, body }, peer);
      return ((await response.json()) as CreatedPaste).slug;
    };
    const mine = await share("198.51.100.1");
    expect(await share("198.51.100.1")).toBe(mine);
    expect(await share("198.51.100.2")).not.toBe(mine);
  });

  test("change nothing for who has a credential, and for who opens a share", async () => {
    await using house = await openTestHouse();
    await shareText(house, { slug: "open" });
    await makeKey(house, { is_guest: true });
    const token = { authorization: `Bearer ${await house.signIn()}` };
    expect(await post(house, "/paste", paste.body, token)).toMatchObject({ authorizedBy: "admin" });
    const weak = withKey(await makeKey(house, { permissions: [] }));
    expect(await post(house, "/paste", paste.body, weak)).toMatchObject({ status: 403, error: "auth.forbidden" });
    expect(await (await house.request("/api/raw/open")).text()).toBe("hello");
  });
});
