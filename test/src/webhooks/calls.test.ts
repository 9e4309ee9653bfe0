import { describe, expect, test } from "bun:test";
import type { CallInput } from "#contract/endpoint";
import { MAX_WEBHOOKS } from "#contract/limits";
import { webhooks } from "#contract/webhooks";
import { sql } from "../../../src/database/sql.ts";
import { scenarios } from "../../support/scenario.ts";
import { makeWebhook, openReceiver, openWebhookHouse, webhookOf } from "../../support/servers/webhook-receiver.ts";
import { ask } from "../../support/share-file.ts";
import { openTestHouse } from "../../support/test-house.ts";

/** Webhooks as an administrator makes, changes and deletes them. */

const url = "/api/admin/webhooks";
const hook = { name: "hook", kind: "standard", address: "https://hooks.example/a", events: ["share.opened"] };

const refused = (name: string, change: object, error: string) =>
  ({ method: "POST", url, as: "admin", body: { ...hook, ...change }, name, status: 400, has: [error] }) as const;

describe("calls", () => {
  scenarios([
    { method: "GET", url, status: 401 },
    { method: "GET", url, as: "any key", status: 403 },
    { method: "POST", url, as: "any key", body: hook, status: 403 },
    { method: "POST", url: `${url}/x/test`, as: "any key", status: 403 },
    { method: "POST", url: `${url}/x/secret`, as: "any key", status: 403 },
    { method: "GET", url: `${url}/x/deliveries`, as: "any key", status: 403 },
    { method: "GET", url, as: "admin", status: 200, has: ['"webhooks":[]', '"mail":false'] },
    ...(["PUT", "DELETE"] as const).map(
      (method) => ({ method, url: `${url}/x`, as: "admin", body: {}, status: 404, has: ["webhook.missing"] }) as const,
    ),
    { method: "POST", url: `${url}/x/test`, as: "admin", status: 404, has: ["webhook.missing"] },
    { method: "POST", url: `${url}/x/secret`, as: "admin", status: 404, has: ["webhook.missing"] },
    { method: "GET", url: `${url}/x/deliveries`, as: "admin", status: 404, has: ["webhook.missing"] },
    refused("no events", { events: [] }, "body.invalid"),
    refused("an event that there is not", { events: ["share.read"] }, "body.invalid"),
    refused("a kind that there is not", { kind: "teams" }, "body.invalid"),
    refused("no URL", { address: "hooks.example" }, "webhook.address"),
    refused("a line in the address", { address: "https://a.example/\r\nx" }, "body.invalid"),
    refused("a line in the token", { kind: "ntfy", address: "https://a.example/t", token: "a\nb" }, "body.invalid"),
    refused("another protocol", { address: "ftp://hooks.example/a" }, "webhook.address"),
    refused("a password in the URL", { address: "https://a:b@hooks.example/" }, "webhook.address"),
    refused("a port of mail", { address: "http://hooks.example:25/" }, "webhook.forbidden"),
    ...["127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]", "[fd00:ec2::254]", "[::ffff:127.0.0.1]", "2130706433"].map(
      (host) => refused(host, { address: `http://${host}:8080/` }, "webhook.forbidden"),
    ),
    refused("ntfy without a topic", { kind: "ntfy", address: "https://ntfy.sh/" }, "webhook.topic"),
    refused("mail without a server", { kind: "mail", address: "me@mail.example" }, "webhook.noMail"),
    refused("a long address", { address: `https://a.example/${"x".repeat(1000)}` }, "body.invalid"),
  ]);
});

test("a secret is told once, and the address never again: both are sealed", async () => {
  await using house = await openTestHouse();
  const address = "https://hooks.example/services/T000/a-credential";
  const made = await makeWebhook(house, { address });
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(made.host).toBe("hooks.example");
  const { data } = await ask(house, webhooks.update, { params: { id: made.id }, body: { name: "other" } });
  expect(data).toMatchObject({ name: "other", events: ["job.failed"], enabled: true });
  const told = JSON.stringify([data, await webhookOf(house, made.id)]);
  const kept = JSON.stringify(await house.db.all(sql`select * from webhooks`));
  for (const text of [told, kept, house.log()]) {
    expect(text).not.toContain("a-credential");
    expect(text).not.toContain(made.secret ?? "");
  }
});

