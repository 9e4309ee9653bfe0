import { expect, test } from "bun:test";
import { AuthType, createClient, type FileStat } from "webdav";
import { makeKey } from "../../../support/make-key.ts";
import { listen } from "../../../support/servers/listening.ts";
import { ADMIN, openTestHouse } from "../../../support/test-house.ts";

/** The client of the npm package webdav, as it is. */

async function openClient(options: Readonly<Record<string, unknown>> = {}) {
  const house = await openTestHouse({ volume: () => ({ size: 10e9, free: 8e9 }) });
  const server = listen(house);
  const sign = { username: ADMIN.username, password: ADMIN.password, ...options };
  return {
    house,
    client: createClient(`${server.address}/dav`, sign),
    another: (other: Readonly<Record<string, unknown>>) => createClient(`${server.address}/dav`, other),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}

test("writes, lists, reads, moves and removes", async () => {
  await using here = await openClient();
  const { client } = here;
  await client.createDirectory("/drive/a b/ü", { recursive: true });
  expect(await client.putFileContents("/drive/a b/ü/file.txt", "hello")).toBe(true);
  expect(await client.putFileContents("/drive/a b/ü/file.txt", "again", { overwrite: false })).toBe(false);
  expect(await client.getFileContents("/drive/a b/ü/file.txt", { format: "text" })).toBe("hello");
  await client.copyFile("/drive/a b/ü/file.txt", "/drive/copy.txt");
  await client.moveFile("/drive/copy.txt", "/drive/moved.txt");
  const names = (await client.getDirectoryContents("/drive")) as FileStat[];
  expect(names.map(({ basename, type }) => `${type} ${basename}`).sort()).toEqual(["directory a b", "file moved.txt"]);
  expect(await client.stat("/drive/moved.txt")).toMatchObject({ size: 5, type: "file" });
  await client.deleteFile("/drive/a b");
  expect(await client.exists("/drive/a b")).toBe(false);
});

test("locks a file, has the lock last, and unlocks it by a token without brackets", async () => {
  await using here = await openClient();
  const { client, another, house } = here;
  await client.putFileContents("/drive/locked.txt", "mine");
  const { token } = await client.lock("/drive/locked.txt");
  expect(token).not.toContain("<");
  const { key } = await makeKey(house);
  const other = another({ username: "any", password: key });
  await expect(other.putFileContents("/drive/locked.txt", "theirs")).rejects.toMatchObject({ status: 423 });
  await expect(client.lock("/drive/locked.txt")).rejects.toMatchObject({ status: 423 });
  expect((await client.lock("/drive/locked.txt", { refreshToken: token })).token).toBe(token);
  const sent = { headers: { If: `(${token})` } };
  expect(await client.putFileContents("/drive/locked.txt", "again", sent)).toBe(true);
  await expect(other.unlock("/drive/locked.txt", token)).rejects.toMatchObject({ status: 403 });
  await client.unlock("/drive/locked.txt", token);
  expect(await other.putFileContents("/drive/locked.txt", "theirs")).toBe(true);
});

test.each([["/"], ["/drive"], ["/drive/folder"]])("learns the quota at %s", async (path) => {
  await using here = await openClient();
  const { client, another, house } = here;
  await client.createDirectory("/drive/folder");
  await client.putFileContents("/drive/folder/file.txt", "12345");
  const quota = (await client.getQuota({ path })) as { used: number; available: number } | null;
  expect(quota).toMatchObject({ used: 5 });
  expect(Number(quota?.available)).toBeGreaterThan(1e9);
  const { key } = await makeKey(house, { basic_path: "/drive/folder" });
  if (path !== "/drive") expect(await another({ username: "any", password: key }).getQuota({ path })).toEqual(quota);
});

test.each([[AuthType.Auto], [AuthType.Password]])(
  "is refused at once with a wrong password, and tries no Digest (%s)",
  async (authType) => {
    await using here = await openClient({ authType, password: "wrong" });
    const { client, house } = here;
    const before = house.log().length;
    const failure = (await client.getDirectoryContents("/drive").catch((error: unknown) => error)) as {
      status: number;
      response: Response;
    };
    expect(failure.status).toBe(401);
    expect(failure.response.headers.get("www-authenticate")).toBe('Basic realm="Satchel", charset="UTF-8"');
    expect(
      house
        .log()
        .slice(before)
        .match(/PROPFIND/g),
    ).toHaveLength(1);
  },
);
