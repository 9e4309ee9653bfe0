import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { keys } from "#contract/keys";
import { mounts } from "#contract/mounts";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { storage } from "#contract/storage";
import { type CrashServer, crashIn, type Slugs, type TreeCrash, treeCrashes } from "../suites/tree-crashes.ts";
import { basic } from "../support/clients/basic.ts";
import { type Client, openClient } from "../support/clients/upload-client.ts";
import { openKillingProxy, type Point, pointsOf } from "../support/proxies/killing-proxy.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type OpenedS3Store, openS3Store } from "../support/stores/s3-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * Changes of the tree on a real S3 server by a process that is killed at one request to the storage after the other. Each change is held at
 * a request of its own, and when all are held, or done, the process gets SIGKILL. So does, every other time, the one that is started then.
 */

/** Requests at which one change is killed. */
const MOST_POINTS = 20;

/** A change that is tried again and again. */
interface Trial {
  readonly name: string;
  readonly one: TreeCrash;
  /** Where it is killed. */
  readonly points: readonly Point[];
  unmade: number;
  made: number;
}

/** One of its tries, in a folder of its own. */
interface Try {
  readonly name: string;
  readonly one: TreeCrash;
  readonly folder: string;
  readonly point: Point | undefined;
  readonly slugs: Slugs;
}

