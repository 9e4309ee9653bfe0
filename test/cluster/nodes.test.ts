import { afterAll, describe, expect, test } from "bun:test";
import { dataOf, insistAt, json } from "../support/cluster/node-load.ts";
import { onePostgres, startNodes } from "../support/cluster/nodes.ts";
import { startCluster } from "../support/postgres/cluster.ts";
import { openCuttingProxy } from "../support/postgres/cutting-proxy.ts";
import { asOwner } from "../support/postgres/databases.ts";
import { until } from "../support/until.ts";

/** Three servers on one PostgreSQL and one bucket, behind nginx with the configuration of deploy/. */

const postgres = await startCluster();
const nodes = await startNodes(3, () => onePostgres({}, postgres));
const { ask, call, at } = nodes;
const insist = insistAt(nodes);
afterAll(() => nodes[Symbol.asyncDispose]());

const ready = async (index: number) => {
  const response = await fetch(`${at(index)}/api/health/ready`);
  return { status: response.status, body: await response.json() };
};
const READY = { status: 200, body: { ready: true, failing: [] } };

describe("the first start", () => {
  test("of all at once makes one storage, one mount and one account, and no built-in storage", async () => {
    const storages = await dataOf<{ id: string; provider_type: string; is_default: number }[]>(
      await call("/api/s3-configs"),
    );
    expect(storages).toMatchObject([{ provider_type: "Other", is_default: 1, bucket_name: nodes.bucket }]);
    const mounts = await dataOf<{ mount_path: string; storage_config_id: string }[]>(await call("/api/admin/mounts"));
    expect(mounts).toMatchObject([{ mount_path: "/drive", storage_config_id: storages[0]?.id ?? "" }]);
  });

  test("leaves each of them ready", async () => {
    for (const index of [0, 1, 2])
      expect(
        await until(
          () => ready(index),
          ({ status }) => status === 200,
        ),
      ).toEqual(READY);
  });
});

/** How many of so many readers at once get the text, and what the others are told. */
async function readers(slug: string, count: number): Promise<Map<string, number>> {
  const read = async () => {
    const response = await ask(`/api/raw/${slug}`);
    const text = await response.text();
    return response.status === 200 ? text : `${response.status}`;
  };
  const answers = await Promise.all(Array.from({ length: count }, read));
  return new Map(
    Map.groupBy(answers, (answer) => answer)
      .entries()
      .map(([answer, all]) => [answer, all.length]),
  );
}

describe("views", () => {
  test("of a text that may be opened five times: of a thousand readers five get it, and each server counts its own", async () => {
    expect((await call("/api/paste", json({ content: "five", slug: "five", maxViews: 5 }))).status).toBe(201);
    expect(await readers("five", 1000)).toEqual(
      new Map([
        ["five", 5],
        ["410", 995],
      ]),
    );
    const counted = await Promise.all([0, 1, 2].map((index) => nodes.metrics(index)));
    const views = counted.map((text) => Number(/^satchel_views_total\{kind="paste"\} (\d+)$/m.exec(text)?.[1] ?? 0));
    expect(views.reduce((sum, one) => sum + one, 0)).toBe(5);
    const answered = counted.map((text) => Number(/front="rest",status="4xx"\} (\d+)$/m.exec(text)?.[1] ?? 0));
    // nginx gave each its share.
    for (const count of answered) expect(count).toBeGreaterThan(200);
  });
});

