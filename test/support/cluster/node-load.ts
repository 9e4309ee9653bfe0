import { expect } from "bun:test";
import { openPostgres } from "../../../src/database/postgres/postgres.ts";
import { plainSql } from "../../../src/database/sql.ts";
import { until } from "../until.ts";
import type { Nodes } from "./nodes.ts";

export const json = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

export const dataOf = async <Data>(response: Response): Promise<Data> =>
  ((await response.json()) as { data: Data }).data;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Asks again while servers have no database, which say 503 and when to ask again, and while the balancer has no server. */
export const insistAt =
  ({ call }: Pick<Nodes, "call">) =>
  async (path: string, init: RequestInit = {}): Promise<Answer> =>
    await until(
      async () => {
        const response = await call(path, init);
        const text = await response.text();
        if (response.status === 503) expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
        return { status: response.status, text };
      },
      ({ status }) => status !== 503 && status !== 502,
    );

/** Where files are written and renamed, and where jobs put them. */
const [LOAD, COPIES] = ["/drive/load/", "/drive/copies/"];

/** Readers of texts that may be opened so often, one more than may. */
const VIEWS = 2;

/** What clients have asked for, and what servers have answered as done. */
export interface Load {
  /** By slug. */
  readonly texts: Map<string, string>;
  /** By path. */
  readonly files: Map<string, string>;
  /** Paths from which something was moved. */
  readonly left: Set<string>;
  /** By id: what is copied or moved from where to where. */
  readonly jobs: Map<
    string,
    { readonly kind: string; readonly source: string; readonly target: string; readonly text: string }
  >;
  /** By status: how many answers had it. */
  readonly answers: Map<number, number>;
  /** How often a text was shown that may be shown twice. */
  readonly shown: number[];
  /** Every path and slug that was asked for, whatever was answered. */
  readonly asked: Set<string>;
}

/** Returns once so many files more are there than now. */
export function untilMore(load: Load, count: number): Promise<number> {
  const before = load.files.size;
  return until(
    () => load.files.size,
    (size) => size >= before + count,
  );
}

export const newLoad = (): Load => ({
  texts: new Map(),
  files: new Map(),
  left: new Set(),
  jobs: new Map(),
  answers: new Map(),
  shown: [],
  asked: new Set(),
});

/** The answer, or undefined when the connection was lost under it, as when its server is killed. */
async function orLost(load: Load, asking: Promise<Response>): Promise<Response | undefined> {
  try {
    const response = await asking;
    load.answers.set(response.status, (load.answers.get(response.status) ?? 0) + 1);
    return new Response(await response.arrayBuffer(), { status: response.status });
  } catch {
    return undefined;
  }
}

/** A text of its own, each fifth of a size that takes a while to send. */
const fileText = (id: string, count: number): string => `file ${id} `.repeat(count % 5 === 0 ? 20_000 : 1);

/** What one client does, one after the other, as long as it may; what was answered as done is noted. */
async function work({ call, ask }: Nodes, name: string, load: Load, mayGoOn: () => boolean): Promise<void> {
  for (let count = 0; mayGoOn(); count++) {
    const id = `${name}-${count}`;
    load.asked.add(id);
    const text = await orLost(load, call("/api/paste", json({ content: `text ${id}`, slug: id })));
    if (text?.status === 201) load.texts.set(id, `text ${id}`);
    if (count % 4 === 0) await view({ call, ask }, `${id}-twice`, load);

    const [from, to, target] = [`${LOAD}${id}.txt`, `${LOAD}${id}-renamed.txt`, `${COPIES}${id}.txt`];
    const content = fileText(id, count);
    load.asked.add(from);
    const written = await orLost(load, call(`/dav${from}`, { method: "PUT", body: content }));
    if (!written?.ok) continue;
    const turn = count % 4;
    if (turn === 0) load.files.set(from, content);
    if (turn === 1) {
      load.asked.add(to);
      const moved = await orLost(load, call("/api/fs/rename", json({ oldPath: from, newPath: to })));
      if (moved?.status !== 200) continue;
      load.left.add(from);
      load.files.set(to, content);
    }
    if (turn > 1) {
      const kind = turn === 2 ? "copy" : "move";
      load.asked.add(target);
      const job = await orLost(load, call("/api/fs/jobs", json({ tasks: [{ kind, source: from, target }] })));
      if (job?.status !== 201) continue;
      load.jobs.set((await dataOf<{ id: string }>(job)).id, { kind, source: from, target, text: content });
    }
  }
}

