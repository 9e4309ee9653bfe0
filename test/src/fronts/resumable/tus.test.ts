import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { MAX_OPEN_UPLOADS_OF_ADDRESS, PART_SIZE, UPLOAD_LIFE } from "#contract/limits";
import { sql } from "../../../../src/database/sql.ts";
import { bytesOf } from "../../../suites/store-bodies.ts";
import { metadataOf, offsetIn, tusClient } from "../../../support/clients/tus.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { credentialOf, scenarios } from "../../../support/scenario.ts";
import { filesOf, nothing, remains } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** Uploads by tus 1.0. */

async function openWithKey() {
  const house = await openTestHouse();
  return {
    house,
    tus: tusClient(house, withKey(await makeKey(house))),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

const read = async (house: TestHouse, response: Response) => {
  const page = new URL(response.headers.get("x-share-url") ?? "").pathname;
  return await (await house.request(`${page}?raw`)).bytes();
};

const sha = (algorithm: string, text: string) => `${algorithm} ${createHash(algorithm).update(text).digest("base64")}`;

describe("tus", () => {
  test("says what it can", async () => {
    await using house = await openTestHouse();
    const answer = await house.request("/api/tus", { method: "OPTIONS" });
    expect({ status: answer.status, ...Object.fromEntries(answer.headers) }).toMatchObject({
      status: 204,
      "tus-resumable": "1.0.0",
      "tus-version": "1.0.0",
      "tus-extension": "creation,creation-with-upload,creation-defer-length,expiration,termination,checksum",
      "tus-max-size": String(10 * 1024 ** 3),
      "tus-checksum-algorithm": "sha1,sha256",
      "access-control-allow-methods": expect.stringContaining("PATCH"),
      "access-control-allow-headers": expect.stringContaining("Upload-Offset"),
    });
  });

  test("takes a file by several requests, tells how far it is, and leads to the share", async () => {
    await using at = await openWithKey();
    const { house, tus } = at;
    const path = await tus.begin(10, { filename: "文 a.txt", filetype: "text/plain", expire: "2h", unknown: "x" });
    const first = await tus.patch(path, 0, "hello");
    expect([first.status, offsetIn(first), first.headers.get("x-share-url")]).toEqual([204, 5, null]);
    expect(Date.parse(first.headers.get("upload-expires") ?? "")).toBeGreaterThan(house.clock.now());
    const head = await tus.head(path);
    expect({ status: head.status, ...Object.fromEntries(head.headers) }).toMatchObject({
      status: 200,
      "upload-offset": "5",
      "upload-length": "10",
      "upload-metadata": metadataOf({ filename: "文 a.txt", filetype: "text/plain", expire: "2h", unknown: "x" }),
      "cache-control": "no-store",
      "tus-resumable": "1.0.0",
    });
    expect((await tus.send("GET", path, {})).status).toBe(409);
    const last = await tus.patch(path, 5, "world");
    expect([last.status, offsetIn(last)]).toEqual([204, 10]);
    expect(new TextDecoder().decode(await read(house, last))).toBe("helloworld");
    const page = await tus.send("GET", path, {});
    expect([page.status, page.headers.get("location")]).toEqual([303, last.headers.get("x-share-url")]);
    expect((await tus.head(path)).headers.get("x-share-url")).toBe(last.headers.get("x-share-url"));
    const [file] = filesOf(house);
    expect(filesOf(house).length).toBe(1);
    expect(file).toEndWith("文 a.txt");
    expect(await remains(house)).toMatchObject({ shares: 1, uploads: 1, multiparts: 0, parts: 0 });
  });

  test("of any size in chunks of any size leaves the same bytes", async () => {
    await using at = await openWithKey();
    const { house, tus } = at;
    const bytes = bytesOf(2 * PART_SIZE + 1234);
    for (const chunks of [
      [bytes.length],
      [PART_SIZE, PART_SIZE, 1234],
      [1, PART_SIZE, 999, PART_SIZE + 1],
      [PART_SIZE - 1, 1],
    ])
      for (const isDeferred of [false, true]) {
        const begun = isDeferred
          ? await tus.create({ "upload-defer-length": "1", "upload-metadata": metadataOf({ filename: "b" }) })
          : undefined;
        const path = begun ? new URL(begun.headers.get("location") ?? "").pathname : await tus.begin(bytes.length);
        let at = 0;
        let response: Response | undefined;
        for (const size of [...chunks, bytes.length]) {
          const body = bytes.slice(at, at + size);
          const isLast = at + body.length === bytes.length;
          response = await tus.patch(
            path,
            at,
            body,
            isDeferred && isLast ? { "upload-length": `${bytes.length}` } : {},
          );
          at += body.length;
          expect({ status: response.status, offset: offsetIn(response) }).toEqual({ status: 204, offset: at });
          if (isLast) break;
        }
        expect(Bun.hash(await read(house, response as Response))).toBe(Bun.hash(bytes));
      }
    expect(await remains(house)).toMatchObject({ shares: 8, uploads: 8, multiparts: 0, parts: 0 });
    expect(filesOf(house).length).toBe(8);
  });

  test("begins with bytes, with none, and without a length", async () => {
    await using at = await openWithKey();
    const { house, tus } = at;
    const whole = await tus.create(
      { "upload-length": "5", "upload-metadata": metadataOf({ filename: "a.txt" }) },
      "hello",
    );
    expect([whole.status, offsetIn(whole)]).toEqual([201, 5]);
    expect(await read(house, whole)).toHaveLength(5);
    const some = await tus.create({ "upload-length": "9" }, "hello");
    expect([some.status, offsetIn(some), some.headers.get("x-share-url")]).toEqual([201, 5, null]);
    const none = await tus.create({ "upload-length": "0" });
    expect([none.status, offsetIn(none)]).toEqual([201, 0]);
    expect(await read(house, none)).toHaveLength(0);
    const later = await tus.create({ "upload-defer-length": "1" });
    const path = new URL(later.headers.get("location") ?? "").pathname;
    await tus.patch(path, 0, "abc");
    expect((await tus.head(path)).headers.get("upload-defer-length")).toBe("1");
    expect((await tus.patch(path, 3, "", { "upload-length": "4" })).status).toBe(204);
    expect((await tus.head(path)).headers.get("upload-length")).toBe("4");
    expect((await tus.patch(path, 3, "", { "upload-length": "5" })).status).toBe(400);
    expect((await tus.patch(path, 3, "", { "upload-length": "4" })).status).toBe(204);
    expect(await read(house, await tus.patch(path, 3, "d"))).toHaveLength(4);
  });

  test("checks digests, and keeps nothing of what has another", async () => {
    await using at = await openWithKey();
    const { house, tus } = at;
    const path = await tus.begin(10);
    const wrong = await tus.patch(path, 0, "hello", { "upload-checksum": sha("sha1", "hullo") });
    expect([wrong.status, ((await wrong.json()) as { error: string }).error]).toEqual([460, "upload.checksum"]);
    expect(offsetIn(await tus.head(path))).toBe(0);
    for (const bad of ["md5 AAAA", "sha1 AAAA", "sha1", `${sha("sha1", "hello")} x`, "sha1 *"])
      expect((await tus.patch(path, 0, "hello", { "upload-checksum": bad })).status).toBe(400);
    expect((await tus.patch(path, 0, "hello", { "upload-checksum": sha("sha1", "hello") })).status).toBe(204);
    const last = await tus.patch(path, 5, "world", { "upload-checksum": sha("sha256", "world") });
    expect(await read(house, last)).toHaveLength(10);
  });

  test("is given up, and forgotten when nothing comes for a day", async () => {
    await using at = await openWithKey();
    const { house, tus } = at;
    const path = await tus.begin(10);
    await tus.patch(path, 0, "hello");
    expect((await tus.remove(path)).status).toBe(204);
    expect([(await tus.head(path)).status, (await tus.remove(path)).status]).toEqual([404, 404]);
    expect(await remains(house)).toEqual(nothing);
    const late = await tus.begin(10);
    await tus.patch(late, 0, "hello");
    house.clock.advance(UPLOAD_LIFE - 1);
    expect(offsetIn(await tus.head(late))).toBe(5);
    house.clock.advance(1);
    expect([(await tus.head(late)).status, (await tus.patch(late, 5, "world")).status]).toEqual([404, 404]);
    house.clock.advance(1);
    await house.house.system.sweeper.sweep();
    expect(await remains(house)).toEqual(nothing);
  });

  test("refuses what is no request of its own", async () => {
    await using at = await openWithKey();
    const { house, tus } = at;
    const path = await tus.begin(10);
    const status = async (response: Promise<Response>) => (await response).status;
    const lengths = ["-1", "1.0", "1e3", "0x10", "99999999999999999999", "", " ", "5, 5", "NaN"];
    for (const length of lengths) expect(await status(tus.create({ "upload-length": length }))).toBe(400);
    for (const offset of [...lengths, "+0"]) expect(await status(tus.patch(path, offset, "hello"))).toBe(400);
    expect(await status(tus.create({}))).toBe(400);
    expect(await status(tus.create({ "upload-length": "1", "upload-defer-length": "1" }))).toBe(400);
    expect(await status(tus.create({ "upload-defer-length": "2" }))).toBe(400);
    expect(await status(tus.create({ "upload-length": "1", "upload-concat": "partial" }))).toBe(400);
    expect(await status(tus.create({ "upload-length": String(10 * 1024 ** 3 + 1) }))).toBe(413);
    expect(await status(tus.create({ "upload-length": "9", "content-type": "text/plain" }, "hello"))).toBe(415);
    expect(await status(tus.create({ "upload-length": "1" }, "hello"))).toBe(400);
    for (const bad of [
      "filename *",
      "filename YQ== YQ==",
      "a,,b",
      "filename YQ==,filename YQ==",
      `a ${"A".repeat(3_000_000)}`,
      "a /w==",
    ])
      expect(await status(tus.create({ "upload-length": "1", "upload-metadata": bad }))).toBe(400);
    expect(await status(tus.create({ "upload-length": "1", "upload-metadata": metadataOf({ views: "many" }) }))).toBe(
      400,
    );
    expect(
      await status(tus.create({ "upload-length": "1", "upload-metadata": metadataOf({ filename: "../a" }) })),
    ).toBe(400);
    const wrongVersion = await tus.send("HEAD", path, { "tus-resumable": "0.2.2" });
    expect([wrongVersion.status, wrongVersion.headers.get("tus-version")]).toEqual([412, "1.0.0"]);
    expect(await status(house.request("/api/tus", { method: "POST" }))).toBe(412);
    expect(await status(tus.patch(path, 0, "hello", { "content-type": "application/octet-stream" }))).toBe(415);
    expect(await status(tus.patch(path, 1, "hello"))).toBe(409);
    expect(await status(tus.patch(path, 0, "hello world"))).toBe(400);
    expect(offsetIn(await tus.head(path))).toBe(0);
    for (const elsewhere of ["/api/tus/1", `/api/tus/${crypto.randomUUID()}`, `${path}/x`])
      expect(await status(tus.head(elsewhere))).toBe(404);
    expect(await status(tus.send("PUT", path, {}))).toBe(404);
    const done = await tus.patch(path, 0, "0123456789");
    expect(done.status).toBe(204);
    expect(await status(tus.patch(path, 10, "x"))).toBe(409);
    expect(await status(tus.patch(path, 0, "x"))).toBe(409);
    expect(await status(tus.patch(path, 10, ""))).toBe(204);
    expect(await status(tus.remove(path))).toBe(409);
  });

  test("keeps what came of a body that is longer than the file, and does not share it unasked", async () => {
    await using at = await openWithKey();
    const { house, tus } = at;
    const path = await tus.begin(10);
    const stream = new Response("0123456789 and more").body as ReadableStream;
    const headers = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
    expect((await tus.send("PATCH", path, headers, stream)).status).toBe(400);
    const head = await tus.head(path);
    expect(offsetIn(head)).toBe(10);
    expect(new TextDecoder().decode(await read(house, head))).toBe("0123456789");
  });

  test("goes by POST where a method is not let through", async () => {
    await using at = await openWithKey();
    const path = await at.tus.begin(5);
    const override = { "x-http-method-override": "PATCH", "upload-offset": "0" };
    const headers = { ...override, "content-type": "application/offset+octet-stream", "content-length": "5" };
    expect((await at.tus.send("POST", path, headers, "hello")).status).toBe(204);
  });

  test("tells nobody the password of a share, which holds", async () => {
    await using at = await openWithKey();
    const { house, tus } = at;
    const path = await tus.begin(5, { filename: "a", password: "sesame street" });
    const told = (await tus.head(path)).headers.get("upload-metadata");
    expect(told).toBe(metadataOf({ filename: "a" }));
    const last = await tus.patch(path, 0, "hello");
    const page = new URL(last.headers.get("x-share-url") ?? "").pathname;
    expect((await house.request(`${page}?raw`)).status).toBe(401);
  });
});

describe("an upload", () => {
  test("is of whoever began it, whose rights are asked for at each request and at its end", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house);
    const tus = tusClient(house, withKey(key));
    const path = await tus.begin(10);
    const others = [withKey(await makeKey(house)), {}, { authorization: "ApiKey wrong" }];
    const statuses = async (credential: Record<string, string>) => {
      const other = tusClient(house, credential);
      const answers = [
        other.head(path),
        other.patch(path, 0, "hello"),
        other.remove(path),
        other.send("GET", path, {}),
      ];
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    const [stranger, nobody, wrong] = await Promise.all(others.map(statuses));
    expect(stranger).toEqual([404, 404, 404, 404]);
    expect(nobody).toEqual([401, 401, 401, 401]);
    expect(wrong).toEqual([401, 401, 401, 401]);
    expect((await tus.patch(path, 0, "hello")).status).toBe(204);
    await house.house.access.keys.update(key.id, { permissions: 0 });
    expect((await tus.patch(path, 5, "world")).status).toBe(403);
    await house.house.access.keys.remove(key.id);
    expect((await tus.patch(path, 5, "world")).status).toBe(401);
  });

  test("of a visitor counts against what visitors may", async () => {
    await using house = await openTestHouse();
    const tus = tusClient(house, await credentialOf(house, "visitor"));
    const begin = () => tus.create({ "upload-length": "10" });
    for (let number = 0; number < MAX_OPEN_UPLOADS_OF_ADDRESS; number++) expect((await begin()).status).toBe(201);
    expect((await begin()).status).toBe(429);
  });
});

test("a visitor learns of no other visitor's upload, and ends none, though the id of a share is no secret", async () => {
  await using house = await openTestHouse();
  const visitor = await credentialOf(house, "visitor");
  const [tus, other] = [tusClient(house, visitor), tusClient(house, visitor)];
  const path = await tus.begin(10, { filename: "a.txt", slug: "theirs", remark: "for you" });
  const { id = "" } = (await house.db.first<{ id: string }>(sql`select id from files where slug = 'theirs'`)) ?? {};
  const named = `/api/tus/${id}`;
  const stranger = async () => {
    const answers = [
      other.head(named),
      other.patch(named, 0, "evil"),
      other.remove(named),
      other.send("GET", named, {}),
    ];
    return (await Promise.all(answers)).map(({ status, headers }) => [status, headers.get("x-delete-url")]);
  };
  const missing = Array.from({ length: 4 }, () => [404, null]);
  expect(await stranger()).toEqual(missing);
  expect((await tus.patch(path, 0, "hello")).status).toBe(204);
  expect((await tus.patch(path, 5, "world")).headers.get("x-share-url")).toEndWith("/file/theirs");
  expect(await stranger()).toEqual(missing);
  expect((await tus.head(path)).headers.get("x-delete-url")).toBeString();
});

test("what waits of a part counts as what its sender has brought", async () => {
  await using house = await openTestHouse();
  await house.house.settings.set("visitor_max_files", "3");
  const tus = tusClient(house, await credentialOf(house, "visitor"));
  const begin = async () => {
    const begun = await tus.create({ "upload-defer-length": "1" });
    return new URL(begun.headers.get("location") ?? "").pathname;
  };
  const [one, two] = [await begin(), await begin()];
  const bytes = bytesOf(2 * 1024 * 1024);
  expect((await tus.patch(one, 0, bytes)).status).toBe(204);
  expect((await tus.patch(two, 0, bytes)).status).toBe(413);
  // It is not counted twice when more comes to it.
  expect((await tus.patch(one, bytes.length, bytes.slice(0, 1024 * 1024))).status).toBe(204);
  expect((await tus.remove(one)).status).toBe(204);
  expect((await tus.patch(two, 0, bytes)).status).toBe(204);
});

test("what waits of a part counts also once its sender has said how large the file is", async () => {
  await using house = await openTestHouse();
  await house.house.settings.set("visitor_max_files", "3");
  const tus = tusClient(house, await credentialOf(house, "visitor"));
  const begin = async () => {
    const begun = await tus.create({ "upload-defer-length": "1" });
    const path = new URL(begun.headers.get("location") ?? "").pathname;
    expect((await tus.patch(path, 0, "", { "upload-length": `${2 * 1024 * 1024}` })).status).toBe(204);
    return path;
  };
  const [one, two] = [await begin(), await begin()];
  const bytes = bytesOf(2 * 1024 * 1024);
  expect((await tus.patch(one, 0, bytes.slice(1))).status).toBe(204);
  expect((await tus.patch(two, 0, bytes.slice(1))).status).toBe(413);
  expect(offsetIn(await tus.head(two))).toBe(0);
  expect((await tus.patch(one, bytes.length - 1, "x")).headers.get("x-share-url")).toBeString();
});

test("what waits of the next part takes no room of the one before it", async () => {
  await using house = await openTestHouse();
  await house.house.settings.set("visitor_max_files", "8");
  const tus = tusClient(house, await credentialOf(house, "visitor"));
  const begun = await tus.create({ "upload-defer-length": "1" });
  const path = new URL(begun.headers.get("location") ?? "").pathname;
  const waits = PART_SIZE - 1024 * 1024;
  expect((await tus.patch(path, 0, bytesOf(waits))).status).toBe(204);
  expect((await tus.patch(path, waits, bytesOf(PART_SIZE))).status).toBe(413);
  expect(offsetIn(await tus.head(path))).toBe(PART_SIZE);
});

test("a part is not counted beside what waited of it", async () => {
  await using house = await openTestHouse();
  await house.house.settings.set("visitor_max_files", "7");
  const tus = tusClient(house, await credentialOf(house, "visitor"));
  const begun = await tus.create({ "upload-defer-length": "1" });
  const path = new URL(begun.headers.get("location") ?? "").pathname;
  const MiB = 1024 * 1024;
  expect((await tus.patch(path, 0, bytesOf(4 * MiB))).status).toBe(204);
  expect((await tus.patch(path, 4 * MiB, bytesOf(2 * MiB))).status).toBe(204);
  const last = await tus.patch(path, 6 * MiB, "", { "upload-length": `${6 * MiB}` });
  expect(last.headers.get("x-share-url")).toBeString();
});

test("who only asks for the page ends nothing that is under way", async () => {
  await using house = await openTestHouse();
  const key = await makeKey(house);
  const tus = tusClient(house, withKey(key));
  const path = await tus.begin(10);
  const { promise: going, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(Buffer.from("hello"));
      begins();
      await going;
      controller.enqueue(Buffer.from("world"));
      controller.close();
    },
  });
  const sending = tus.send(
    "PATCH",
    path,
    { "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body,
  );
  await begun;
  const page = await tus.send("GET", path, {});
  expect([page.status, ((await page.json()) as { error: string }).error]).toEqual([409, "upload.incomplete"]);
  end();
  expect((await sending).headers.get("x-share-url")).toBeString();
});

