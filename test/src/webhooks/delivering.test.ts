import { describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { dashboard } from "#contract/dashboard";
import { Failure } from "#contract/failures";
import { MAX_WAITING_DELIVERIES } from "#contract/limits";
import { webhooks } from "#contract/webhooks";
import type { Database } from "../../../src/database/database.ts";
import { addressSet, noLinkLocal, publicAnd } from "../../../src/lib/addresses.ts";
import {
  deliver,
  deliveriesOf,
  type Got,
  happen,
  makeWebhook,
  openReceiver,
  openWebhookHouse,
  webhookOf,
} from "../../support/servers/webhook-receiver.ts";
import { ask } from "../../support/share-file.ts";
import { days, hours, minutes } from "../../support/test-clock.ts";
import { until } from "../../support/until.ts";

/** How what happens reaches a receiver: signed, once, and again until it arrives or is given up. */

const SECOND = 1000;

/** Verifies as receivers do, by the library of Standard Webhooks; its clock is that of this machine. */
const verified = (secret: string | null, { body, headers }: Got) =>
  new Webhook(secret ?? "").verify(body, { ...headers });

describe("signatures", () => {
  test("are those of Standard Webhooks", async () => {
    await using receiver = openReceiver();
    await using house = await openWebhookHouse({ now: Date.now() });
    const { secret } = await makeWebhook(house, { address: `${receiver.address}/hook?a=b` });
    await happen(house, "汉字 😀");
    const [got] = receiver.got;
    expect(receiver.got.length).toBe(1);
    expect(got?.path).toBe("/hook?a=b");
    expect(got?.headers["webhook-id"]).toMatch(/^msg_[\w-]{24}$/);
    expect(got && verified(secret, got)).toEqual({
      type: "job.failed",
      timestamp: new Date(house.clock.now()).toISOString(),
      data: { items: [{ job: "汉字 😀", owner: "admin", reason: null }], more: 0 },
    });
    const other = `whsec_${Buffer.from("another secret of enough bytes").toString("base64")}`;
    expect(() => got && verified(other, got)).toThrow();
    expect(() => got && verified(secret, { ...got, body: `${got.body} ` })).toThrow();
  });

  test("are made with both secrets for a day after a rotation, and then with the new one alone", async () => {
    await using receiver = openReceiver();
    await using house = await openWebhookHouse({ now: Date.now() });
    const { id, secret: old } = await makeWebhook(house, { address: receiver.address });
    const { data } = await ask(house, webhooks.rotate, { params: { id } });
    expect(data.secret).not.toBe(old);
    await happen(house);
    const [got] = receiver.got;
    for (const secret of [old, data.secret]) expect(() => got && verified(secret, got)).not.toThrow();
    house.clock.advance(hours(24));
    await happen(house);
    const last = receiver.got[1];
    const id2 = last?.headers["webhook-id"] ?? "";
    const signed = new Webhook(data.secret ?? "").sign(id2, new Date(house.clock.now()), last?.body ?? "");
    expect(last?.headers["webhook-signature"]).toBe(signed);
  });

  test("are made anew for each try, so that a receiver takes a late one, under the same id", async () => {
    await using receiver = openReceiver((_, count) => new Response(null, { status: count === 1 ? 500 : 200 }));
    await using house = await openWebhookHouse({ now: Date.now() - hours(1) });
    const { secret } = await makeWebhook(house, { address: receiver.address });
    await happen(house);
    house.clock.advance(hours(1));
    await deliver(house);
    const [first, second] = receiver.got;
    expect(first?.headers["webhook-id"]).toBe(second?.headers["webhook-id"] ?? "");
    expect(first?.body).toBe(second?.body ?? "");
    expect(() => first && verified(secret, first)).toThrow("too old");
    expect(() => second && verified(secret, second)).not.toThrow();
  });
});

/** From one try to the next, as the standard says it. */
const WAITS = [5 * SECOND, minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)];