/** Makes a text that may be shown twice, and reads it more often. */
async function view({ call, ask }: Pick<Nodes, "call" | "ask">, slug: string, load: Load): Promise<void> {
  load.asked.add(slug);
  const made = await orLost(load, call("/api/paste", json({ content: slug, slug, maxViews: VIEWS })));
  if (made?.status !== 201) return;
  let shown = 0;
  for (let count = 0; count <= VIEWS; count++)
    if ((await orLost(load, ask(`/api/raw/${slug}`)))?.status === 200) shown += 1;
  load.shown.push(shown);
}

/** Who work at the same time, each of them with one request at a time. */
export const CLIENTS = ["a", "b", "c", "d"];

/** Runs all clients until the task has ended. */
export async function underLoad(nodes: Nodes, load: Load, task: () => Promise<void>): Promise<void> {
  const insist = insistAt(nodes);
  for (const path of [LOAD, COPIES]) await insist("/api/fs/mkdir", json({ path }));
  let goesOn = true;
  const workers = CLIENTS.map((name) => work(nodes, name, load, () => goesOn));
  try {
    await task();
  } finally {
    goesOn = false;
    await Promise.all(workers);
  }
}

/** Every acknowledged thing is there, nothing that nobody asked for is, and every job has ended and has done its part once. */
export async function examineLoad(nodes: Nodes, load: Load): Promise<void> {
  const insist = insistAt(nodes);
  const db = openPostgres({ url: nodes.database, connections: 3 });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => db.close());
  const names = async (text: string) => (await db.all<{ name: string }>(plainSql(text))).map(({ name }) => name);

  // The leases of a server that was killed end after some seconds. Jobs that were made and not acknowledged end as well.
  const open = () => names("select id as name from jobs where state in ('pending', 'running')");
  await until(open, (ids) => ids.length === 0);
  for (const [id, { kind, source, target, text }] of load.jobs) {
    const { data } = JSON.parse((await insist(`/api/fs/jobs/${id}`)).text) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ state: "completed", done_files: 1, skipped_files: 0, failed_files: 0 });
    load.files.set(target, text);
    if (kind === "move") load.left.add(source);
    else load.files.set(source, text);
  }
  // One job for each that was asked for at most: no request was made twice.
  const targets = await names("select target as name from job_tasks");
  expect(new Set(targets).size).toBe(targets.length);

  for (const [slug, text] of load.texts) expect((await insist(`/api/raw/${slug}`)).text).toBe(text);
  const slugs = await names("select slug as name from pastes");
  expect(slugs.filter((slug) => !load.asked.has(slug))).toEqual([]);
  for (const shown of load.shown) expect(shown).toBeLessThanOrEqual(VIEWS);
  expect(
    await db.first(
      plainSql("select bytes - (select sum(quota_bytes) from pastes) as more from text_quotas where quota = 'total'"),
    ),
  ).toEqual({ more: 0 });

  for (const [path, text] of load.files) expect((await insist(`/dav${path}`)).text).toBe(text);
  for (const path of load.left) expect((await insist(`/dav${path}`)).status).toBe(404);
  const there: string[] = [];
  for (const folder of [LOAD, COPIES]) {
    const { text } = await insist(`/dav${folder}`, { method: "PROPFIND", headers: { depth: "1" } });
    there.push(...[...text.matchAll(/\/dav([^<]+[^</])<\/[\w:]*href>/g)].map(([, path = ""]) => path));
  }
  expect(there.filter((path) => !load.asked.has(path))).toEqual([]);
  // What was not acknowledged may be there or not; the index knows as much as the storage.
  const indexed = () =>
    names(`select '/drive/' || folder.name || file.name as name from nodes file join nodes folder on folder.id = file.parent
      where folder.name in ('load/', 'copies/') and file.modified is not null`);
  const sorted = there.sort().join("\n");
  await until(indexed, (paths) => paths.sort().join("\n") === sorted);
}
