import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync, truncateSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { fsBytes as fs } from "#contract/fs/bytes";
import type { ApiKey } from "../../../../../src/access/keys.ts";
import { basic } from "../../../../support/clients/basic.ts";
import { namesIn, textsIn } from "../../../../support/files/read-zip.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { scenarios } from "../../../../support/scenario.ts";
import { listen } from "../../../../support/servers/listening.ts";
import { ask, filesOf } from "../../../../support/share-file.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../../../support/test-house.ts";
import { oddNames, treeFile, treeFolder } from "../../../../support/tree/files.ts";
import { until } from "../../../../support/until.ts";

const MiB = 1024 * 1024;

const zipUrl = (paths: readonly string[], query: Record<string, string> = {}) => {
  const search = new URLSearchParams(query);
  for (const path of paths) search.append("path", path);
  return `/api/fs/zip?${search}`;
};

async function get(house: TestHouse, paths: readonly string[], query: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${await house.signIn()}` };
  return await house.request(zipUrl(paths, query), { headers });
}

const saved = (response: Response) => response.headers.get("content-disposition");

const arrange = async (house: TestHouse): Promise<void> => {
  await treeFile(house, "/drive/a.txt", "a");
  await treeFile(house, "/drive/team/b.txt", "b");
  await treeFolder(house, "/drive/team/empty");
};

describe("an archive", () => {
  const of = (...paths: string[]) => ({ method: "GET", url: zipUrl(paths) }) as const;
  scenarios(
    [
      { ...of("/drive/a.txt"), status: 401, has: ["auth.required"] },
      { ...of("/drive/a.txt"), as: "visitor", status: 200 },
      { ...of("/drive/a.txt"), as: { key: ["webdav_read"] }, status: 403, has: ["auth.forbidden"] },
      { ...of("/drive/a.txt", "/drive/none"), as: "admin", status: 404, has: ["path.missing"] },
      { ...of("/drive/a.txt", "/none"), as: "admin", status: 404, has: ["mount.none"] },
      { ...of("/drive/team", "/drive/a.txt"), as: { key: ["mount_view"], basePath: "/drive/team" }, status: 403 },
      { ...of("/drive"), as: { key: ["mount_view"], basePath: "/drive/team" }, status: 403, has: ["path.forbidden"] },
      { ...of("/drive/team"), as: { key: ["mount_view"], basePath: "/drive/team" }, status: 200 },
      { ...of("/drive/../drive"), as: "admin", status: 400, has: ["path.invalid"] },
      { ...of(), as: "admin", status: 400, has: ["query.invalid"] },
      { ...of(...Array.from({ length: 1001 }, () => "/drive")), as: "admin", status: 400, has: ["query.invalid"] },
      { method: "GET", url: zipUrl(["/drive/a.txt"], { grant: "x" }), status: 403, has: ["grant.void"] },
    ],
    arrange,
  );

  test("has what was chosen, and is called so", async () => {
    await using house = await openTestHouse();
    await arrange(house);
    const one = await get(house, ["/drive/team/"]);
    expect(Object.fromEntries(one.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="team.zip"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(textsIn(await one.bytes())).toEqual({ "team/b.txt": "b", "team/empty/": "" });
    const two = await get(house, ["/drive/a.txt", "/drive/team"]);
    expect(saved(two)).toBe('attachment; filename="satchel-2030-01-02.zip"');
    expect(namesIn(await two.bytes())).toEqual(["a.txt", "team/b.txt", "team/empty/"]);
    const all = await get(house, ["/"]);
    expect([saved(all), namesIn(await all.bytes()).length]).toEqual([
      'attachment; filename="satchel-2030-01-02.zip"',
      3,
    ]);
    for (const [name, filename] of [
      ["mine", 'filename="mine.zip"'],
      ["mine.ZIP", 'filename="mine.ZIP"'],
      ["a/..\\b\n", 'filename="a_.._b_.zip"'],
      ["我的", "filename=\"__.zip\"; filename*=UTF-8''%E6%88%91%E7%9A%84.zip"],
    ] as const)
      expect(saved(await get(house, ["/drive/a.txt"], { name }))).toBe(`attachment; ${filename}`);
  });

  test("takes odd names, each by itself and all together, by credential and by grant", async () => {
    await using house = await openTestHouse();
    for (const name of oddNames) await treeFile(house, `/drive/odd/${name}`, name);
    const paths = oddNames.map((name) => `/drive/odd/${name}`);
    const texts = Object.fromEntries(oddNames.map((name) => [name, name]));
    expect(textsIn(await (await get(house, paths)).bytes())).toEqual(texts);
    const { data } = await ask(house, fs.grant, { body: { paths } });
    const granted = await house.request(zipUrl(paths.toReversed(), { grant: data.grant }));
    expect(textsIn(await granted.bytes())).toEqual(texts);
    expect((await house.request(zipUrl(paths.slice(1), { grant: data.grant }))).status).toBe(403);
    for (const path of paths) expect(namesIn(await (await get(house, [path])).bytes())).toEqual([path.slice(11)]);
  });

  test("is not begun by HEAD", async () => {
    await using house = await openTestHouse();
    await arrange(house);
    const headers = withKey(await makeKey(house, { permissions: ["mount_view"], basic_path: "/drive/team" }));
    const head = await house.request(zipUrl(["/drive/team"]), { method: "HEAD", headers });
    expect([head.status, saved(head), await head.text()]).toEqual([200, 'attachment; filename="team.zip"', ""]);
    expect((await house.request(zipUrl(["/drive/a.txt"]), { method: "HEAD", headers })).status).toBe(403);
  });

  test("of some thousand files is whole", async () => {
    await using house = await openTestHouse();
    const names = Array.from({ length: 2500 }, (_, index) => `${index}`.padStart(5, "0"));
    for (const name of names.slice(0, 500)) await treeFile(house, `/drive/many/${name}.txt`, name);
    // What another program puts there counts as well, and is faster.
    const folder = join(house.objects, filesOf(house)[0] ?? "", "..");
    for (const name of names.slice(500)) await Bun.write(join(folder, `${name}.txt`), name);
    const texts = textsIn(await (await get(house, ["/drive/many"])).bytes());
    expect(texts).toEqual(Object.fromEntries(names.map((name) => [`many/${name}.txt`, name])));
  });
});

describe("an archive on its way", () => {
  test("says by HEAD nothing of a length that nobody knows", async () => {
    await using house = await openTestHouse();
    await arrange(house);
    await using server = listen(house);
    const headers = withKey(await makeKey(house));
    const head = await fetch(`${server.address}${zipUrl(["/drive/team"])}`, { method: "HEAD", headers });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, null]);
    const file = await fetch(`${server.address}/api/fs/download?path=/drive/a.txt`, { method: "HEAD", headers });
    expect([file.status, file.headers.get("content-length")]).toEqual([200, "1"]);
  });

  test("ends as an error, never as a short success, when a file cannot be read to its end", async () => {
    await using house = await openTestHouse();
    for (const name of ["a", "b"]) await treeFile(house, `/drive/d/${name}.bin`, new Uint8Array(48 * MiB));
    await using server = listen(house);
    const headers = withKey(await makeKey(house));
    const response = await fetch(`${server.address}${zipUrl(["/drive/d"])}`, { headers });
    const reader = response.body?.getReader();
    await reader?.read();
    // Somebody cuts the file that is being sent.
    truncateSync(join(house.objects, filesOf(house).find((file) => file.endsWith("a.bin")) ?? ""), 40 * MiB);
    const drain = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(drain()).rejects.toThrow();
    expect(house.log()).toContain("archive broken off");
    expect(house.log()).not.toContain(house.objects);
  });

  test.each<[string, ...Losing]>([
    ["key of its reader is deleted", ({ keys }, { key }) => keys.remove(key.id)],
    [
      "key of its reader is limited to another folder",
      ({ keys }, { key }) => keys.update(key.id, { basic_path: "/drive/other" }),
    ],
    ["session of its reader ends", ({ sessions }) => sessions.endOthers(null), "session"],
    ["session that granted it ends", ({ sessions }) => sessions.endOthers(null), "grant"],
    ["account that granted it has another password", ({ admin }) => admin.reset(), "grant by password"],
  ])("reads no other file once the %s", async (_, lose, by = "key") => {
    await using house = await openTestHouse();
    for (const name of ["a", "b"]) await treeFile(house, `/drive/d/${name}.bin`, new Uint8Array(MiB));
    const key = await makeKey(house, { permissions: ["mount_view"] });
    const session = { authorization: `Bearer ${await house.signIn()}` };
    const maker = by === "grant by password" ? basic(ADMIN.username, ADMIN.password) : session;
    const body = JSON.stringify({ paths: ["/drive/d"] });
    const made = await house.request("/api/fs/grant", { method: "POST", headers: maker, body });
    const { data } = (await made.json()) as { readonly data: { readonly grant: string } };
    const headers = { key: withKey(key), session, grant: {}, "grant by password": {} }[by];
    const url = zipUrl(["/drive/d"], by.startsWith("grant") ? { grant: data.grant } : {});
    const archive = async () => {
      const reader = (await house.request(url, { headers })).body?.getReader();
      await reader?.read();
      return async () => {
        while (!(await reader?.read())?.done);
      };
    };
    const unharmed = await archive();
    house.clock.advance(1000);
    await unharmed();
    const drain = await archive();
    await lose(house.house.access, { key });
    house.clock.advance(1000);
    const end = drain().then(
      () => "whole",
      () => "broken off",
    );
    expect(await end).toBe("broken off");
    expect(house.log()).toContain("archive broken off");
  });

  test.skipIf(process.platform !== "linux")("is given up when its client goes away", async () => {
    await using house = await openTestHouse();
    for (let index = 0; index < 2; index++) await treeFile(house, `/drive/d/${index}.bin`, new Uint8Array(64 * MiB));
    await using server = listen(house);
    const headers = withKey(await makeKey(house));
    // Nobody reads what comes, so that the server has to wait in the middle of a file.
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `GET ${zipUrl(["/drive/d"])} HTTP/1.1\r\nhost: ${server.host}\r\nauthorization: ${headers.authorization}\r\n\r\n`,
    );
    const open = () => openBelow(house.objects);
    await until(open, (files) => files.length > 0);
    socket.resetAndDestroy();
    await until(open, (files) => files.length === 0);
    expect(house.log()).not.toContain("archive broken off");
  });

  test("waits while its client has many of them under way that it does not read", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.bin", new Uint8Array(64 * MiB));
    await using server = listen(house);
    const headers = withKey(await makeKey(house));
    const begun = new Set<Socket>();
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.once("data", () => begun.add(socket.pause()));
      socket.write(
        `GET ${zipUrl(["/drive/a.bin"])} HTTP/1.1\r\nhost: ${server.host}\r\nauthorization: ${headers.authorization}\r\n\r\n`,
      );
      return socket;
    });
    await until(
      () => begun.size,
      (count) => count > 14,
    );
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    expect(begun.size).toBeLessThan(20);
    for (const socket of begun) socket.resetAndDestroy();
    await until(
      () => begun.size,
      (count) => count === 20,
    );
    for (const socket of sockets) socket.destroy();
  });

  test("that is refused takes nothing of what its client may have under way", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.txt", "a");
    for (let count = 0; count < 40; count++) expect((await get(house, ["/drive/none"])).status).toBe(404);
    for (let count = 0; count < 40; count++)
      expect(namesIn(await (await get(house, ["/drive/a.txt"])).bytes())).toEqual(["a.txt"]);
  });
});

/** Takes the right to an archive away, and by what its reader had it. */
type Losing = [
  lose: (access: TestHouse["house"]["access"], by: { readonly key: ApiKey }) => Promise<unknown>,
  by?: "key" | "session" | "grant" | "grant by password",
];

/** Files below a folder that this process has open. */
const openBelow = (folder: string): string[] =>
  readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)].filter((path) => path.startsWith(folder));
    } catch {
      // It was that of the folder that has just been read.
      return [];
    }
  });