describe("tries", () => {
  test("are ten in three days: a receiver that answers 500 nine times gets it at the tenth", async () => {
    await using receiver = openReceiver((_, count) => new Response(null, { status: count < 10 ? 500 : 200 }));
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: receiver.address });
    await happen(house);
    for (const [index, wait] of WAITS.entries()) {
      const [row] = await deliveriesOf(house, id);
      expect(row).toMatchObject({ state: "waiting", attempts: index + 1, status: 500, problem: "status" });
      const left = Date.parse(row?.next_at ?? "") - house.clock.now();
      expect([left >= wait, left <= wait * 1.1]).toEqual([true, true]);
      house.clock.advance(left - 1);
      await deliver(house);
      expect(receiver.got.length).toBe(index + 1);
      house.clock.advance(1);
      await deliver(house);
      expect(receiver.got.length).toBe(index + 2);
    }
    expect((await deliveriesOf(house, id))[0]).toMatchObject({ state: "delivered", attempts: 10, next_at: null });
    expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await webhookOf(house, id)).toMatchObject({ enabled: true, disabled_reason: null, waiting: 0 });
  });

  test("end with the tenth, which switches the webhook off: the dashboard says so, and nothing is queued any more", async () => {
    await using receiver = openReceiver(() => new Response(null, { status: 500 }));
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: receiver.address, name: "phone" });
    await happen(house, "first");
    for (let n = 0; n < 9; n++) {
      house.clock.advance(hours(27));
      await deliver(house);
    }
    await happen(house, "later");
    const off = { enabled: false, disabled_reason: "failed", waiting: 0 };
    expect(await webhookOf(house, id)).toMatchObject(off);
    expect(receiver.got.length).toBe(10);
    const { attention } = (await ask(house, dashboard.stats, {})).data;
    expect(attention.webhooks).toEqual([{ id, name: "phone", reason: "failed" }]);
    const { data } = await ask(house, webhooks.update, { params: { id }, body: { enabled: true } });
    expect(data).toMatchObject({ enabled: true, disabled_reason: null });
    expect((await ask(house, dashboard.stats, {})).data.attention.webhooks).toEqual([]);
    await happen(house, "again");
    expect(receiver.got.length).toBe(11);
  });

  test("of a message that its receiver refuses keep no others back, and switch nothing off", async () => {
    const poison = ({ body }: Got) => new Response(null, { status: body.includes("poison") ? 400 : 200 });
    await using receiver = openReceiver(poison);
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: receiver.address });
    await happen(house, "poison");
    for (let n = 0; n < 9; n++) {
      house.clock.advance(hours(27));
      await deliver(house);
      house.clock.advance(minutes(5));
      await happen(house, `good ${n}`);
    }
    const rows = await deliveriesOf(house, id);
    expect(rows.filter(({ state }) => state === "delivered").length).toBe(9);
    expect(rows.at(-1)).toMatchObject({ state: "failed", attempts: 10, status: 400 });
    expect(await webhookOf(house, id)).toMatchObject({ enabled: true });
  });

  test("end at once with 410", async () => {
    await using receiver = openReceiver(() => new Response(null, { status: 410 }));
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: receiver.address });
    await happen(house);
    house.clock.advance(days(1));
    await deliver(house);
    expect(receiver.got.length).toBe(1);
    expect(await webhookOf(house, id)).toMatchObject({ enabled: false, disabled_reason: "gone" });
    expect((await deliveriesOf(house, id))[0]).toMatchObject({ state: "failed", problem: "gone", status: 410 });
  });

  test("wait as long as the receiver wants", async () => {
    const busy = () => new Response(null, { status: 429, headers: { "retry-after": "3600" } });
    await using receiver = openReceiver((_, count) => (count === 1 ? busy() : new Response()));
    await using house = await openWebhookHouse();
    await makeWebhook(house, { address: receiver.address });
    await happen(house, "first");
    house.clock.advance(hours(1) - 1);
    await happen(house, "second");
    expect(receiver.got.length).toBe(1);
    house.clock.advance(1);
    await deliver(house);
    expect(receiver.got.length).toBe(3);
  });

  test("of one that does not answer keep no other webhook waiting", async () => {
    const hanging = Promise.withResolvers<Response>();
    await using slow = openReceiver(() => hanging.promise);
    await using quick = openReceiver();
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: slow.address });
    await makeWebhook(house, { address: quick.address });
    const done = happen(house);
    await until(
      () => [slow.got.length, quick.got.length],
      ([one, two]) => one === 1 && two === 1,
    );
    hanging.resolve(new Response());
    await done;
    expect((await deliveriesOf(house, id))[0]?.state).toBe("delivered");
  });
});

