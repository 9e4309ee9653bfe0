import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { ImportEvent } from "#contract/imports";
import { MAX_IMPORT_BYTES } from "#contract/limits";
import { backupOf, hashOf, key, paste, pastePassword, storage } from "../../../../support/backups/cloudpaste.ts";
import { signIn } from "../../../../support/clients/sign-in.ts";
import { scenarios } from "../../../../support/scenario.ts";
import { startServer } from "../../../../support/server.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

const locked = paste({ slug: "locked", password: hashOf("a long phrase") });
const backup = JSON.stringify(
  backupOf({
    pastes: [paste({ slug: "open", content: "# an open text" }), locked, paste({ slug: "shut", is_public: 0 })],
    paste_passwords: [pastePassword(locked, "a long phrase")],
    storage_configs: [storage()],
    api_keys: [key({ key: "a-program-key", name: "Program" })],
    admins: [{ id: "a" }],
  }),
);

const eventsIn = (text: string): ImportEvent[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ImportEvent);

async function send(house: TestHouse, path: string, body: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${await house.signIn()}`;
  return await house.request(path, { method: "POST", body, headers: { authorization, ...headers } });
}

const slugs = async (house: TestHouse): Promise<string[]> => {
  const authorization = `Bearer ${await house.signIn()}`;
  const answer = await house.request("/api/pastes?limit=100", { headers: { authorization } });
  const { data } = (await answer.json()) as { data: { slug: string }[] };
  return data.map(({ slug }) => slug).toSorted();
};

const filesBelow = (house: TestHouse): string[] =>
  readdirSync(dirname(house.objects), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe("an import by somebody who is not the administrator is refused", () => {
  const all = ["/api/admin/import", "/api/admin/import/plan"].flatMap((url) => [
    { as: "anyone", method: "POST", url, body: backup, status: 401 } as const,
    { as: "wrong token", method: "POST", url, body: backup, status: 401 } as const,
    { as: "visitor", method: "POST", url, body: backup, status: 401 } as const,
    { as: "any key", method: "POST", url, body: backup, status: 403 } as const,
  ]);
  scenarios(all);
});

describe("what is no backup is refused with a sentence, and leaves nothing", () => {
  test.each([
    ["nothing", "", "import.malformed"],
    ["no JSON", "\u0000PNG", "import.malformed"],
    ["half a backup", backup.slice(0, backup.length / 2), "import.malformed"],
    ["an array", "[1,2]", "import.malformed"],
    ["tables of another type", '{"data":{"pastes":"many"}}', "import.malformed"],
    ["a checksum that is an object", '{"metadata":{"checksum":{"toString":1}},"data":{}}', "import.malformed"],
    ["a row that nests", `{"data":{"pastes":[${"[".repeat(5000)}${"]".repeat(5000)}]}}`, "import.bounds"],
    ["another content than was summed", backup.replace("# an open", "# another"), "import.checksum"],
  ])("%s", async (_, body, code) => {
    await using house = await openTestHouse();
    const before = filesBelow(house);
    const plan = await send(house, "/api/admin/import/plan", body);
    expect(plan.status).toBe(400);
    expect(await plan.json()).toMatchObject({ success: false, error: code });
    const events = eventsIn(await (await send(house, "/api/admin/import", body)).text());
    expect(events.filter((event) => !("progress" in event))).toEqual([
      { failure: { error: code, message: expect.any(String) } },
    ]);
    expect(await slugs(house)).toEqual([]);
    expect(filesBelow(house)).toEqual(before);
  });

  test("more than it takes, which is not read", async () => {
    await using house = await openTestHouse();
    for (const path of ["/api/admin/import", "/api/admin/import/plan"]) {
      const answer = await send(house, path, "{}", { "content-length": `${MAX_IMPORT_BYTES + 1}` });
      expect([answer.status, (await answer.json()).error]).toEqual([413, "body.tooLarge"]);
    }
  });

  test("a choice that there is not", async () => {
    await using house = await openTestHouse();
    const answer = await send(house, "/api/admin/import/plan?private_texts=show", backup);
    expect([answer.status, (await answer.json()).error]).toEqual([400, "query.invalid"]);
  });
});

test("a plan changes nothing, the import does what it says, and a second one adds nothing", async () => {
  await using house = await openTestHouse();
  const before = filesBelow(house);
  const plan = await send(house, "/api/admin/import/plan", backup, { "accept-language": "zh" });
  expect(plan.status).toBe(200);
  const planned = (await plan.json()).data;
  expect(planned).toMatchObject({ dry_run: true, checksum: "right", schema: "34" });
  expect(JSON.stringify(planned)).toContain("不导入账号和会话");
  expect(await slugs(house)).toEqual([]);

  const done = await send(house, "/api/admin/import", backup);
  expect(done.headers.get("content-type")).toBe("application/x-ndjson");
  const text = await done.text();
  const last = eventsIn(text).at(-1);
  if (!last || !("report" in last)) throw new Error(`There is no report in ${text}`);
  expect(last.report.kinds.map(({ added }) => added)).toEqual(
    planned.kinds.map(({ added }: { added: number }) => added),
  );
  for (const secret of ["a-program-key", "a long phrase", "an-access-text"]) expect(text).not.toContain(secret);
  expect(await slugs(house)).toEqual(["locked", "open", "shut"]);

  const again = eventsIn(await (await send(house, "/api/admin/import", backup)).text()).at(-1);
  expect(again && "report" in again && again.report.kinds.map(({ added }) => added)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(filesBelow(house)).toEqual(before);
});

test("texts that were not public are left out where that is asked for", async () => {
  await using house = await openTestHouse();
  await (await send(house, "/api/admin/import?private_texts=skip", backup)).text();
  expect(await slugs(house)).toEqual(["locked", "open"]);
});

/** Enough texts that an import of them is not done when its first line of progress comes. */
const many = JSON.stringify(
  backupOf({ pastes: Array.from({ length: 4000 }, (_, n) => paste({ slug: `many-${n}`, content: `text ${n}` })) }),
);

/** A server on a port, and the session of its administrator. */
async function signedIn(dataDir?: string) {
  const password = "correct horse battery";
  const server = await startServer({ adminPassword: password, dataDir });
  const headers = { authorization: `Bearer ${await signIn(server.address, password)}` };
  const total = async (): Promise<number> =>
    (await (await fetch(`${server.address}/api/pastes?limit=1`, { headers })).json()).pagination.total;
  const run = (init: RequestInit = {}) =>
    fetch(`${server.address}/api/admin/import`, { method: "POST", headers, body: many, ...init });
  return { server, total, run };
}

async function repeated(run: () => Promise<Response>): Promise<void> {
  // The work of the one that has gone ends at its next step.
  for (;;) {
    const last = eventsIn(await (await run()).text()).at(-1);
    if (last && "failure" in last && last.failure.error === "import.running") continue;
    expect(last).toMatchObject({ report: { checksum: "right" } });
    return;
  }
}

test("somebody who goes away in the middle ends the import and not the server, and a repeat completes it", async () => {
  const { server, total, run } = await signedIn();
  await using _ = server;
  const gone = new AbortController();
  const answer = await run({ signal: gone.signal });
  await answer.body?.getReader().read();
  gone.abort();
  await repeated(run);
  expect(await total()).toBe(4000);
});

test("a process that is killed in the middle leaves whole texts, and a repeat completes them without doubles", async () => {
  using folder = temporaryFolder();
  const first = await signedIn(folder.path);
  await using server = first.server;
  const answer = await first.run();
  await answer.body?.getReader().read();
  await server.kill();
  const second = await signedIn(folder.path);
  await using _ = second.server;
  const before = await second.total();
  expect(before).toBeLessThan(4000);
  await repeated(second.run);
  expect(await second.total()).toBe(4000);
});
