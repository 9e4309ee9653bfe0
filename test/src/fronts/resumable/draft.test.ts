import { describe, expect, test } from "bun:test";
import { PART_SIZE } from "#contract/limits";
import { bytesOf } from "../../../suites/store-bodies.ts";
import { offsetIn } from "../../../support/clients/tus.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { nothing, remains } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** Resumable Uploads for HTTP, interop version 8, on every drop. */

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream;

async function openWithKey() {
  const house = await openTestHouse();
  const credential = withKey(await makeKey(house));
  const send = (method: string, path: string, headers: Record<string, string>, body?: Body) => {
    const isMeasured = body !== undefined && !(body instanceof ReadableStream);
    const length = isMeasured && { "content-length": String(Buffer.byteLength(body)) };
    const all = { "upload-draft-interop-version": "8", ...credential, ...length, ...headers };
    return house.request(path, { method, headers: all, ...(body !== undefined && { body }) });
  };
  return {
    house,
    send,
    async begin(headers: Record<string, string> = {}, body?: Body, path = "/a.txt") {
      const response = await send("PUT", path, { "upload-complete": "?0", ...headers }, body);
      expect(response.status).toBe(201);
      return new URL(response.headers.get("location") ?? "").pathname;
    },
    append: (path: string, offset: number | string, body: Body, headers: Record<string, string> = {}) => {
      const own = { "content-type": "application/partial-upload", "upload-offset": String(offset) };
      return send("PATCH", path, { ...own, "upload-complete": "?0", ...headers }, body);
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

const LAST = { "upload-complete": "?1" };
const read = async (house: TestHouse, response: Response) => {
  const page = new URL(response.headers.get("location") ?? "").pathname;
  return await (await house.request(`${page}?raw`)).bytes();
};

describe("the draft", () => {
  test("says what an upload may be where something is dropped", async () => {
    await using at = await openWithKey();
    for (const path of ["/", "/a.txt", "/api/tus"]) {
      const answer = await at.send("OPTIONS", path, {});
      expect([answer.status, answer.headers.get("upload-limit")]).toEqual([204, `max-size=${10 * 1024 ** 3}`]);
      expect(answer.headers.get("access-control-allow-methods")).toContain("PATCH");
      expect(answer.headers.get("access-control-allow-headers")).toContain("Upload-Complete");
    }
  });

  test("takes a file by several requests, the last of which is answered as a drop", async () => {
    await using at = await openWithKey();
    const { house, send, append } = at;
    const first = await send(
      "POST",
      "/?slug=doc",
      { "upload-complete": "?0", "upload-length": "10", "x-share-name": Buffer.from("文.txt").toString("latin1") },
      "hel",
    );
    expect({ status: first.status, ...Object.fromEntries(first.headers) }).toMatchObject({
      status: 201,
      location: expect.stringMatching(/^http:\/\/satchel\.test\/api\/tus\/[0-9a-f-]{36}$/),
      "upload-limit": `max-size=${10 * 1024 ** 3}, max-age=86400`,
      "upload-complete": "?0",
    });
    const path = new URL(first.headers.get("location") ?? "").pathname;
    const head = await send("HEAD", path, { origin: "https://other.example" });
    expect(head.headers.get("access-control-expose-headers")).toContain("Upload-Offset");
    expect({ status: head.status, ...Object.fromEntries(head.headers) }).toMatchObject({
      status: 204,
      "upload-offset": "3",
      "upload-complete": "?0",
      "upload-length": "10",
      "cache-control": "no-store",
    });
    const second = await append(path, 3, "lo");
    expect([second.status, offsetIn(second), second.headers.get("upload-complete")]).toEqual([204, 5, "?0"]);
    expect((await send("GET", path, {})).status).toBe(409);
    const last = await append(path, 5, "world", { ...LAST, accept: "application/json" });
    expect([last.status, last.headers.get("upload-complete")]).toEqual([201, "?1"]);
    expect(await last.json()).toMatchObject({ url: "http://satchel.test/file/doc", name: "文.txt", size: 10 });
    expect(new TextDecoder().decode(await read(house, last))).toBe("helloworld");
    const over = await send("HEAD", path, {});
    expect([over.headers.get("upload-offset"), over.headers.get("upload-complete")]).toEqual(["10", "?1"]);
    expect((await send("GET", path, {})).status).toBe(303);
  });

  test("learns the length at any time, or with the end", async () => {
    await using at = await openWithKey();
    const { house, append, begin } = at;
    const bytes = bytesOf(PART_SIZE + 77);
    const path = await begin({}, bytes.slice(0, 9));
    expect((await append(path, 9, bytes.slice(9, PART_SIZE + 9))).status).toBe(204);
    const last = await append(path, PART_SIZE + 9, bytes.slice(PART_SIZE + 9), LAST);
    expect(Bun.hash(await read(house, last))).toBe(Bun.hash(bytes));
    for (const size of [0, 5, PART_SIZE, 2 * PART_SIZE]) {
      const own = await begin({}, bytesOf(size), "/b");
      const end = await append(own, size, "", LAST);
      expect({ size, status: end.status, bytes: (await read(house, end)).length }).toEqual({
        size,
        status: 201,
        bytes: size,
      });
    }
    const known = await begin({ "upload-length": "5" }, "hello", "/c");
    // All bytes are there, and nobody has said that this is all.
    expect((await append(known, 5, "")).headers.get("upload-complete")).toBe("?0");
    expect((await append(known, 5, "", LAST)).status).toBe(201);
    expect(await remains(house)).toMatchObject({ shares: 6, uploads: 6, multiparts: 0, parts: 0 });
  });

  test("takes what comes whole as any drop", async () => {
    await using at = await openWithKey();
    const { house, send } = at;
    const whole = await send("PUT", "/a.txt", LAST, "hello");
    expect([whole.status, whole.headers.get("upload-complete")]).toEqual([201, "?1"]);
    expect(whole.headers.get("repr-digest")).toStartWith("sha-256=:");
    expect(await read(house, whole)).toHaveLength(5);
    expect(
      (await send("POST", "/", { ...LAST, "content-type": "text/plain" }, "hello")).headers.get("location"),
    ).toContain("/paste/");
    expect((await send("PUT", "/a.txt", { ...LAST, "upload-length": "6" }, "hello")).status).toBe(400);
  });

  test.each(["PUT /a.txt", "POST /"])(
    "takes no more and no less than was said of what comes whole in pieces: %s",
    async (way) => {
      await using at = await openWithKey();
      const { house, send } = at;
      const [method = "", path = ""] = way.split(" ");
      const headers = { "upload-length": "10", "content-type": "application/octet-stream", ...LAST };
      const drop = (text: string) => send(method, path, headers, new Response(text).body as ReadableStream);
      for (const text of ["hello", "helloworld!"]) {
        const answer = await drop(text);
        expect([answer.status, await answer.text()]).toEqual([400, "The body does not have the declared length.\n"]);
      }
      expect(await remains(house)).toEqual(nothing);
      const whole = await drop("helloworld");
      expect(whole.status).toBe(201);
      expect(new TextDecoder().decode(await read(house, whole))).toBe("helloworld");
    },
  );

  test("refuses with the problem types that it names", async () => {
    await using at = await openWithKey();
    const { append, begin, send } = at;
    const path = await begin({ "upload-length": "10" }, "hello");
    const problem = async (response: Promise<Response>) => {
      const answer = await response;
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      const { type, ...told } = (await answer.json()) as { type: string };
      return {
        status: answer.status,
        type: type.split("#")[1],
        offset: answer.headers.get("upload-offset"),
        complete: answer.headers.get("upload-complete"),
        ...told,
      };
    };
    expect(await problem(append(path, 3, "x"))).toEqual({
      ...{ status: 409, type: "mismatching-upload-offset", offset: "5", complete: "?0" },
      ...{ title: expect.any(String), "expected-offset": 5, "provided-offset": 3 },
    });
    const inconsistent = { status: 400, type: "inconsistent-upload-length" };
    expect(await problem(append(path, 5, "x", { "upload-length": "11" }))).toMatchObject(inconsistent);
    expect(await problem(append(path, 5, "x", LAST))).toMatchObject(inconsistent);
    expect(await problem(append(path, 5, "world!"))).toMatchObject(inconsistent);
    expect((await append(path, 5, "world", LAST)).status).toBe(201);
    expect(await problem(append(path, 10, "x", LAST))).toMatchObject({
      status: 400,
      type: "completed-upload",
      complete: "?1",
    });
    expect((await send("DELETE", path, {})).status).toBe(400);
  });

  test("keeps what came of a last body that is too short, and goes on from there", async () => {
    await using at = await openWithKey();
    const { house, send, append } = at;
    const path = await at.begin({ "upload-length": "10" });
    const headers = { "content-type": "application/partial-upload", "upload-offset": "0", ...LAST };
    const refused = await send("PATCH", path, headers, new Response("hello").body as ReadableStream);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { type: expect.stringContaining("inconsistent-upload-length") },
    ]);
    expect(offsetIn(await send("HEAD", path, {}))).toBe(5);
    expect(offsetIn(await append(path, 5, "wo"))).toBe(7);
    const last = await append(path, 7, "rld", LAST);
    expect(last.status).toBe(201);
    expect(new TextDecoder().decode(await read(house, last))).toBe("helloworld");
  });

  test("refuses headers that are not exactly what they should be", async () => {
    await using at = await openWithKey();
    const { append, begin, send } = at;
    const path = await begin();
    for (const complete of ["1", "true", "?2", "?1 ?0", ""])
      expect((await append(path, 0, "x", { "upload-complete": complete })).status).toBe(400);
    for (const offset of ["-1", "1.0", "1e1", "0x1", "9999999999999999", '"0"', "0, 0"])
      expect((await append(path, offset, "x")).status).toBe(400);
    expect((await append(path, "0;a=b;c", "x", { "upload-complete": "?0;x" })).status).toBe(204);
    expect((await append(path, 1, "x", { "content-type": "application/octet-stream" })).status).toBe(415);
    const forms = ["multipart/form-data; boundary=b", "application/x-www-form-urlencoded"];
    for (const type of forms)
      expect((await send("POST", "/", { "upload-complete": "?0", "content-type": type }, "text=x")).status).toBe(415);
    expect((await send("PUT", "/a", { "upload-complete": "?0", "upload-length": "2" }, "hello")).status).toBe(400);
    expect((await send("PUT", "/admin", { "upload-complete": "?0" }, "hello")).status).toBe(200);
    expect((await send("PUT", "/a?password=x", { "upload-complete": "?0" }, "hello")).status).toBe(400);
  });

  test("and tus go on with each other's uploads", async () => {
    await using at = await openWithKey();
    const { house, begin, send } = at;
    const path = await begin({ "upload-length": "10" }, "hello");
    const tus = { "tus-resumable": "1.0.0", "upload-offset": "5", "content-type": "application/offset+octet-stream" };
    const last = await send("PATCH", path, tus, "world");
    expect(last.status).toBe(204);
    const page = new URL(last.headers.get("x-share-url") ?? "").pathname;
    expect(await (await house.request(`${page}?raw`)).text()).toBe("helloworld");
  });

  test("gives an upload up", async () => {
    await using at = await openWithKey();
    const path = await at.begin({}, "hello");
    expect((await at.send("DELETE", path, {})).status).toBe(204);
    expect((await at.send("HEAD", path, {})).status).toBe(404);
    expect(await remains(at.house)).toMatchObject({ shares: 0, uploads: 0, parts: 0, files: [] });
  });
});
