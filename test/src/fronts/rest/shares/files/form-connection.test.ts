import { describe, expect, test } from "bun:test";
import { END, FORM_TYPE, field, filePart } from "../../../../../support/clients/form-body.ts";
import { listen, openConnection } from "../../../../../support/servers/listening.ts";
import { filesOf, nothing, remains } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";
import { until } from "../../../../../support/until.ts";

const MiB = 1024 * 1024;

/** The head of a form, as it stands on the wire. */
const head = async (house: TestHouse, length: number) =>
  `POST /api/upload HTTP/1.1\r\nHost: satchel.test\r\nAuthorization: Bearer ${await house.signIn()}\r\n` +
  `Content-Type: ${FORM_TYPE}\r\nContent-Length: ${length}\r\n\r\n`;

const answered = (house: TestHouse) =>
  until(
    () => house.log(),
    (log) => log.includes('"path":"/api/upload"'),
  );

describe("a form over a connection", () => {
  test("that breaks inside the file leaves nothing", async () => {
    await using house = await openTestHouse();
    await using server = listen(house);
    using connection = await openConnection(server.port);
    await connection.send((await head(house, 4 * MiB)) + filePart("x".repeat(2 * MiB)).slice(0, MiB));
    await until(
      () => filesOf(house),
      (files) => files.length > 0,
    );
    await connection.cut();
    expect(await answered(house)).not.toContain('"unhandled error"');
    expect(await remains(house)).toEqual(nothing);
  });

  test("that breaks inside a field leaves nothing", async () => {
    await using house = await openTestHouse();
    await using server = listen(house);
    using connection = await openConnection(server.port);
    await connection.send((await head(house, 4 * MiB)) + field("slug", "cut").slice(0, -6));
    await connection.cut();
    await answered(house);
    expect(await remains(house)).toEqual(nothing);
  });

  test.each([
    ["a field that is refused", field("slug", "a b") + filePart("x".repeat(MiB)) + END],
    ["nobody's credential", undefined],
  ])("is answered before it has arrived when it has %s", async (_, body) => {
    await using house = await openTestHouse();
    await using server = listen(house);
    using connection = await openConnection(server.port);
    const allowed = await head(house, 200 * MiB);
    await connection.send(body ? allowed + body : allowed.replace(/Authorization.*\r\n/, ""));
    expect(await connection.answer()).toMatch(body ? /^HTTP\/1.1 400 / : /^HTTP\/1.1 401 /);
    expect(await remains(house)).toEqual(nothing);
  });

  test("is streamed to the disk and shared", async () => {
    await using house = await openTestHouse();
    await using server = listen(house);
    const bytes = new Uint8Array(20 * MiB).map((_, index) => (index >> 8) * 31 + index);
    const body = new FormData();
    body.set("slug", "streamed");
    body.set("file", new File([bytes], "big.bin"));
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const response = await fetch(`${server.address}/api/upload`, { method: "POST", headers, body });
    expect(response.status).toBe(201);
    expect(filesOf(house)).toEqual(["drive/shares/big.bin"]);
    const stored = await (await fetch(`${server.address}/api/file-download/streamed`)).bytes();
    expect(Bun.hash(stored)).toBe(Bun.hash(bytes));
  });
});