test.each([410, 500])(
  "what a receiver answers (%i) that was corrected meanwhile says nothing about the new one",
  async (status) => {
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
    await using old = openReceiver((_, count) => {
      if (count < (status === 410 ? 1 : 10)) return new Response(null, { status });
      asked.resolve();
      return answer.promise;
    });
    await using corrected = openReceiver();
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: old.address });
    let last = happen(house);
    for (let n = 0; n < (status === 410 ? 0 : 9); n++) {
      await last;
      house.clock.advance(hours(27));
      last = deliver(house);
    }
    await asked.promise;
    await ask(house, webhooks.update, { params: { id }, body: { address: corrected.address } });
    answer.resolve(new Response(null, { status }));
    await last;
    await deliver(house);
    expect(await webhookOf(house, id)).toMatchObject({ enabled: true, disabled_reason: null, waiting: 0 });
    expect(corrected.got.map(({ headers }) => headers["webhook-id"])).toEqual([old.got[0]?.headers["webhook-id"]]);
    expect((await deliveriesOf(house, id))[0]).toMatchObject({ state: "delivered", status: 204 });
  },
);

test("a try that fails where a webhook led before has it wait for nothing", async () => {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
  await using old = openReceiver(() => {
    asked.resolve();
    return answer.promise;
  });
  await using corrected = openReceiver();
  await using house = await openWebhookHouse();
  const { id } = await makeWebhook(house, { address: old.address });
  const first = happen(house);
  await asked.promise;
  await ask(house, webhooks.update, { params: { id }, body: { address: corrected.address } });
  answer.resolve(new Response(null, { status: 503, headers: { "retry-after": "3600" } }));
  await first;
  await deliver(house);
  expect(corrected.got.length).toBe(1);
  expect((await deliveriesOf(house, id))[0]).toMatchObject({ state: "delivered", attempts: 1 });
});

describe("what waits begins anew", () => {
  /** A webhook whose receiver refuses everything, of which two messages have been tried often and wait for hours. */
  async function openRefused(answer: () => Response) {
    const receiver = openReceiver(answer);
    const house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: receiver.address });
    await happen(house, "first");
    house.clock.advance(SECOND);
    await happen(house, "second");
    for (let n = 0; n < 5; n++) {
      house.clock.advance(hours(11));
      await deliver(house);
      house.clock.advance(minutes(6));
      await deliver(house);
    }
    return { receiver, house, id };
  }

  const orderOf = (got: readonly Got[]) => got.map(({ body }) => body.match(/first|second/)?.[0]);

  test("with another address: in its order, with all of its tries", async () => {
    const refused = await openRefused(() => new Response(null, { status: 500 }));
    const { house, id } = refused;
    await using _ = refused.receiver;
    await using _house = house;
    let status = 500;
    await using corrected = openReceiver(() => new Response(null, { status }));
    for (const row of await deliveriesOf(house, id)) expect(row.attempts).toBeGreaterThan(4);
    await ask(house, webhooks.update, { params: { id }, body: { address: corrected.address } });
    await deliver(house);
    expect(corrected.got.length).toBe(1);
    status = 204;
    house.clock.advance(minutes(1));
    await deliver(house);
    expect(orderOf(corrected.got)).toEqual(["first", "second", "first"]);
    const rows = await deliveriesOf(house, id);
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
      ["delivered", 1],
      ["delivered", 2],
    ]);
  });

  test("with another secret, as soon as its receiver wants any", async () => {
    let isRefused = true;
    const refused = await openRefused(
      () => new Response(null, isRefused ? { status: 503, headers: { "retry-after": "3600" } } : { status: 204 }),
    );
    const { receiver, house, id } = refused;
    await using _ = receiver;
    await using _house = house;
    const before = receiver.got.length;
    isRefused = false;
    await ask(house, webhooks.rotate, { params: { id } });
    await deliver(house);
    expect(receiver.got.length).toBe(before);
    house.clock.advance(hours(1));
    await deliver(house);
    expect(orderOf(receiver.got.slice(before))).toEqual(["first", "second"]);
    for (const row of await deliveriesOf(house, id)) expect(row).toMatchObject({ state: "delivered", attempts: 1 });
  });
});

