import { describe, expect, test } from "bun:test";
import { offsetIn, tusClient } from "../../../support/clients/tus.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { nothing, remains } from "../../../support/share-file.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** Uploads whose requests break off, on the disk of the server. */

const BODY = { "content-type": "application/offset+octet-stream" };

/** A body that sends a text, and then goes on as it is told. */
function bodyOf(text: string) {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
        own.enqueue(new TextEncoder().encode(text));
      },
      pull: () => resolve(),
    },
    { highWaterMark: 0 },
  );
  const error = new DOMException("The connection was closed.", "AbortError");
  return { stream, sent, cut: () => controller?.error(error), end: () => controller?.close() };
}

describe("a request", () => {
  test("that breaks off leaves all that came of it, and one with a digest leaves nothing", async () => {
    await using house = await openTestHouse();
    const tus = tusClient(house, withKey(await makeKey(house)));
    const path = await tus.begin(20);
    for (const [more, offset] of [
      [{}, 5],
      [{ "upload-checksum": `sha1 ${Buffer.alloc(20).toString("base64")}` }, 5],
    ] as const) {
      const { stream, sent, cut } = bodyOf("hello");
      const before = offsetIn(await tus.head(path));
      const answer = tus.send("PATCH", path, { ...BODY, "upload-offset": String(before), ...more }, stream);
      await sent;
      cut();
      expect((await answer).status).toBe(400);
      expect(offsetIn(await tus.head(path))).toBe(offset);
    }
    expect(house.log()).not.toContain('"level":"error"');
  });

  test("that would have begun an upload leaves nothing when it breaks off: nobody knows the address", async () => {
    await using house = await openTestHouse();
    const credential = withKey(await makeKey(house));
    const tus = tusClient(house, credential);
    const ways = [
      (body: ReadableStream) => tus.send("POST", "/api/tus", { ...BODY, "upload-length": "9" }, body),
      (body: ReadableStream) =>
        house.request("/a.txt", { method: "PUT", headers: { ...credential, "upload-complete": "?0" }, body }),
    ];
    for (const begin of ways) {
      const { stream, sent, cut } = bodyOf("hello");
      const answer = begin(stream);
      await sent;
      cut();
      expect((await answer).status).toBe(400);
      expect(await remains(house)).toEqual(nothing);
    }
    const wrong = { "upload-length": "5", "upload-checksum": `sha1 ${Buffer.alloc(20).toString("base64")}` };
    expect((await tus.create(wrong, "hello")).status).toBe(460);
    expect(await remains(house)).toEqual(nothing);
  });

  test("ends an older one, whose bytes count, and a stranger's does not", async () => {
    await using house = await openTestHouse();
    const tus = tusClient(house, withKey(await makeKey(house)));
    const stranger = tusClient(house, withKey(await makeKey(house)));
    const path = await tus.begin(10);
    const { stream, sent } = bodyOf("hello");
    const older = tus.send("PATCH", path, { ...BODY, "upload-offset": "0" }, stream);
    await sent;
    expect((await stranger.head(path)).status).toBe(404);
    expect(await Promise.race([older.then(() => "over"), Bun.sleep(0).then(() => "going on")])).toBe("going on");
    expect(offsetIn(await tus.head(path))).toBe(5);
    const { status } = await older;
    expect(status).toBe(409);
    expect((await tus.patch(path, 5, "world")).status).toBe(204);
  });

  test("that gives up ends an older one, of which nothing is left", async () => {
    await using house = await openTestHouse();
    const tus = tusClient(house, withKey(await makeKey(house)));
    const path = await tus.begin(10);
    const { stream, sent } = bodyOf("hello");
    const older = tus.send("PATCH", path, { ...BODY, "upload-offset": "0" }, stream);
    await sent;
    expect((await tus.remove(path)).status).toBe(204);
    expect((await older).status).toBe(409);
    expect(await remains(house)).toEqual(nothing);
  });

  test("of many at once one alone is the last, and no byte comes twice", async () => {
    await using house = await openTestHouse();
    const tus = tusClient(house, withKey(await makeKey(house)));
    const path = await tus.begin(10);
    const answers = await Promise.all(Array.from({ length: 10 }, () => tus.patch(path, 0, "hello")));
    expect(answers.filter(({ status }) => status === 204).length).toBeLessThanOrEqual(1);
    for (const { status } of answers) expect([204, 409]).toContain(status);
    const offset = offsetIn(await tus.head(path));
    const last = await tus.patch(path, offset, "helloworld".slice(offset));
    const page = new URL(last.headers.get("x-share-url") ?? "").pathname;
    expect(await (await house.request(`${page}?raw`)).text()).toBe("helloworld");
  });
});
