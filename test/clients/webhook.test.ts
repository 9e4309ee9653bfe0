import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { openWorkshop } from "../support/clients/programs.ts";
import { startServer } from "../support/server.ts";
import { freePort } from "../support/servers/free-port.ts";
import { until } from "../support/until.ts";

/** Webhooks in the hands of Debian's webhook, a receiver that runs a program for each request. */

const server = await startServer({ environment: { WEBHOOK_NETWORKS: "127.0.0.1" } });
const shop = openWorkshop({});
const [port, out] = [freePort(), shop.folder("out")];
const hooks = join(shop.path, "hooks.json");
const script = join(shop.path, "keep.sh");
// Body and headers each in a file of the message; the directory of the second appears when both are whole.
writeFileSync(
  script,
  '#!/bin/sh\nprintf %s "$1" > "$OUT/$2.body"\nprintf %s "$3" > "$OUT/.$2"\nmv "$OUT/.$2" "$OUT/$2.headers"\n',
  {
    mode: 0o755,
  },
);
writeFileSync(
  hooks,
  JSON.stringify([
    {
      id: "satchel",
      "execute-command": script,
      "http-methods": ["POST"],
      "pass-environment-to-command": [{ source: "string", name: out, envname: "OUT" }],
      "pass-arguments-to-command": [
        { source: "raw-request-body" },
        { source: "header", name: "webhook-id" },
        { source: "entire-headers" },
      ],
      "trigger-rule": {
        match: { type: "regex", regex: "^v1,", parameter: { source: "header", name: "webhook-signature" } },
      },
    },
  ]),
);
const receiver = Bun.spawn(["webhook", "-hooks", hooks, "-ip", "127.0.0.1", "-port", String(port)], {
  env: { PATH: "/usr/bin:/bin" },
  stdout: "ignore",
  stderr: "ignore",
});
afterAll(async () => {
  receiver.kill();
  await receiver.exited;
  await server.stop();
  shop[Symbol.dispose]();
});

async function call<Data>(path: string, body: object, token?: string): Promise<Data> {
  const headers = new Headers(token === undefined ? [] : [["authorization", `Bearer ${token}`]]);
  const response = await fetch(`${server.address}/api${path}`, { method: "POST", body: JSON.stringify(body), headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  return (JSON.parse(text) as { data: Data }).data;
}

test("Debian's webhook runs a program with a body and headers that the library verifies", async () => {
  const credentials = { username: "admin", password: server.adminPassword };
  const { token } = await call<{ token: string }>("/admin/login", credentials);
  const address = `http://127.0.0.1:${port}/hooks/satchel`;
  const body = { name: "debian", kind: "standard", address, events: ["share.spent"] };
  const made = await call<{ id: string; secret: string }>("/admin/webhooks", body, token);
  await until(
    () => call<{ state: string }>(`/admin/webhooks/${made.id}/test`, {}, token),
    ({ state }) => state === "delivered",
  );
  const shared = await fetch(`${server.address}/api/paste`, {
    ...{ method: "POST", headers: { authorization: `Bearer ${token}` } },
    body: JSON.stringify({ content: "once", slug: "once", maxViews: 1 }),
  });
  expect(shared.status).toBe(201);
  expect(await (await fetch(`${server.address}/api/raw/once`)).text()).toBe("once");
  const bodies = await until(
    () => readdirSync(out).filter((name) => name.endsWith(".headers")),
    (names) => names.length === 2,
  );
  const events = bodies.map((name) => {
    const headers = JSON.parse(readFileSync(join(out, name), "utf8")) as Record<string, string>;
    const text = readFileSync(join(out, name.replace(/headers$/, "body")), "utf8");
    return new Webhook(made.secret).verify(text, lowered(headers)) as { type: string; data: { items: object[] } };
  });
  expect(events.map(({ type }) => type).sort()).toEqual(["share.spent", "test"]);
  const spent = events.find(({ type }) => type === "share.spent");
  expect(spent?.data.items).toMatchObject([{ kind: "paste", slug: "once" }]);
});

const lowered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
