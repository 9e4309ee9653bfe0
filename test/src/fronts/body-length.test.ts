import { expect, test } from "bun:test";
import { readLength } from "../../../src/fronts/context.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { listen, openConnection } from "../../support/servers/listening.ts";
import { nothing, remains } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

const BODY = "x".repeat(3000);

/** Calls that take a body, at every door. */
const doors = [
  { method: "POST", path: "/api/paste" },
  { method: "POST", path: "/api/upload" },
  { method: "PUT", path: "/api/upload-direct/long.txt" },
  { method: "PUT", path: "/dav/drive/long.txt" },
  { method: "PROPFIND", path: "/dav/drive" },
  { method: "PUT", path: "/drive/long.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256" },
] as const;

async function send(house: TestHouse, request: { method: string; path: string }, headers: Record<string, string>) {
  await using server = listen(house);
  using connection = await openConnection(server.port);
  const credential = Object.entries(withKey(await makeKey(house))).map(([name, value]) => `${name}: ${value}\r\n`);
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  await connection.send(
    `${request.method} ${request.path} HTTP/1.1\r\nHost: satchel.test\r\nConnection: close\r\n` +
      `${credential.join("")}${sent.join("")}\r\n${BODY}`,
  );
  return await connection.answer();
}

test.each([...doors])("$method $path with its length sent twice is refused before it is looked at", async (door) => {
  await using house = await openTestHouse();
  const length = String(BODY.length);
  const answer = await send(house, door, { "content-length": length, "Content-Length": length });
  expect(answer).toStartWith("HTTP/1.1 400 ");
  expect(answer).toContain('"error":"header.invalid"');
  expect(await remains(house)).toEqual(nothing);
});

test("a length is one number, and none beside a transfer coding", () => {
  const read = (headers: Record<string, string>) => readLength(new Headers(headers));
  expect(read({})).toBeUndefined();
  expect(read({ "transfer-encoding": "chunked" })).toBeUndefined();
  expect(read({ "content-length": "0" })).toBe(0);
  expect(read({ "content-length": "999999999999999" })).toBe(999_999_999_999_999);
  for (const wrong of ["", "5, 5", "5,6", "+5", "-5", "0x5", "1e3", "5.0", "NaN", "1000000000000000"])
    expect(() => read({ "content-length": wrong })).toThrow("header.invalid");
  expect(() => read({ "content-length": "5", "transfer-encoding": "chunked" })).toThrow("header.invalid");
});