test("a visitor brings no file that is larger than visitors may, also where its size comes last", async () => {
  await using house = await openTestHouse();
  await house.house.settings.set("visitor_max_file", "1");
  const tus = tusClient(house, await credentialOf(house, "visitor"));
  const [most, bytes] = [1024 * 1024, bytesOf(1024 * 1024 + 1)];
  expect((await tus.create({ "upload-length": `${most + 1}` })).status).toBe(413);
  const begun = await tus.create({ "upload-defer-length": "1" });
  const path = new URL(begun.headers.get("location") ?? "").pathname;
  expect((await tus.patch(path, 0, bytes)).status).toBe(413);
  expect((await tus.patch(path, 0, bytes.slice(0, most - 1))).status).toBe(204);
  expect((await tus.patch(path, most - 1, "", { "upload-length": `${most + 1}` })).status).toBe(413);
  expect((await tus.patch(path, most - 1, "xx")).status).toBe(413);
  const last = await tus.patch(path, most - 1, "x", { "upload-length": `${most}` });
  expect(last.headers.get("x-share-url")).toBeString();
});

describe("who may begin", () => {
  const row = { method: "POST", url: "/api/tus", headers: { "tus-resumable": "1.0.0", "upload-length": "5" } } as const;
  scenarios([
    { ...row, as: "anyone", status: 401 },
    { ...row, as: "wrong key", status: 401 },
    { ...row, as: "expired key", status: 401 },
    { ...row, as: { key: ["text"] }, status: 403 },
    { ...row, as: { key: ["file_share"] }, status: 201 },
    { ...row, as: { link: ["view", "upload"] }, status: 403 },
    { ...row, as: "visitor", status: 201 },
    { ...row, as: "admin", status: 201 },
  ]);
});
