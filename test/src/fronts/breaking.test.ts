import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { END, FORM_TYPE, field, filePart } from "../../support/clients/form-body.ts";
import { credentialOf } from "../../support/scenario.ts";
import { noConnections } from "../../support/servers/connections.ts";
import { listen, openConnection } from "../../support/servers/listening.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openTestHouse } from "../../support/test-house.ts";
import { until } from "../../support/until.ts";

/** Faults that the generator of hostile requests found, each with the request that shows it. */

test("a file that goes between the answer and its first byte is missing, and no error of the server", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "hidden-name");
  const site = () => {
    writeFileSync(path, "hidden");
    const response = new Response(Bun.file(path));
    rmSync(path);
    return response;
  };
  await using house = await openTestHouse({ site });
  await using server = listen(house);
  const response = await fetch(server.address);
  const text = await response.text();
  expect(response.status).toBe(404);
  expect(JSON.parse(text)).toMatchObject({ code: 404, error: "path.missing", success: false, data: null });
  expect(text).not.toContain("hidden");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(house.log()).not.toContain('"level":"error"');
});

test("a body that breaks off with its connection is no bug of the server", async () => {
  await using house = await openTestHouse();
  await using server = listen(house);
  const lines = Object.entries(await credentialOf(house, "admin")).map(([name, value]) => `${name}: ${value}\r\n`);
  using connection = await openConnection(server.port);
  await connection.send(
    `POST /api/paste HTTP/1.1\r\nhost: ${server.host}\r\n${lines.join("")}content-length: 100\r\n\r\n{"content":`,
  );
  // An answer on another connection tells that the server has read on by now.
  await fetch(`${server.address}/api/health`);
  await connection.cut();
  const told = () => house.log().match(/"path":"\/api\/paste","status":\d+/)?.[0];
  expect(await until(told, (line) => line !== undefined)).toBe('"path":"/api/paste","status":400');
  expect(house.log()).not.toContain('"level":"error"');
});

test.each([
  ["that is too long", field("hidden%\u0000", "x".repeat(10_001)) + filePart("hello") + END],
  ["behind the file", filePart("hello") + field("hidden%\u0000", "x") + END],
])("a form's field of a name that no call has is not repeated: one %s", async (_, body) => {
  await using house = await openTestHouse();
  const headers = { ...(await credentialOf(house, "admin")), "content-type": FORM_TYPE };
  const response = await house.request("/api/upload", { method: "POST", headers, body });
  expect(response.status).toBeLessThan(500);
  expect(await response.text()).not.toContain("hidden");
});

test("a setting of a name that no setting has is not repeated", async () => {
  await using house = await openTestHouse();
  const headers = await credentialOf(house, "admin");
  const body = JSON.stringify({ [`hidden${"x".repeat(200)}`]: "1" });
  const response = await house.request("/api/admin/settings/group/1", { method: "PUT", headers, body });
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ code: 400, error: "body.invalid" });
  expect(text).not.toContain("hidden");
});

test("a client that has gone before its request is read is not taken for a proxy that nobody trusts", async () => {
  await using house = await openTestHouse({ trustedProxies: ["127.0.0.1"] });
  const headers = { host: "satchel.test", "x-forwarded-for": "192.0.2.7" };
  await house.app.fetch(new Request("http://satchel.test/api/health", { headers }), "", noConnections);
  expect(house.log()).not.toContain("TRUSTED_PROXIES");
});
