import { describe, expect, test } from "bun:test";
import { fsBytes as fs } from "#contract/fs/bytes";
import { namesIn, textsIn } from "../../../../support/files/read-zip.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { ask } from "../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";
import { oddNames, treeFile, treeFolder } from "../../../../support/tree/files.ts";

const URL_OF_ZIP = "/api/fs/zip";
type Fields = readonly (readonly [name: string, value: string])[];

const pathsAs = (paths: readonly string[]): Fields => paths.map((path) => ["path", path] as const);

/** Submits a form as a browser does. */
const submit = (house: TestHouse, fields: Fields, headers: Record<string, string> = {}) =>
  house.request(URL_OF_ZIP, {
    method: "POST",
    headers,
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
  });

const post = (house: TestHouse, body: BodyInit, type: string | undefined, headers: Record<string, string> = {}) =>
  house.request(URL_OF_ZIP, { method: "POST", body, headers: { ...headers, ...(type && { "content-type": type }) } });

const grantFor = async (house: TestHouse, paths: string[]): Promise<string> =>
  (await ask(house, fs.grant, { body: { paths } })).data.grant;

const told = async (response: Response) => {
  const { error } = (await response.json()) as { error: string };
  return `${response.status} ${error}`;
};

async function arranged(): Promise<TestHouse> {
  const house = await openTestHouse();
  await treeFile(house, "/drive/a.txt", "a");
  await treeFile(house, "/drive/team/b.txt", "b");
  await treeFolder(house, "/drive/team/empty");
  return house;
}

