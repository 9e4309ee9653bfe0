import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FileRecord, files } from "#contract/files";
import { storage as storages } from "#contract/storage";
import { slowBody } from "../../../../../support/clients/slow-body.ts";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { builtInStorage } from "../../../../../support/make-mount.ts";
import { type Actor, scenarios } from "../../../../../support/scenario.ts";
import { listen, openConnection } from "../../../../../support/servers/listening.ts";
import { ask, filesOf, nothing, remains, shareFile } from "../../../../../support/share-file.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";
import { hours } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";
import { until } from "../../../../../support/until.ts";

/** Files that come as the body of PUT /api/upload-direct/{filename}. */

const put = (url: string, more: { as?: Actor; body?: string; headers?: Record<string, string> } = {}) =>
  ({ as: "admin" as Actor, method: "PUT", url: `/api/upload-direct/${url}`, body: "hello", ...more }) as const;

async function send(house: TestHouse, url: string, headers: Record<string, string>, body: BodyInit = "hello") {
  const response = await house.request(`/api/upload-direct/${url}`, { method: "PUT", headers, body });
  const answer = (await response.json()) as { error?: string; data: FileRecord };
  return { ...answer, status: response.status };
}

const asAdmin = async (house: TestHouse) => ({ authorization: `Bearer ${await house.signIn()}` });

