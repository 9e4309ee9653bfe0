import { describe, expect, test } from "bun:test";
import { FORM_TYPE, field, filePart } from "../../../support/form-body.ts";
import { filesOf, nothing, remains } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const MiB = 1024 * 1024;

describe("a form over a connection", () => {
  /** The house behind a real port. */
  function listen(house: TestHouse) {
    const answered = Promise.withResolvers<void>();
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => house.app.fetch(request, "127.0.0.1", () => undefined).finally(() => answered.resolve()),
    });
    return { server, answered: answered.promise, [Symbol.asyncDispose]: () => server.stop(true) };
  }

  const head = (token: string, length: number) =>
    `POST /api/upload HTTP/1.1\r\nHost: satchel.test\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: ${FORM_TYPE}\r\nContent-Length: ${length}\r\n\r\n`;

  test.each([
    ["inside the file", filePart("x".repeat(2 * MiB)).slice(0, MiB)],
    ["inside a field", field("slug", "cut").slice(0, -6)],
  ])("that breaks %s leaves nothing", async (_, begun) => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    await using listening = listen(house);
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: listening.server.port ?? 0,
      socket: { data: () => undefined },
    });
    let rest = Buffer.from(head(token, 4 * MiB) + begun);
    while (rest.length > 0) {
      rest = rest.subarray(socket.write(rest));
      await new Promise(setImmediate);
    }
    socket.terminate();
    await listening.answered;
    expect(await remains(house)).toEqual(nothing);
    expect(house.log()).not.toContain('"bug"');
  });

  test("is streamed to the disk and shared", async () => {
    await using house = await openTestHouse();
    await using listening = listen(house);
    const bytes = new Uint8Array(20 * MiB).map((_, index) => (index >> 8) * 31 + index);
    const body = new FormData();
    body.set("slug", "streamed");
    body.set("file", new File([bytes], "big.bin"));
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const response = await fetch(new URL("/api/upload", listening.server.url), { method: "POST", headers, body });
    expect(response.status).toBe(201);
    expect(filesOf(house)).toEqual(["drive/shares/big.bin"]);
    const stored = await (await fetch(new URL("/api/file-download/streamed", listening.server.url))).bytes();
    expect(Bun.hash(stored)).toBe(Bun.hash(bytes));
  });
});