describe("an archive by a form", () => {
  test("has what was chosen, by credential and by the grant for exactly these paths", async () => {
    await using house = await arranged();
    const paths = ["/drive/team/", "/drive/a.txt"];
    const grant = await grantFor(house, paths);
    const key = withKey(await makeKey(house, { permissions: ["mount_view"] }));
    const texts = { "team/b.txt": "b", "team/empty/": "", "a.txt": "a" };
    const byKey = await submit(house, [...pathsAs(paths), ["name", "我的"]], key);
    expect(Object.fromEntries(byKey.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": "attachment; filename=\"__.zip\"; filename*=UTF-8''%E6%88%91%E7%9A%84.zip",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(textsIn(await byKey.bytes())).toEqual(texts);
    const byGrant = await submit(house, [["grant", grant], ...pathsAs(paths.toReversed())]);
    expect(textsIn(await byGrant.bytes())).toEqual(texts);
    expect(await told(await submit(house, [["grant", grant], ...pathsAs(paths.slice(1))]))).toBe("403 grant.void");
    expect(await told(await submit(house, [["grant", grant], ...pathsAs([...paths, "/drive"])]))).toBe(
      "403 grant.void",
    );
  });

  test("takes odd names as they are", async () => {
    await using house = await openTestHouse();
    for (const name of oddNames) await treeFile(house, `/drive/odd/${name}`, name);
    const paths = oddNames.map((name) => `/drive/odd/${name}`);
    const answer = await submit(house, [["grant", await grantFor(house, paths)], ...pathsAs(paths)]);
    expect(textsIn(await answer.bytes())).toEqual(Object.fromEntries(oddNames.map((name) => [name, name])));
  });

  test("takes more paths than an address holds, and no more than are bounded", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.txt", "a");
    const key = withKey(await makeKey(house));
    const many = (count: number) => pathsAs(Array.from({ length: count }, () => "/drive/a.txt"));
    expect(namesIn(await (await submit(house, many(10_000), key)).bytes())).toEqual(["a.txt"]);
    expect(await told(await submit(house, many(10_001), key))).toBe("400 body.invalid");
    expect(await told(await submit(house, [...many(1), ["name", "n".repeat(1024 * 1024)]], key))).toBe(
      "413 body.tooLarge",
    );
  });

  test("is read from strangers up to 64 KiB, and further with a grant in the address", async () => {
    await using house = await arranged();
    const paths = Array.from({ length: 10_000 }, () => "/drive/a.txt");
    const grant = await grantFor(house, paths);
    const body = new URLSearchParams(pathsAs(paths).map(([name, value]) => [name, value])).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    /** The answer, and how many bytes of the form were read for it. */
    const send = async (address: string, declared: boolean, text = body) => {
      let read = 0;
      const pieces = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const piece = text.slice(read, read + 4096);
            read += piece.length;
            if (piece === "") controller.close();
            else controller.enqueue(Buffer.from(piece));
          },
        },
        { highWaterMark: 0 },
      );
      const length: Record<string, string> = declared
        ? { "content-length": String(text.length) }
        : { "transfer-encoding": "chunked" };
      const answer = await house.request(address, { method: "POST", headers: { ...type, ...length }, body: pieces });
      return { answer, read };
    };
    const signed = `${URL_OF_ZIP}?grant=${grant}`;
    const file = (await house.house.vfs.grants.make({ kind: "admin", sessionId: null }, ["/drive/a.txt"])).grant;
    for (const declared of [true, false]) {
      const stranger = await send(URL_OF_ZIP, declared);
      expect(await told(stranger.answer)).toBe("413 body.tooLarge");
      expect(stranger.read).toBeLessThanOrEqual(declared ? 0 : 72 * 1024);
      for (const forged of [
        file,
        grant.replace(/\.[^.]+\.[^.]+$/, ""),
        grant.replace(/\.admin:[^.]+\./, ".apikey:1."),
      ]) {
        const { answer, read } = await send(`${URL_OF_ZIP}?grant=${forged}`, declared);
        expect([await told(answer), read]).toEqual(["403 grant.void", 0]);
      }
      const { answer } = await send(signed, declared);
      expect(namesIn(await answer.bytes())).toEqual(["a.txt"]);
      const more = await send(signed, declared, `${body}&path=/drive/team`);
      expect(await told(more.answer)).toBe("403 grant.void");
    }
  });

  test("acts as who made the grant may at that moment", async () => {
    await using house = await arranged();
    const key = await makeKey(house, { permissions: ["mount_view"] });
    const body = JSON.stringify({ paths: ["/drive/a.txt"] });
    const made = await house.request("/api/fs/grant", { method: "POST", headers: withKey(key), body });
    const { grant } = ((await made.json()) as { data: { grant: string } }).data;
    const fields: Fields = [["grant", grant], ...pathsAs(["/drive/a.txt"])];
    expect((await submit(house, fields)).status).toBe(200);
    await house.request(`/api/admin/api-keys/${key.id}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${await house.signIn()}` },
      body: JSON.stringify({ permissions: 1 }),
    });
    expect((await submit(house, fields)).status).toBe(403);
    // A credential is what counts beside a grant, also one that is wrong.
    expect(await told(await submit(house, fields, { authorization: "ApiKey nothing" }))).toStartWith("401");
  });

  test("is refused as JSON with what is wrong", async () => {
    await using house = await arranged();
    const key = withKey(await makeKey(house));
    const type = "application/x-www-form-urlencoded";
    const one = pathsAs(["/drive/a.txt"]);
    expect(await told(await submit(house, one))).toBe("401 auth.required");
    expect(await told(await submit(house, [...one, ["grant", "x"]]))).toBe("403 grant.void");
    expect(await told(await submit(house, [...one, ["grant", "x"], ["grant", "y"]]))).toBe("403 grant.void");
    expect(await told(await submit(house, [], key))).toBe("400 body.invalid");
    expect(await told(await submit(house, pathsAs(["/drive/../a"]), key))).toBe("400 path.invalid");
    expect(await told(await submit(house, pathsAs(["/drive/none"]), key))).toBe("404 path.missing");
    expect(await told(await submit(house, [...one, ["name", "n".repeat(256)]], key))).toBe("400 body.invalid");
    const few = withKey(await makeKey(house, { permissions: ["mount_upload"] }));
    expect(await told(await submit(house, one, few))).toBe("403 auth.forbidden");
    for (const [body, wrong] of [
      ["path=/drive/a.txt", "application/json"],
      ["path=/drive/a.txt", "text/plain"],
      ["path=%ff", type],
      ["path=%", type],
      [new Uint8Array([0x70, 0xff]), type],
    ] as const)
      expect(await told(await post(house, body, wrong, key))).toBe("400 form.unreadable");
    expect((await post(house, "path=/drive/a.txt", `${type.toUpperCase()}; charset=utf-8`, key)).status).toBe(200);
  });

  test("is open to visitors where mounts are", async () => {
    await using house = await arranged();
    await makeKey(house, { permissions: ["mount_view"], is_guest: true, basic_path: "/drive/team" });
    expect((await submit(house, pathsAs(["/drive/team"]))).status).toBe(200);
    expect(await told(await submit(house, pathsAs(["/drive/a.txt"])))).toBe("403 path.forbidden");
  });
});
