import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import { oddNames, openWorkshop } from "../support/clients/programs.ts";
import { keyAt } from "../support/make-key.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** curl of Debian drops files and texts as README.md and docs/api.md say it, and reads them back. */

const servers = [await startServer(), await startServer({ environment: { BASE_PATH: "/shared/satchel" } })];
const shop = openWorkshop();
let keys: readonly string[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
  shop[Symbol.dispose]();
});

beforeAll(async () => {
  keys = await Promise.all(servers.map(keyAt));
});

describe.each(
  servers.map(
    (server, index) => [server.address.includes("/shared/") ? "below a path" : "at the root", index] as const,
  ),
)("curl, %s", (_, index) => {
  const server = servers[index] as TestServer;
  const curl = async (...command: string[]) =>
    await shop.done(["curl", "-sS", "--fail-with-body", "-u", `:${keys[index]}`, ...command]);
  const link = async (...command: string[]) => (await curl(...command)).trim();
  const read = (address: string) => shop.done(["curl", "-sS", "--fail-with-body", address]);

  test("sends files of any name", async () => {
    for (const name of oddNames) {
      const path = `${shop.path}/${name}`;
      await Bun.write(path, name);
      const told = JSON.parse(await curl("-T", path, `${server.address}/?json`)) as { name: string; url: string };
      expect(told.name).toBe(name);
      expect(told.url.startsWith(`${server.address}/file/`)).toBe(true);
      expect(await read(told.url)).toBe(name);
    }
  });

  test("sends a form, a text, what comes from a pipe, and nothing that breaks off", async () => {
    await Bun.write(`${shop.path}/a.txt`, "hello\n");
    expect(await read(await link("-F", `file=@${shop.path}/a.txt`, "-F", "expire=2h", `${server.address}/`))).toBe(
      "hello\n",
    );
    expect(await read(await link("-d", "text=hi there", `${server.address}/`))).toBe("hi there");
    expect(await read(await link("--data-urlencode", `text@${shop.path}/a.txt`, `${server.address}/`))).toBe("hello\n");
    const piped = [
      "sh",
      "-c",
      `printf '# hi' | curl -sS -u ":$KEY" --data-binary @- -H "Content-Type: text/plain" "$HOST/"`,
    ];
    const environment = { KEY: keys[index] ?? "", HOST: server.address };
    expect(await read((await shop.done(piped, { environment })).trim())).toBe("# hi");
  });

  test("pipes a large file of unknown length, whose digest the answer tells", async () => {
    const script = `${shop.path}/pipe`;
    await Bun.write(script, `head -c 300000000 /dev/zero | curl -sS -u ":$KEY" -T - "$HOST/zero.bin?json"`);
    chmodSync(script, 0o700);
    const answer = await shop.done(["sh", script], { environment: { KEY: keys[index] ?? "", HOST: server.address } });
    const digest = createHash("sha256").update(Buffer.alloc(300_000_000)).digest("hex");
    expect(JSON.parse(answer)).toMatchObject({ size: 300_000_000, sha256: digest });
  });

  test("deletes what it has sent at the address that it was told", async () => {
    const told = JSON.parse(await curl("-d", "text=bye", `${server.address}/?json`)) as { url: string; delete: string };
    expect(await read(told.url)).toBe("bye");
    expect(await shop.done(["curl", "-sS", told.delete])).toContain("curl -X DELETE");
    expect(await shop.done(["curl", "-sS", "-X", "DELETE", told.delete])).toBe("Deleted\n");
    expect((await shop.run(["curl", "-sS", "--fail", told.url])).code).toBe(22);
  });
});