/** How often each answer came. */
const counts = (statuses: readonly number[]): Record<number, number> =>
  Object.fromEntries(
    Map.groupBy(statuses, (status) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  );

describe("a link", () => {
  const linkTo = async (fields: object) =>
    (await dataOf<{ slug: string; id: string }>(
      await call("/api/links", json({ items: ["/drive/box/"], ...fields })),
    )) ?? {};

  test("that may be opened five times is opened five times by a thousand", async () => {
    expect((await call("/api/fs/mkdir", json({ path: "/drive/box/" }))).ok).toBe(true);
    const { slug } = await linkTo({ rights: ["view"], max_opens: 5 });
    const open = async () => (await ask(`/api/public/links/${slug}/open`, json({}))).status;
    const statuses = await Promise.all(Array.from({ length: 1000 }, open));
    expect(counts(statuses)).toEqual({ 200: 5, 410: 995 });
  });

  test("that takes fifty files takes fifty of two hundred senders", async () => {
    const { slug, id } = await linkTo({ rights: ["upload"], max_files: 50 });
    const send = async (_: unknown, index: number) =>
      (await ask(`/in/${slug}/homework ${index}.txt`, { method: "PUT", body: `of ${index}` })).status;
    const statuses = await Promise.all(Array.from({ length: 200 }, send));
    expect(counts(statuses)).toEqual({ 201: 50, 409: 150 });
    expect(await dataOf<unknown>(await call(`/api/links/${id}`))).toMatchObject({ files: 50 });
    const listed = await dataOf<{ items: readonly { size: number }[] }>(await call("/api/fs/list?path=/drive/box/"));
    expect(listed.items).toHaveLength(50);
  });
});

describe("a server that is to stop", () => {
  test("is not ready any more, answers as ever meanwhile, and then ends; nobody behind nginx is refused", async () => {
    await call("/api/paste", json({ content: "here", slug: "here" }));
    await nodes.nodes[1]?.stop();
    await nodes.restart(1, { SHUTDOWN_DELAY_SECONDS: "3" });
    expect(
      await until(
        () => ready(1),
        ({ status }) => status === 200,
      ),
    ).toEqual(READY);
    const stopping = nodes.nodes[1]?.stop();
    const told = await until(
      () => ready(1),
      ({ status }) => status === 503,
    );
    expect(told.body).toEqual({ ready: false, failing: ["stopping"] });
    expect((await fetch(`${at(1)}/api/raw/here`)).status).toBe(200);
    let isOver = false;
    const ended = stopping?.finally(() => {
      isOver = true;
    });
    while (!isOver) expect((await ask("/api/raw/here")).status).toBe(200);
    expect(await ended).toBe(0);
    for (let count = 0; count < 20; count++) expect((await ask("/api/raw/here")).status).toBe(200);
    await nodes.restart(1);
  });
});

describe("PostgreSQL that is started again in the middle", () => {
  test("costs a wait or a 503 that says when to ask again, and no wrong answer", async () => {
    expect((await insist("/api/paste", json({ content: "seven", slug: "seven", maxViews: 7 }))).status).toBe(201);
    const wrong: string[] = [];
    const made = new Map<string, string>();
    let [got, goesOn, refused] = [0, true, 0];
    const check = async (response: Response, right: (text: string) => boolean): Promise<void> => {
      const text = await response.text();
      if (response.status === 503) refused += 1;
      if (response.status === 503 && !/^\d+$/.test(response.headers.get("retry-after") ?? ""))
        wrong.push(`503 ${text}`);
      if (response.status !== 503 && !right(text)) wrong.push(`${response.status} ${text}`);
    };
    const worker = async (name: string) => {
      for (let count = 0; goesOn; count++) {
        const id = `p-${name}-${count}`;
        const created = await call("/api/paste", json({ content: id, slug: id }));
        await check(created.clone(), () => created.status === 201);
        if (created.status === 201) made.set(id, id);
        const known = made.keys().next().value;
        if (known === undefined) continue;
        const read = await ask(`/api/raw/${known}`);
        await check(read.clone(), (text) => read.status === 200 && text === known);
        const seven = await ask("/api/raw/seven");
        await check(seven.clone(), (text) => seven.status === 410 || (seven.status === 200 && text === "seven"));
        if (seven.status === 200) got += 1;
      }
    };
    const workers = ["a", "b", "c"].map(worker);
    await until(
      () => made.size,
      (size) => size >= 3,
    );
    await postgres.stop("fast");
    expect(
      await until(
        () => ready(0),
        ({ status }) => status === 503,
      ),
    ).toEqual({
      status: 503,
      body: { ready: false, failing: ["database"] },
    });
    await until(
      () => refused,
      (count) => count > 0,
    );
    await postgres.start();
    const before = made.size;
    await until(
      () => made.size,
      (size) => size >= before + 3,
    );
    goesOn = false;
    await Promise.all(workers);
    expect(wrong).toEqual([]);
    expect(got).toBeLessThanOrEqual(7);
    for (const [slug, text] of made) expect((await insist(`/api/raw/${slug}`)).text).toBe(text);
    expect(
      await until(
        () => ready(0),
        ({ status }) => status === 200,
      ),
    ).toEqual(READY);
  });
});

test("a server whose way to the database is cut spends no view, and says that it is not ready", async () => {
  await using proxy = await openCuttingProxy(nodes.database);
  await nodes.nodes[2]?.stop();
  await nodes.restart(2, { DATABASE_URL: proxy.url });
  await insist("/api/paste", json({ content: "two", slug: "two", maxViews: 2 }));
  expect(
    await until(
      () => ready(2),
      ({ status }) => status === 200,
    ),
  ).toEqual(READY);
  proxy.cut();
  const alone = await fetch(`${at(2)}/api/raw/two`);
  expect(alone.status).toBe(503);
  expect(alone.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(
    (
      await until(
        () => ready(2),
        ({ status }) => status === 503,
      )
    ).body,
  ).toEqual({ ready: false, failing: ["database"] });
  expect((await readers("two", 30)).get("two")).toBe(2);
  proxy.mend();
  expect(
    await until(
      () => ready(2),
      ({ status }) => status === 200,
    ),
  ).toEqual(READY);
  expect((await fetch(`${at(2)}/api/raw/two`)).status).toBe(410);
});

test("a server with another secret, or without a storage on an empty database, says so and does not start", async () => {
  await expect(nodes.restart(0, { SECRET_KEY: "another secret for tests", PORT: "0" })).rejects.toThrow(
    "secret key is not the one",
  );
  await asOwner(postgres.url, "create database empty");
  const url = Object.assign(new URL(postgres.url), { pathname: "/empty" }).href;
  const none = { S3_ENDPOINT: "", S3_BUCKET: "", S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "", PORT: "0" };
  await expect(nodes.restart(0, { DATABASE_URL: url, ...none })).rejects.toThrow(
    "S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID",
  );
  // It is nobody's yet: whoever names a bucket starts with a secret of their own.
  await nodes.restart(0, { DATABASE_URL: url, SECRET_KEY: "another secret for tests", PORT: "0" });
});