async function openPlace() {
  await using stack = new AsyncDisposableStack();
  const [one, other] = [stack.use(await openS3Store()), stack.use(await openS3Store())];
  const proxy = stack.use(await openKillingProxy(one.server.endpoint));
  const { path: dataDir } = stack.use(temporaryFolder());
  let running = await startServer({ dataDir });
  stack.defer(() => running.kill());
  const key = await prepare(running, [one, other], proxy.endpoint);
  const moved = stack.move();
  return {
    buckets: [one, other],
    proxy,
    server: () => crashServer(running, key),
    /** SIGKILL. Answers what the process has logged. */
    async kill(): Promise<string> {
      await running.kill();
      proxy.forget();
      return running.stdout();
    },
    async start(): Promise<void> {
      running = await startServer({ dataDir });
    },
    /** Waits until a start has brought to an end what it found, or something else is so. */
    async settled(orIs: () => boolean = () => false): Promise<void> {
      const db = new Database(join(dataDir, "satchel.db"), { readonly: true });
      const count = db.query<{ left: number }, []>("select count(*) as left from change_intents");
      while (count.get()?.left !== 0 && !orIs()) await fetch(`${running.address}/api/health`);
      db.close();
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

type Place = Awaited<ReturnType<typeof openPlace>>;

/** Mounts both buckets and makes a key. */
async function prepare(running: TestServer, buckets: readonly OpenedS3Store[], endpoint: string) {
  const client = await openClient(running);
  for (const [index, bucket] of buckets.entries())
    await mountBucket(client, bucket, { endpoint_url: endpoint, mount_path: index === 0 ? "/cloud" : "/other" });
  const { data } = await client.call(keys.create, { name: "writer", permissions: ALL_PERMISSIONS } as never);
  return data as unknown as CrashServer["key"];
}

async function mountBucket(
  { call }: Client,
  { bucket, server }: OpenedS3Store,
  { endpoint_url, mount_path }: { readonly endpoint_url: string; readonly mount_path: string },
): Promise<void> {
  const config = {
    ...{ name: bucket, provider_type: "Other", endpoint_url, bucket_name: bucket, path_style: true, is_public: true },
    ...{ access_key_id: server.accessKey, secret_access_key: server.secret },
  };
  const { data } = await call(storage.create, config as never);
  const { id } = data as unknown as { id: string };
  const mount = { name: bucket, storage_type: "S3", storage_config_id: id, mount_path } as never;
  expect((await call(mounts.create, mount)).status).toBe(201);
}

const crashServer = ({ address, adminPassword }: TestServer, key: CrashServer["key"]): CrashServer => ({
  origin: address,
  now: Date.now,
  send: (url, init) => fetch(new URL(url, address), init),
  admin: basic("admin", adminPassword),
  key,
});

const changeOf = (place: Place, { one, folder }: Pick<Try, "one" | "folder">) =>
  crashIn(place.server(), one, (path) =>
    path.replace(/^./, (mount) => `${mount === "a" ? "/cloud" : "/other"}/${folder}`),
  );

/** Makes what the next try of a change needs. */
async function arrange(place: Place, round: number, trial: Pick<Trial, "name" | "one"> & { readonly point?: Point }) {
  const { name, one, point } = trial;
  const folder = `change-${Object.keys(treeCrashes).indexOf(name)}_${round}`;
  return { name, one, folder, point, slugs: await changeOf(place, { one, folder }).arrange() };
}

/** Makes all of them, and returns when each is held or done. */
async function actAll(place: Place, tries: readonly Try[]) {
  return await Promise.all(
    tries.map(async (one) => {
      const { held, count } = place.proxy.watch(one.folder, one.point);
      // One that is held ends with the process.
      const status = changeOf(place, one)
        .act()
        .catch(() => undefined);
      await Promise.race([held, status]);
      return { status, count };
    }),
  );
}

/** Keys of files in the folder of a try, as paths of the table. */
async function objectsIn({ buckets }: Place, folder: string): Promise<string[]> {
  const found = buckets.map(async ({ store }, index) => {
    const { objects } = await store.list({ prefix: `${folder}/`, limit: 1000 });
    const files = objects.filter(({ key }) => !key.endsWith("/"));
    return files.map(({ key }) => (index === 0 ? "a" : "b") + key.slice(folder.length));
  });
  return (await Promise.all(found)).flat().sort();
}

/** Whether it was made. Nothing else is left of it in the buckets. */
async function verify(place: Place, { name, one, folder, point, slugs }: Try): Promise<boolean> {
  const when = { name, ...point };
  const change = changeOf(place, { one, folder });
  const isMade = await change.isMade(slugs, when);
  const files = isMade ? Object.keys(one.after) : [...one.before];
  expect({ when, objects: await objectsIn(place, folder) }).toEqual({ when, objects: files.sort() });
  if (isMade) await change.isFollowed(slugs, when);
  if (isMade) await change.comesBack(slugs, when);
  return isMade;
}

/** What is lost while a start is bringing to an end what was killed. */
async function lostOf(place: Place, tries: readonly Try[]) {
  const looks = tries.map(async (one) => {
    const lost = await changeOf(place, one).lost(one.slugs);
    return lost.length === 0 ? [] : [{ name: one.name, ...one.point, lost }];
  });
  return (await Promise.all(looks)).flat();
}

/** Makes each change once, and counts what it asks of the storage. */
async function openTrials(place: Place): Promise<Trial[]> {
  const rows = Object.entries(treeCrashes);
  const tries = await Promise.all(rows.map(([name, one]) => arrange(place, 0, { name, one })));
  const done = await actAll(place, tries);
  return await Promise.all(
    tries.map(async (one, index) => {
      expect({ name: one.name, isMade: await verify(place, one) }).toEqual({ name: one.name, isMade: true });
      const count = done[index]?.count ?? { read: 0, write: 0 };
      return { name: one.name, one: one.one, points: pointsOf(count, MOST_POINTS), unmade: 0, made: 0 };
    }),
  );
}

/** The start that is to bring them to an end is killed at a write of one of these too. */
async function killAgain(place: Place, { folder }: Try, point: Point): Promise<void> {
  const { held } = place.proxy.watch(folder, point);
  let isHeld = false;
  void held.then(() => {
    isHeld = true;
  });
  await place.start();
  await place.settled(() => isHeld);
  await place.kill();
}

const place = await openPlace();
afterAll(async () => await place[Symbol.asyncDispose]());
let trials: readonly Trial[] = [];

test("each change of the tree is made on S3, and shows at which requests it can be killed", async () => {
  trials = await openTrials(place);
  expect(trials.filter(({ points }) => points.length < 3).map(({ name }) => name)).toEqual([]);
});

const rounds = Array.from({ length: MOST_POINTS }, (_, index) => index + 1);

test.each(rounds)("kill -9 leaves the old or the new of each change: point %i", async (round) => {
  const here = trials.flatMap((trial) => {
    const point = trial.points[round - 1];
    return point ? [{ ...trial, trial, point }] : [];
  });
  const tries = await Promise.all(here.map((one) => arrange(place, round, one)));
  const begun = await actAll(place, tries);
  const log = await place.kill();
  await Promise.all(begun.map(({ status }) => status));
  const again = round % 2 === 0 ? tries[(3 * round) % tries.length] : undefined;
  if (again) await killAgain(place, again, { of: "write", number: 1 + (round % 3), isDone: round % 4 === 0 });
  await place.start();
  expect(await lostOf(place, tries)).toEqual([]);
  await place.settled();
  const made = await Promise.all(tries.map((one) => verify(place, one)));
  for (const [index, { trial }] of here.entries()) trial[made[index] ? "made" : "unmade"] += 1;
  expect(log).not.toContain('"level":"error"');
});

test("each change was seen unmade and made, and no upload in parts is left", async () => {
  const seen = trials.map(({ name, unmade, made }) => ({ name, unmade: unmade > 0, made: made > 0 }));
  expect(seen).toEqual(Object.keys(treeCrashes).map((name) => ({ name, unmade: true, made: true })));
  expect(await Promise.all(place.buckets.map((bucket) => bucket.unfinished()))).toEqual([[], []]);
});
