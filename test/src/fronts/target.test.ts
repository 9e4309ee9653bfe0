import { describe, expect, test } from "bun:test";
import { readTarget } from "../../../src/fronts/context.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { listen, openConnection } from "../../support/servers/listening.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { treeFile } from "../../support/tree/files.ts";

/** Sends a GET whose target stands on the wire exactly as it is written; answers status line and body. */
async function get(port: number, target: string): Promise<{ status: number; text: string }> {
  using connection = await openConnection(port);
  await connection.send(`GET ${target} HTTP/1.1\r\nHost: satchel.test\r\nConnection: close\r\n\r\n`);
  const text = await connection.answer();
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text };
}

/** The query of a link to one file, as its maker got it. */
async function linkQuery(house: TestHouse, path: string): Promise<string> {
  const headers = { ...withKey(await makeKey(house)), "content-type": "application/json" };
  const response = await house.request(`/api/fs/file-link?${new URLSearchParams({ path })}`, { headers });
  const { data } = (await response.json()) as { data: { presignedUrl: string } };
  return new URL(data.presignedUrl).search.slice(1);
}

describe("the target of a request", () => {
  test("with a # is refused, so that a link to one file opens no other", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/shared.txt");
    await treeFile(house, "/drive/secret.txt");
    const link = await linkQuery(house, "/drive/shared.txt");
    await using server = listen(house);
    expect((await get(server.port, `/api/fs/download?${link}`)).status).toBe(200);
    for (const call of ["zip", "download"]) {
      const answer = await get(server.port, `/api/fs/${call}?${link}&x=#&path=/`);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('"error":"target.invalid"');
      expect(answer.text).not.toContain("secret");
    }
    for (const target of ["/#", "/api/health#", "/assets/x.js#y", "/store-x/key?X-Amz-Algorithm=a#b"])
      expect((await get(server.port, target)).status).toBe(400);
  });

  test("with a path twice opens nothing by a link to one of them", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/shared.txt");
    await treeFile(house, "/drive/secret.txt");
    const link = await linkQuery(house, "/drive/shared.txt");
    for (const more of ["path=/drive/secret.txt", "grant=x", "%70ath=/drive/secret.txt", "path=/"])
      for (const call of ["zip", "download"])
        for (const query of [`${link}&${more}`, `${more}&${link}`]) {
          const { status } = await house.request(`/api/fs/${call}?${query}`);
          expect({ query, status }).toEqual({ query, status: 403 });
        }
  });

  test("with a space or a control character never reaches a route", async () => {
    await using house = await openTestHouse();
    await using server = listen(house);
    for (const character of [" ", "\t", "\u0000", "\u0001", "\u001f"]) {
      const { status, text } = await get(server.port, `/api/health?x=${character}y`);
      expect({ character, refused: status >= 400, told: text.includes('"status"') }).toEqual({
        character,
        refused: true,
        told: false,
      });
    }
  });

  test("is read once and cannot be changed by whoever reads it", () => {
    const { path, query } = readTarget("http://satchel.test/a%2Fb/c?x=1&y=a%2Cb&x=2&__proto__=p&z");
    expect(path).toBe("/a%2Fb/c");
    expect(query.text).toBe("x=1&y=a%2Cb&x=2&__proto__=p&z");
    expect(Object.entries(query.values)).toEqual([
      ["x", ["1", "2"]],
      ["y", "a,b"],
      ["__proto__", "p"],
      ["z", ""],
    ]);
    expect([query, query.values, query.values.x].map(Object.isFrozen)).toEqual([true, true, true]);
    expect(readTarget("http://satchel.test/").query.values).toEqual({});
  });

  test("is refused when it has what no target may have", () => {
    for (const wrong of ["/#", "/a b", "/?a=\n", "/?\u007f", "/\u0000"])
      expect(() => readTarget(`http://satchel.test${wrong}`)).toThrow("target.invalid");
  });
});
