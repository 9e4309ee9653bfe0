import type { CallInput } from "#contract/endpoint";
import { webhooks } from "#contract/webhooks";
import { addressSet } from "../../../src/lib/addresses.ts";
import { ask } from "../share-file.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../test-house.ts";

/** A request as a receiver got it. */
export interface Got {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Answer = (got: Got, count: number) => Response | Promise<Response>;

/** A receiver on this machine, which notes everything and answers what the test says: 204 unless it says so. */
export function openReceiver(answer: Answer = () => new Response(null, { status: 204 })) {
  const got: Got[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const one = { path: pathname + search, headers: request.headers.toJSON(), body: await request.text() };
      got.push(one);
      return await answer(one, got.length);
    },
  });
  return {
    got,
    /** Types of the events that have arrived. */
    types: () => got.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    address: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** This machine, as WEBHOOK_NETWORKS names it. */
export const [localNetworks] = addressSet(["127.0.0.0/8"]);

/** A house whose webhooks may reach receivers on this machine. */
export const openWebhookHouse = (options: TestHouseOptions = {}) =>
  openTestHouse({ ...options, webhooks: { networks: localNetworks, ...options.webhooks } });

type NewWebhook = CallInput<typeof webhooks.create>["body"];

/** Makes a webhook that wants to know of failed jobs, unless the fields say otherwise. */
export async function makeWebhook(house: TestHouse, fields: Partial<NewWebhook> & Pick<NewWebhook, "address">) {
  const body: NewWebhook = { name: "hook", kind: "standard", events: ["job.failed"], ...fields };
  const { data, error } = await ask(house, webhooks.create, { body });
  if (error) throw new Error(`webhook: ${error}`);
  return data;
}

/** Queues something that has happened, and tells when nothing is being delivered any more. */
export async function happen(house: TestHouse, job = "j1"): Promise<void> {
  house.house.webhooks.events.tell({ type: "job.failed", item: { job, owner: "admin", reason: null } });
  await deliver(house);
}

/** Delivers what is due, and tells when nothing is being delivered any more. */
export async function deliver({ house: { webhooks } }: TestHouse): Promise<void> {
  await webhooks.events.flush();
  await webhooks.look();
  await webhooks.idle();
}

export const deliveriesOf = async (house: TestHouse, id: string) =>
  (await ask(house, webhooks.deliveries, { params: { id } })).data;

export const webhookOf = async (house: TestHouse, id: string) =>
  (await ask(house, webhooks.list, {})).data.webhooks.find((one) => one.id === id);
