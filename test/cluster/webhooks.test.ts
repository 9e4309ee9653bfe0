import { afterAll, expect, test } from "bun:test";
import { signIn } from "../support/clients/sign-in.ts";
import { dataOf, json } from "../support/cluster/node-load.ts";
import { startNodes } from "../support/cluster/nodes.ts";
import { openReceiver } from "../support/servers/webhook-receiver.ts";
import { until } from "../support/until.ts";

/** Webhooks of two servers, of which one delivers and is killed while it does; a third has been killed before. */

const nodes = await startNodes(3, { WEBHOOK_NETWORKS: "127.0.0.0/8" });
const { call, at } = nodes;
afterAll(() => nodes[Symbol.asyncDispose]());

const JOBS = 6;

test("each event arrives once, also when the server that delivers is killed", async () => {
  const never = new Promise<Response>(() => undefined);
  let isTaking = false;
  // It holds what it gets until the other server delivers.
  await using receiver = openReceiver(() => (isTaking ? new Response(null, { status: 204 }) : never));
  const body = { name: "hook", kind: "standard", address: receiver.address, events: ["job.failed"] };
  const { id } = await dataOf<{ id: string }>(await call("/api/admin/webhooks", json(body)));
  // The first to deliver is the first that looks: with one server that is decided.
  await Promise.all([nodes.nodes[1]?.kill(), nodes.nodes[2]?.kill()]);
  const token = await signIn(at(0), "correct horse battery");
  const fail = async (index: number) => {
    const task = { kind: "copy", source: "/drive/missing.txt", target: `/drive/${crypto.randomUUID()}.txt` };
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${at(index)}/api/fs/jobs`, { ...json({ tasks: [task] }), headers });
    return (await dataOf<{ id: string }>(response)).id;
  };
  const jobs: string[] = [];
  for (let n = 0; n < JOBS; n++) jobs.push(await fail(0));
  await until(
    () => receiver.got.length,
    (count) => count === 1,
  );
  await nodes.restart(1);
  for (let n = 0; n < JOBS; n++) jobs.push(await fail(1));
  isTaking = true;
  await nodes.nodes[0]?.kill();
  const state = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${at(1)}/api/admin/webhooks/${id}/deliveries?limit=100`, { headers });
    return (await dataOf<{ state: string; id: string }[]>(response)).filter((one) => one.state === "delivered");
  };
  const delivered = await until(state, ({ length }) => length === jobs.length);
  const [held, ...taken] = receiver.got.map(({ headers, body: text }) => ({
    id: headers["webhook-id"],
    job: (JSON.parse(text) as { data: { items: { job: string }[] } }).data.items[0]?.job,
  }));
  expect(taken.map(({ job }) => job).sort()).toEqual([...jobs].sort());
  expect(taken.map((one) => one.id).sort()).toEqual(delivered.map((one) => one.id).sort());
  // What the killed server had begun comes again under its id, by which a receiver knows it.
  expect(taken).toContainEqual(held as never);
});
