import { describe, expect, test } from "bun:test";
import { plainSql, sql } from "../../../src/database/sql.ts";
import { unforeseen } from "../../../src/lib/log.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { send } from "../../support/scenario.ts";
import { presign, put } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** What nobody foresaw is logged so that it can be found, and never with what was sent or stored. */

async function expectBug(house: TestHouse, response: Response, never: readonly string[]): Promise<string> {
  expect(response.status).toBe(500);
  const [answer, log] = [await response.text(), house.log()];
  expect(log).toContain('"level":"error","event":"unhandled error"');
  expect(log).toContain("    at ");
  for (const text of never) expect(answer + log).not.toContain(text);
  return log;
}

describe("a bug's line has nothing", () => {
  test("of an answer that does not fit its schema, but the field's name", async () => {
    await using house = await openTestHouse();
    const { id, key } = await makeKey(house, { custom_key: "the-key-itself" });
    await house.db.run(sql`update api_keys set role = 'unheard of' where id = ${id}`);
    const response = await send(house, { as: "admin", method: "GET", url: "/api/admin/api-keys", status: 500 });
    expect(await expectBug(house, response, [key, "unheard of"])).toContain('"field":"data.0.role"');
  });

  test("of a stored value that cannot be read", async () => {
    await using house = await openTestHouse();
    await send(house, { as: "admin", method: "POST", url: "/api/admin/api-keys", body: { name: "ci" }, status: 201 });
    await house.db.run(sql`update audit set fields = '[hiddenword'`);
    const response = await send(house, { as: "admin", method: "GET", url: "/api/admin/audit", status: 500 });
    await expectBug(house, response, ["hiddenword"]);
  });

  test.each([
    ["/api/admin/login", { username: "hidden-name", password: "hidden-password" }],
    ["/api/admin/sign-in-link", { token: "hidden-token" }],
    ["/api/paste/hidden", { password: "hidden-password" }],
    ["/api/public/files/hidden/verify", { password: "hidden-password" }],
  ])("of a body to %s", async (path, body) => {
    await using house = await openTestHouse();
    await house.db.close();
    const response = await house.request(path, { method: "POST", body: JSON.stringify(body) });
    await expectBug(house, response, ["hidden-"]);
  });

  test("of a share that is made", async () => {
    await using house = await openTestHouse();
    const headers = withKey(await makeKey(house));
    const share = (content: string) =>
      house.request("/api/paste", {
        method: "POST",
        headers,
        body: JSON.stringify({ content, password: "hidden-password", slug: "hidden-slug" }),
      });
    await house.db.run(sql`drop table paste_texts`);
    await expectBug(house, await share("hidden-content"), ["hidden-", headers.authorization]);
  });

  test("of a query, a form or a file", async () => {
    await using house = await openTestHouse();
    const headers = withKey(await makeKey(house));
    const { upload_url } = (await presign(house)).data;
    for (const table of ["pastes", "files", "uploads"])
      await house.db.run(plainSql(`alter table ${table} rename to lost_${table}`));
    const raw = await house.request("/api/raw/a?password=hidden-password&grant=hidden-grant");
    await expectBug(house, raw, ["hidden-"]);
    const body = new FormData();
    body.set("password", "hidden-password");
    body.set("file", new File(["hidden-content"], "hidden-name.txt"));
    const form = await house.request("/api/upload", { method: "POST", headers, body });
    await expectBug(house, form, ["hidden-"]);
    const sent = await put(house, upload_url, "hidde");
    await expectBug(house, sent, ["hidde", "X-Amz", new URL(upload_url).search]);
  });
});

describe("an error", () => {
  const told = (error: unknown) => String(unforeseen(error).error);

  test.each([
    { error: new TypeError("x is not a function"), wanted: "TypeError: x is not a function" },
    { error: new Error('{\n  "found": "hidden"\n}'), wanted: "Error: {" },
    { error: new Error('cannot read "hidden" or "other'), wanted: 'Error: cannot read "…" or "…"' },
    { error: new Error('cannot read "a \\"hidden\\" text" here'), wanted: 'Error: cannot read "…" here' },
    { error: new Error('cannot read "hid\\\\" or "den\\'), wanted: 'Error: cannot read "…" or "…"' },
    { error: new Error("12".repeat(1000)), wanted: `Error: ${"12".repeat(150)}` },
    { error: "hidden", wanted: "string" },
    { error: undefined, wanted: "undefined" },
    { error: { hidden: true }, wanted: "object" },
  ])("is told as $wanted", ({ error, wanted }) => {
    expect(told(error)).toBe(wanted);
  });

  test("tells where it comes from, and of its message nothing more", () => {
    const { stack } = unforeseen(new Error("first\nhidden\n  and hidden"));
    expect(stack).toContain("bugs.test.ts");
    expect(stack).not.toContain("hidden");
  });
});
