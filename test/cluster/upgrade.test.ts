import { afterAll, expect, test } from "bun:test";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql } from "../../src/database/sql.ts";
import { examineLoad, type Load, newLoad, underLoad } from "../support/cluster/node-load.ts";
import { startNodes } from "../support/cluster/nodes.ts";
import { nextVersion } from "../support/releases/next-version.ts";
import { until } from "../support/until.ts";

/** An upgrade from server to server: two versions side by side on one database, under load. */

const nodes = await startNodes(3);
afterAll(() => nodes[Symbol.asyncDispose]());

/** What a step may do that servers of the version before do not notice. */
const ADDITIVE = `[
  "create table notes (id text primary key, kind text not null) strict",
  "create unique index notes_kind on notes (kind)",
  "alter table pastes add column mood text",
  "alter table files add column stars integer not null default 3",
  "alter table jobs add column why text not null default ''",
  "alter table leases add column since integer",
  "create index pastes_mood on pastes (mood) where mood is not null",
]`;

const stepsOf = async (): Promise<number> => {
  const db = openPostgres({ url: nodes.database, connections: 3 });
  const row = await db.first<{ number: number }>(plainSql("select max(number) as number from migrations"));
  await db.close();
  return row?.number ?? 0;
};

/** Returns when clients have got so many things more done. */
const goOn = async (load: Load): Promise<void> => {
  const before = load.files.size;
  await until(
    () => load.files.size,
    (size) => size >= before + 8,
  );
};

const failing = async (index: number): Promise<readonly string[]> => {
  const response = await fetch(`${nodes.at(index)}/api/health/ready`);
  return ((await response.json()) as { failing: string[] }).failing;
};

test("servers of both versions work on the tables of the newer, also when one of the older is started again", async () => {
  using next = await nextVersion(ADDITIVE);
  const before = await stepsOf();
  const load = newLoad();
  await underLoad(nodes, load, async () => {
    await goOn(load);
    await nodes.nodes[0]?.stop();
    await nodes.restart(0, {}, next.command);
    expect(await stepsOf()).toBe(before + 1);
    await goOn(load);
    // The way back: one of the version before on the newer tables.
    await nodes.nodes[1]?.stop();
    await nodes.restart(1);
    await goOn(load);
    for (const index of [0, 1, 2])
      expect(
        await until(
          () => failing(index),
          (names) => names.length === 0,
        ),
      ).toEqual([]);
    await nodes.nodes[2]?.stop();
    await nodes.restart(2, {}, next.command);
    await goOn(load);
  });
  await examineLoad(nodes, load);
  for (const node of nodes.nodes) expect(node.stdout()).not.toContain('"level":"error"');
});

test("a step that needs a newer server makes older ones not ready, and they do not start again", async () => {
  const step = (await stepsOf()) + 1;
  // As if the step before had been a version of its own.
  using next = await nextVersion(
    `[], { needs: ${step}, statements: ["alter table pastes rename column remark to note"] }`,
  );
  await nodes.nodes[0]?.stop();
  await nodes.restart(0, {}, next.command);
  expect(
    await until(
      () => failing(1),
      (names) => names.length > 0,
    ),
  ).toEqual(["migrations"]);
  await nodes.nodes[1]?.stop();
  await expect(nodes.restart(1)).rejects.toThrow(
    `newer Satchel: only one that knows step ${step} can work on its tables`,
  );
});