test("a token is kept, changed and taken away, and only kinds that send one have it", async () => {
  await using house = await openTestHouse();
  const ntfy = await makeWebhook(house, { kind: "ntfy", address: "https://ntfy.example/topic", token: "tk_1" });
  const slack = await makeWebhook(house, { kind: "slack", address: "https://slack.example/x", token: "tk_1" });
  expect([ntfy.has_token, slack.has_token, ntfy.secret]).toEqual([true, false, null]);
  const change = (body: object) => ask(house, webhooks.update, { params: { id: ntfy.id }, body });
  expect((await change({ language: "zh" })).data.has_token).toBe(true);
  expect((await change({ token: "" })).data.has_token).toBe(false);
  expect((await ask(house, webhooks.rotate, { params: { id: slack.id } })).error).toBe("webhook.unsigned");
});

test("a token goes to no other server than the one that it was typed for", async () => {
  await using receiver = openReceiver();
  await using other = openReceiver();
  await using house = await openWebhookHouse();
  const token = "tk_91d27f3a";
  const { id } = await makeWebhook(house, { kind: "ntfy", address: `${receiver.address}/one`, token });
  const change = (body: object) => ask(house, webhooks.update, { params: { id }, body });
  const sentTo = async ({ got }: ReturnType<typeof openReceiver>) => {
    await ask(house, webhooks.test, { params: { id } });
    return got.at(-1)?.headers.authorization;
  };
  expect((await change({ address: `${receiver.address}/two` })).data.has_token).toBe(true);
  expect(await sentTo(receiver)).toBe(`Bearer ${token}`);
  expect((await change({ address: `${other.address}/two` })).data.has_token).toBe(false);
  expect([await sentTo(other), other.got.length]).toEqual([undefined, 1]);
  expect((await change({ address: `${receiver.address}/two`, token })).data.has_token).toBe(true);
  expect((await change({ address: `${other.address}/two`, token: `${token}2` })).data.has_token).toBe(true);
  expect(await sentTo(other)).toBe(`Bearer ${token}2`);
});

test("there may be so many, and deleting one takes what waits for it along", async () => {
  await using house = await openWebhookHouse();
  const all = [];
  for (let n = 0; n < MAX_WEBHOOKS; n++) all.push(await makeWebhook(house, { address: "http://127.0.0.1:9999/" }));
  const body: CallInput<typeof webhooks.create>["body"] = {
    ...{ name: "one more", kind: "standard", address: "https://a.example/", events: ["job.failed"] },
  };
  expect(await ask(house, webhooks.create, { body })).toMatchObject({ status: 409, error: "webhook.tooMany" });
  await house.house.webhooks.events.flush();
  await house.db.batch(
    house.house.webhooks.events.told({ type: "job.failed", item: { job: "j", owner: "admin", reason: null } }),
  );
  const [first] = all;
  expect((await webhookOf(house, first?.id ?? ""))?.waiting).toBe(1);
  expect((await ask(house, webhooks.remove, { params: { id: first?.id ?? "" } })).status).toBe(200);
  const left = await house.db.all(sql`select 1 from webhook_deliveries where webhook = ${first?.id ?? ""}`);
  expect(left).toEqual([]);
  expect((await ask(house, webhooks.create, { body })).status).toBe(201);
});

test("the audit log has who made, tested, changed and deleted one", async () => {
  await using house = await openTestHouse({ resolve: async () => ["10.0.0.1"] });
  const { id } = await makeWebhook(house, { address: "https://hooks.example/a" });
  await ask(house, webhooks.test, { params: { id } });
  await ask(house, webhooks.rotate, { params: { id } });
  await ask(house, webhooks.update, { params: { id }, body: { enabled: false } });
  await ask(house, webhooks.remove, { params: { id } });
  const { entries } = await house.house.access.audit.list({ limit: 10, offset: 0 });
  expect(entries.map(({ action, subject }) => [action, subject]).reverse()).toEqual(
    ["create", "test", "rotate", "update", "delete"].map((verb) => [`webhook.${verb}`, id]),
  );
});