test("a try that cannot be written down is made again after pauses that grow, under the same id", async () => {
  await using receiver = openReceiver();
  let isFull = true;
  const engine = (db: Database): Database => ({
    ...db,
    async batch(queries) {
      if (isFull && queries.some(({ text }) => text.includes("update webhook_deliveries set state")))
        throw new Failure("storage.full");
      return await db.batch(queries);
    },
  });
  await using house = await openWebhookHouse({ engine });
  const { id } = await makeWebhook(house, { address: receiver.address });
  await happen(house);
  await deliver(house);
  expect(receiver.got.length).toBe(1);
  for (const [index, pause] of [5 * SECOND, 10 * SECOND, 20 * SECOND].entries()) {
    house.clock.advance(pause - 1);
    await deliver(house);
    expect(receiver.got.length).toBe(index + 1);
    house.clock.advance(1);
    await deliver(house);
    expect(receiver.got.length).toBe(index + 2);
  }
  isFull = false;
  house.clock.advance(minutes(5));
  await deliver(house);
  expect((await deliveriesOf(house, id))[0]).toMatchObject({ state: "delivered", attempts: 1 });
  await happen(house, "next");
  expect(receiver.got.length).toBe(6);
  expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
});

describe("a receiver that misbehaves", () => {
  const problemOf = async (answer: Parameters<typeof openReceiver>[0], now?: number) => {
    await using receiver = openReceiver(answer);
    await using house = await openWebhookHouse({ webhooks: { patience: 300 }, ...(now !== undefined && { now }) });
    const { id } = await makeWebhook(house, { address: receiver.address });
    await happen(house);
    return (await deliveriesOf(house, id))[0];
  };

  test("and never answers is left", async () => {
    expect(await problemOf(() => new Promise(() => undefined))).toMatchObject({ problem: "late", status: null });
  });

  test("and answers without an end is read no further than 64 KiB", async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    });
    expect(await problemOf(() => new Response(endless))).toMatchObject({ problem: null, status: 200 });
  });

  test("and redirects leads nowhere", async () => {
    await using inner = openReceiver();
    const redirect = () => new Response(null, { status: 307, headers: { location: inner.address } });
    expect(await problemOf(redirect)).toMatchObject({ problem: "redirect", status: 307 });
    expect(inner.got).toEqual([]);
  });

  test("because its clock is ten minutes off is told from others", async () => {
    const off = (minutesAhead: number) => () =>
      new Response(null, {
        status: 401,
        headers: { date: new Date(Date.now() + minutes(minutesAhead)).toUTCString() },
      });
    const found = await problemOf(off(10), Date.now());
    expect(found).toMatchObject({ problem: "clock", status: 401 });
    expect(Math.abs((found?.clock_ahead ?? 0) - 600)).toBeLessThan(120);
    expect(await problemOf(off(0), Date.now())).toMatchObject({ problem: "status", clock_ahead: null });
  });

  test("or is not there is tried again", async () => {
    await using receiver = openReceiver();
    await receiver[Symbol.asyncDispose]();
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: receiver.address });
    await happen(house);
    expect((await deliveriesOf(house, id))[0]).toMatchObject({ state: "waiting", problem: "unreachable" });
  });
});