describe("a file as the body", () => {
  scenarios(
    [
      { ...put("a.txt", { as: "anyone" }), status: 401, has: ["auth.required"] },
      { ...put("a.txt", { as: { key: ["text"] } }), status: 403, has: ["auth.forbidden"] },
      { ...put("a.txt", { as: { key: ["file_share"] } }), status: 201, has: ['"filename":"a.txt"', '"size":5'] },
      {
        ...put("b.txt"),
        status: 201,
        has: ['"success":true', '"code":201', '"mimetype":"text/plain"', '"url":"/file/'],
      },
      { ...put("a.txt?maxViews=3"), status: 201, has: ['"max_views":3'] },
      { ...put("a.txt?expiry=1d"), status: 400, has: ["limit.unknown", "expiry"] },
      {
        name: "everything in the query",
        ...put(
          "c.md?slug=all&path=deep/er&remark=%E5%A4%87&password=sesame&expires_in=24&max_views=3&use_proxy=0&original_filename=true&s3_config_id=",
        ),
        status: 201,
        has: ['"slug":"all"', '"storage_path":"shares/deep/er/c.md"', '"remark":"备"', '"has_password":true'].concat([
          '"expires_at":"2030-01-03T03:04:05.678Z"',
          '"max_views":3',
          '"use_proxy":0',
          '"mimetype":"text/markdown"',
        ]),
        hasNot: ["sesame"],
      },
      { ...put("%E6%96%87%20%23%251+.txt"), status: 201, has: ['"filename":"文 #%1+.txt"'] },
      { ...put("x", { headers: { "content-type": "image/png" } }), status: 201, has: ['"mimetype":"image/png"'] },
      {
        name: "a part of a file",
        ...put("d.txt", { headers: { "content-range": "bytes 5-9/10" } }),
        ...{ status: 400, has: ["Content-Range"] },
      },
      { ...put("a%2Fb.txt"), status: 400, has: ["filename.invalid"] },
      { ...put("%2e%2e%5cb.txt"), status: 400, has: ["filename.invalid"] },
      { ...put("d.txt?slug=taken"), status: 409, has: ["slug.taken"] },
      { ...put("d.txt?slug=a%20b"), status: 400, has: ["slug.invalid"] },
      { ...put("d.txt?slug=a%20b&override=true"), status: 400, has: ["slug.invalid"] },
      { ...put("d.txt?slug=a&slug=b"), status: 400, has: ["query.invalid", "slug"] },
      { ...put("d.txt?max_views=many"), status: 400, has: ["query.invalid", "max_views"] },
      { ...put("d.txt?path=../.."), status: 400, has: ["path.invalid"] },
      { ...put("d.txt?s3_config_id=nothing"), status: 404, has: ["storage.missing"] },
      {
        ...{ as: "admin", method: "PUT", url: "/api/upload-direct/d.txt", status: 400, has: ["content.empty"] },
        name: "no body at all",
      },
      { ...put("empty.txt", { body: "", headers: { "content-length": "0" } }), status: 201, has: ['"size":0'] },
      {
        ...put("d.txt?password=one", { headers: { "X-Share-Password": "two" } }),
        status: 400,
        has: ["query.invalid", "X-Share-Password"],
        hasNot: ["two"],
      },
    ],
    async (house) => {
      await shareFile(house, { slug: "taken", filename: "other.txt" });
    },
  );

  test("a password in its header opens the share, in any letters, and stands in no log", async () => {
    await using house = await openTestHouse();
    const header = Buffer.from("密码 sésame").toString("latin1");
    const sent = await send(house, "a.txt?slug=locked", { ...(await asAdmin(house)), "x-share-password": header });
    expect(sent).toMatchObject({ status: 201, data: { has_password: true } });
    const opened = await house.request("/api/public/files/locked/verify", {
      method: "POST",
      body: JSON.stringify({ password: "密码 sésame" }),
    });
    expect(opened.status).toBe(200);
    await send(house, "b.txt?password=open-sesame", await asAdmin(house));
    expect(house.log()).toContain('"path":"/api/upload-direct/b.txt"');
    expect(house.log()).not.toMatch(/sesame|sésame|slug=locked/);
  });

  test("with override the caller's own share gives way when the file has arrived, another's never", async () => {
    await using house = await openTestHouse();
    const [mine, other] = [await makeKey(house), await makeKey(house)];
    const first = await send(house, "a.txt?slug=same", withKey(mine), "first");
    expect(await send(house, "b.txt?slug=same", withKey(mine))).toMatchObject({ status: 409, error: "slug.taken" });
    const before = await remains(house);
    const refused = await send(house, "b.txt?slug=same&override=true", withKey(other));
    expect(refused).toMatchObject({ status: 409, error: "slug.taken" });
    const short = { ...withKey(mine), "content-length": "9" };
    expect((await send(house, "b.txt?slug=same&override=true", short, "second")).status).toBe(400);
    expect(await remains(house)).toEqual(before);
    expect(await (await house.request("/api/file-view/same")).text()).toBe("first");
    const second = await send(house, "b.txt?slug=same&override=true", withKey(mine), "second");
    expect(second).toMatchObject({ status: 201, data: { slug: "same", filename: "b.txt" } });
    expect(await (await house.request("/api/file-view/same")).text()).toBe("second");
    expect((await ask(house, files.read, { params: { id: first.data.id } })).status).toBe(404);
    expect(filesOf(house)).toEqual(["drive/shares/b.txt"]);
  });

  test.each([
    {
      name: "whose expiry passes",
      query: "&expires_at=2030-01-02T03:05:00Z",
      meanwhile: async ({ clock }: TestHouse) => clock.advance(hours(1)),
      said: { status: 400, error: "expiry.past" },
    },
    {
      name: "whose key is revoked",
      query: "",
      meanwhile: async ({ house }: TestHouse, { id }: { id: string }) => void (await house.access.keys.remove(id)),
      said: { status: 401, error: "key.invalid" },
    },
    {
      name: "for which no room is left",
      query: "",
      meanwhile: async (house: TestHouse) => {
        const params = { id: await builtInStorage(house) };
        const full = await ask(house, storages.update, { params, body: { total_storage_bytes: 5 } as never });
        expect(full.status).toBe(200);
      },
      said: { status: 507, error: "storage.full" },
    },
  ])("with override a file $name on its way leaves the share and its file as they were", async (loss) => {
    await using house = await openTestHouse();
    const key = await makeKey(house);
    await send(house, "a.txt?slug=same", withKey(key), "first");
    const before = await remains(house);
    const slow = slowBody("sec", "ond");
    const sending = send(house, `b.txt?slug=same&override=true${loss.query}`, withKey(key), slow.body);
    await slow.begun;
    await loss.meanwhile(house, key);
    slow.finish();
    expect(await sending).toMatchObject(loss.said);
    expect(await remains(house)).toEqual(before);
    expect(await (await house.request("/api/file-view/same")).text()).toBe("first");
  });

  test("with override a slug that another has taken meanwhile stays there", async () => {
    await using house = await openTestHouse();
    const [mine, other] = [await makeKey(house), await makeKey(house)];
    const { data } = await send(house, "a.txt?slug=same", withKey(mine), "first");
    const slow = slowBody("sec", "ond");
    const sending = send(house, "b.txt?slug=same&override=true", withKey(mine), slow.body);
    await slow.begun;
    await ask(house, files.update, { params: { id: data.id }, body: { slug: "moved" } });
    await send(house, "c.txt?slug=same", withKey(other), "third");
    slow.finish();
    expect(await sending).toMatchObject({ status: 409, error: "slug.taken" });
    expect(await (await house.request("/api/file-view/moved")).text()).toBe("first");
    expect(await (await house.request("/api/file-view/same")).text()).toBe("third");
    expect(filesOf(house)).toEqual(["drive/shares/a.txt", "drive/shares/c.txt"]);
  });

  test("whose key is revoked while the file is on its way shares nothing", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house);
    const slow = slowBody("hel", "lo");
    const sending = send(house, "a.txt", withKey(key), slow.body);
    await slow.begun;
    await house.house.access.keys.remove(key.id);
    slow.finish();
    expect(await sending).toMatchObject({ status: 401, error: "key.invalid" });
    expect(await remains(house)).toEqual(nothing);
  });

  test("the description of the API says that the body is the file", async () => {
    await using house = await openTestHouse();
    const { paths } = (await (await house.request("/docs/json")).json()) as { paths: Record<string, unknown> };
    expect(paths["/api/upload-direct/{filename}"]).toMatchObject({
      put: { requestBody: { content: { "application/octet-stream": {} } } },
    });
  });

  test("that breaks off leaves nothing", async () => {
    await using house = await openTestHouse();
    await using server = listen(house);
    using connection = await openConnection(server.port);
    const { authorization } = await asAdmin(house);
    await connection.send(
      `PUT /api/upload-direct/cut.bin HTTP/1.1\r\nHost: satchel.test\r\nAuthorization: ${authorization}\r\nContent-Length: 1000000\r\n\r\n${"x".repeat(1000)}`,
    );
    await until(
      () => filesOf(house),
      (found) => found.length > 0,
    );
    await connection.cut();
    await until(
      () => house.log(),
      (log) => log.includes('"path":"/api/upload-direct/cut.bin"'),
    );
    expect(await remains(house)).toEqual(nothing);
    expect(house.log()).not.toContain('"unhandled error"');
  });

  test("the real curl -T, from a file and from a pipe of unknown length", async () => {
    await using house = await openTestHouse();
    await using server = listen(house);
    using folder = temporaryFolder();
    const source = join(folder.path, "tape ü.bin");
    const bytes = new Uint8Array(3_000_000).map((_, index) => index * 7);
    writeFileSync(source, bytes);
    const key = await makeKey(house);
    const base = `${server.address}/api/upload-direct`;
    for (const [from, slug] of [
      [source, "whole"],
      ["-", "piped"],
    ] as const) {
      const command = ["curl", "-sS", "-H", `X-API-KEY: ${key.key}`, "-T", from, `${base}/tape.bin?slug=${slug}`];
      const curl = Bun.spawn(command, { stdin: Bun.file(source) });
      const { data } = (await new Response(curl.stdout).json()) as { data: FileRecord };
      expect([data.slug, data.filename, data.size]).toEqual([slug, "tape.bin", bytes.length]);
      const stored = await (await fetch(`${server.address}/api/file-download/${slug}`)).bytes();
      expect(Bun.hash(stored)).toBe(Bun.hash(bytes));
    }
  });
});
