import { expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "../../support/clients/upload-client.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

/** The write-ahead log of a real server, which a thread moves into the database file. */

const contentOf = (slug: string): string => slug.repeat(3 * 1024 ** 2);

/** Writes texts of 9 MiB, of which two take more than the log may hold. */
async function writeTexts({ address }: TestServer, token: string, slugs: readonly string[]): Promise<void> {
  for (const slug of slugs) {
    const body = JSON.stringify({ content: contentOf(slug), slug });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}/api/paste`, { method: "POST", headers, body });
    expect(answer.status).toBe(201);
  }
}

async function expectTexts({ address }: TestServer, slugs: readonly string[]): Promise<void> {
  for (const slug of slugs)
    expect((await (await fetch(`${address}/api/raw/${slug}`)).text()) === contentOf(slug)).toBe(true);
}

test("a long log is emptied while the server runs, and a clean stop leaves none", async () => {
  using folder = temporaryFolder();
  const log = join(folder.path, "satchel.db-wal");
  await using server = await startServer({ dataDir: folder.path });
  const { token } = await openClient(server);
  await writeTexts(server, token, ["one"]);
  expect(statSync(log).size).toBeGreaterThan(9 * 1024 ** 2);
  await writeTexts(server, token, ["two"]);
  await until(
    () => statSync(log).size,
    (size) => size === 0,
  );
  await expectTexts(server, ["one", "two"]);
  // Maybe a thread is at it when the server is told to stop.
  await writeTexts(server, token, ["six", "ten"]);
  expect(await server.stop()).toBe(0);
  expect(existsSync(log)).toBe(false);
  await using again = await startServer({ dataDir: folder.path });
  await expectTexts(again, ["one", "two", "six", "ten"]);
  expect(server.stdout() + again.stdout()).not.toMatch(/"level":"(warn|error)"/);
});