describe("addresses", () => {
  test("that a name leads to are checked, and connected to, when something is sent", async () => {
    await using receiver = openReceiver();
    const { port } = new URL(receiver.address);
    let leads = "127.0.0.1";
    await using house = await openWebhookHouse({ webhooks: {}, resolve: async () => [leads] });
    const { id } = await makeWebhook(house, { address: `http://hooks.test:${port}/` });
    await happen(house);
    expect(receiver.got.length).toBe(1);
    leads = "10.0.0.1";
    house.clock.advance(minutes(1));
    await happen(house);
    expect((await deliveriesOf(house, id))[0]).toMatchObject({ state: "waiting", problem: "forbidden", status: null });
  });

  test("of private networks are allowed where the operator says so, and those of a cloud's secrets never", () => {
    const [everything] = addressSet(["0.0.0.0/0", "::/0"]);
    const [home] = addressSet(["192.168.1.0/24", "fd12::/16"]);
    const isOpen = (networks: typeof home) => (address: string) => !publicAnd(networks).forbids(address);
    const addresses = [
      "1.1.1.1",
      "192.168.1.9",
      "192.168.2.9",
      "127.0.0.1",
      "::ffff:192.168.1.9",
      "fd12::1",
      "fd13::1",
    ];
    expect(addresses.filter(isOpen(home))).toEqual(["1.1.1.1", "192.168.1.9", "::ffff:192.168.1.9", "fd12::1"]);
    const never = ["169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254", "168.63.129.16", "100.100.100.200"];
    expect(never.filter(isOpen(everything))).toEqual([]);
    expect(noLinkLocal.forbids("fd00:0ec2:0:0::254")).toBe(true);
  });
});

describe("the queue", () => {
  test("is bounded, and what it leaves out is counted", async () => {
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: "http://127.0.0.1:9999/" });
    const { events } = house.house.webhooks;
    const told = () => events.told({ type: "job.failed", item: { job: "j", owner: "admin", reason: null } });
    for (let n = 0; n < 11; n++) await house.db.batch(Array.from({ length: 100 }, told).flat());
    expect(await webhookOf(house, id)).toMatchObject({ waiting: MAX_WAITING_DELIVERIES, dropped: 100 });
  });

  test("forgets what has waited for five days, and what ended long ago", async () => {
    await using receiver = openReceiver();
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: receiver.address });
    await happen(house, "delivered");
    await house.db.batch(
      house.house.webhooks.events.told({ type: "job.failed", item: { job: "waits", owner: "admin", reason: null } }),
    );
    house.clock.advance(days(5));
    expect(await house.house.webhooks.sweep()).toBe(1);
    expect((await deliveriesOf(house, id)).map(({ problem }) => String(problem)).sort()).toEqual(["null", "old"]);
    house.clock.advance(days(15));
    expect(await house.house.webhooks.sweep()).toBe(2);
    expect(await deliveriesOf(house, id)).toEqual([]);
  });

  test("is given up when its webhook is switched off, and not filled any more", async () => {
    await using receiver = openReceiver();
    await using house = await openWebhookHouse();
    const { id } = await makeWebhook(house, { address: receiver.address });
    const item = { job: "waits", owner: "admin", reason: null };
    await house.db.batch(house.house.webhooks.events.told({ type: "job.failed", item }));
    await ask(house, webhooks.update, { params: { id }, body: { enabled: false } });
    await happen(house);
    expect(receiver.got).toEqual([]);
    expect((await deliveriesOf(house, id)).map(({ problem }) => problem)).toEqual(["off"]);
  });
});

test("a test is delivered at once, also by one that is off, and says what became of it", async () => {
  await using receiver = openReceiver((_, count) => new Response(null, { status: count === 1 ? 200 : 403 }));
  await using house = await openWebhookHouse();
  const { id } = await makeWebhook(house, { address: receiver.address, enabled: false });
  const params = { id };
  expect((await ask(house, webhooks.test, { params })).data).toMatchObject({ state: "delivered", event: "test" });
  expect((await ask(house, webhooks.test, { params })).data).toMatchObject({ state: "failed", status: 403 });
  expect(receiver.types()).toEqual(["test", "test"]);
  house.clock.advance(days(1));
  await deliver(house);
  expect(receiver.got.length).toBe(2);
  expect((await deliveriesOf(house, id)).length).toBe(2);
});
