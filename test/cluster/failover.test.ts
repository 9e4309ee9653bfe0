import { afterAll, expect, test } from "bun:test";
import { examineLoad, insistAt, newLoad, underLoad, untilMore } from "../support/cluster/node-load.ts";
import { startNodes } from "../support/cluster/nodes.ts";
import { startPatroni } from "../support/postgres/patroni.ts";
import { until } from "../support/until.ts";

/** Three servers on PostgreSQL under Patroni with etcd behind HAProxy, whose primary is killed while they work. */

const starting = startPatroni();
const nodes = await startNodes(3, async () => {
  const { url, readUrl, [Symbol.asyncDispose]: end } = await starting;
  return { settings: { DATABASE_URL: url, DATABASE_READ_URL: readUrl }, database: url, [Symbol.asyncDispose]: end };
});
const patroni = await starting;

afterAll(() => nodes[Symbol.asyncDispose]());

const readiness = async (index: number): Promise<number> => (await fetch(`${nodes.at(index)}/api/health/ready`)).status;

test("a primary that is killed under load is replaced: changes wait or are answered 503, nothing acknowledged is lost, every server goes on", async () => {
  const load = newLoad();
  const pids = nodes.nodes.map(({ pid }) => pid);
  const killed = await patroni.primary();
  if (!killed) throw new Error("There is no primary.");
  let away = 0;
  await underLoad(nodes, load, async () => {
    await untilMore(load, 8);
    const began = performance.now();
    await patroni.kill(killed);
    const next = await until(patroni.primary, (machine) => machine !== undefined);
    expect(next?.name).not.toBe(killed.name);
    away = (performance.now() - began) / 1000;
    await untilMore(load, 8);
  });
  await examineLoad(nodes, load);
  expect(load.jobs.size).toBeGreaterThan(0);
  // A refusal says when to ask again, and nothing was answered otherwise than it would be.
  const refused = load.answers.get(503) ?? 0;
  expect(refused).toBeGreaterThan(0);
  expect([...load.answers.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(nodes.nodes.map(({ pid }) => pid)).toEqual(pids);
  for (const index of pids.keys())
    await until(
      () => readiness(index),
      (status) => status === 200,
    );
  process.stdout.write(
    `no primary for ${away.toFixed(1)} s, ${refused} refused; acknowledged: ${load.texts.size} texts, ${load.files.size} files, ${load.left.size} moved, ${load.jobs.size} jobs\n`,
  );

  // The other one comes back as the standby, and is read again.
  patroni.revive(killed);
  await until(() => patroni.isStandby(killed), Boolean);
  const insist = insistAt(nodes);
  for (const index of pids.keys())
    await until(
      () => nodes.metrics(index),
      (text) => /^satchel_replica_current 1$/m.test(text),
    );
  expect((await insist("/api/pastes")).status).toBe(200);
});
