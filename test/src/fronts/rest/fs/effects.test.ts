import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Endpoint } from "#contract/endpoint";
import { fsCopies } from "#contract/fs/copies";
import { fs } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { fsUploads } from "#contract/fs/uploads";
import { storage as storages } from "#contract/storage";
import { type Loss, losses } from "../../../../support/callers/losses.ts";
import { END, FORM_TYPE, field, filePart } from "../../../../support/clients/form-body.ts";
import { slowBody } from "../../../../support/clients/slow-body.ts";
import { createHaltingDatabase, type HaltingDatabase } from "../../../../support/database/halting-database.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { builtInStorage } from "../../../../support/make-mount.ts";
import { ask, put } from "../../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../../support/tree/tree-house.ts";
import { until } from "../../../../support/until.ts";

/** Permission is asked at the effect: what was allowed when a request came may not be allowed when its bytes have. */

/** Something that writes. `begun` settles when permission was asked for it and nothing is visible yet; `finish` lets it go on. */
interface Underway {
  readonly begun: Promise<unknown>;
  readonly finish: () => void;
  /** Status and code. */
  readonly said: Promise<string>;
}

interface Act {
  readonly name: string;
  readonly start: (tree: TreeCalls, who: Who, database: HaltingDatabase) => Promise<Underway> | Underway;
}

interface Reply {
  readonly error?: string;
  readonly data?: { readonly failed?: unknown; readonly details?: readonly { readonly error?: string }[] };
}

/** Status and code; of a batch those of its first item, whose status is that of its code. */
async function saidOf(response: Response): Promise<string> {
  const text = await response.text();
  if (text === "") return String(response.status);
  if (text.startsWith("<?xml")) return `${response.status} ${/<Code>(\w+)</.exec(text)?.[1]}`;
  const { error, data } = JSON.parse(text) as Reply;
  const failed = Array.isArray(data?.failed) ? (data.failed as readonly { error: string }[]) : [];
  const code = error ?? data?.details?.[0]?.error ?? failed[0]?.error;
  return code === undefined ? String(response.status) : `${response.ok ? "item" : response.status} ${code}`;
}

/** A call that halts at a statement: the last before its effect that is not of the question for permission. */
const call =
  ({ method, path }: Endpoint, statement: string, body: unknown): Act["start"] =>
  async ({ house }, who, database) => {
    // Storages are in memory; behind a change of another server they are read anew.
    await house.house.cluster.publish("storages");
    const { reached, goOn } = database.haltAt(statement);
    const response = house.request(`/api${path}`, { method, headers: who, body: JSON.stringify(body) });
    return { begun: Promise.race([reached, response]), finish: goOn, said: response.then(saidOf) };
  };

const STORAGE = "from storage_configs order by";
const PUBLISHING = "insert into disk_attributes";

const form =
  (before: string, behind: string): Act["start"] =>
  ({ house }, who) => {
    const body = before + filePart("x".repeat(1000), 'filename="a"') + behind + END;
    const slow = slowBody(body.slice(0, 600), body.slice(600));
    const headers = { ...who, "content-type": FORM_TYPE };
    const response = house.request("/api/fs/upload", { method: "POST", headers, body: slow.body });
    return { begun: slow.begun, finish: slow.finish, said: response.then(saidOf) };
  };

const presignedPut: Act["start"] = async (tree, who) => {
  const body = { path: "/m/in", fileName: "a", fileSize: 9, contentType: "text/plain" };
  const { data } = await tree.call(fsUploads.presign, { body }, who);
  const slow = slowBody("half ", "more");
  const headers = { "content-type": "text/plain" };
  const response = tree.house.request(data.presignedUrl, { method: "PUT", headers, body: slow.body });
  return { begun: slow.begun, finish: slow.finish, said: response.then(saidOf) };
};

/** An upload in parts whose parts have come. */
async function sentParts(tree: TreeCalls, who: Who) {
  const { data } = await tree.call(fsUploads.begin, { body: { path: "/m/in", fileName: "a", fileSize: 5 } }, who);
  const sent = await put(tree.house, data.presignedUrls[0]?.url ?? "", "parts", "application/octet-stream");
  const etag = sent.headers.get("etag") ?? "";
  return { path: "/m/in/a", uploadId: data.uploadId, parts: [{ partNumber: 1, etag }] };
}

const copyOf = (sourcePath: string, targetPath: string) => ({
  items: [{ sourcePath, targetPath }],
  skipExisting: false,
});

const acts: readonly Act[] = [
  { name: "fs/update", start: call(fs.update, PUBLISHING, { path: "/m/in/a", content: "new" }) },
  { name: "fs/update in a new folder", start: call(fs.update, PUBLISHING, { path: "/m/in/new/a", content: "new" }) },
  { name: "fs/mkdir", start: call(fs.mkdir, STORAGE, { path: "/m/in/new/folder" }) },
  { name: "fs/rename of a file", start: call(fs.rename, STORAGE, { oldPath: "/m/in/a", newPath: "/m/in/b" }) },
  { name: "fs/rename of a folder", start: call(fs.rename, STORAGE, { oldPath: "/m/in/d/", newPath: "/m/in/e/" }) },
  { name: "fs/batch-remove of a file", start: call(fs.batchRemove, STORAGE, { paths: ["/m/in/a"] }) },
  { name: "fs/batch-remove of a folder", start: call(fs.batchRemove, STORAGE, { paths: ["/m/in/d/"] }) },
  { name: "fs/batch-copy", start: call(fsCopies.batchCopy, PUBLISHING, copyOf("/m/in/d/x", "/m/in/a")) },
  { name: "fs/batch-copy of a folder", start: call(fsCopies.batchCopy, PUBLISHING, copyOf("/m/in/d/", "/m/in/e/")) },
  { name: "fs/upload, the path before the file", start: form(field("path", "/m/in"), "") },
  { name: "fs/upload, the path behind the file", start: form("", field("path", "/m/in")) },
  { name: "a PUT to an address", start: presignedPut },
  {
    name: "fs/multipart/complete",
    async start(tree, who, database) {
      const body = await sentParts(tree, who);
      return await call(fsUploads.complete, PUBLISHING, body)(tree, who, database);
    },
  },
];

/** Everything in the storage, with the contents of files. */
const storedIn = (tree: TreeCalls): Record<string, string> => {
  const folder = tree.onDisk("");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const key = join(entry.parentPath, entry.name).slice(folder.length);
      return [key, entry.isFile() ? tree.readOnDisk(key) : "folder"];
    }),
  );
};

async function openHalting() {
  const database = createHaltingDatabase();
  const tree = await openTreeHouse({}, { engine: database.engine });
  await tree.put("/m/in/a", "/m/in/d/x", "/m/out/y");
  return { tree, database, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
}

/** S3 knows one word for it all. */
const asToldBy = (act: Act, said: string): string => {
  const [status] = said.split(" ");
  return act.name.startsWith("a PUT") ? `${status === "423" ? "409 OperationAborted" : "403 AccessDenied"}` : said;
};

/** Runs an act that is refused in the middle, and holds what is stored against what was. */
async function expectRefused(act: Act, { said, arrange }: Pick<Loss, "said" | "arrange">): Promise<void> {
  await using here = await openHalting();
  const { tree, database } = here;
  const { who, lose } = await arrange(tree.house);
  const underway = await act.start(tree, who, database);
  await underway.begun;
  const before = storedIn(tree);
  await lose();
  underway.finish();
  expect(await underway.said).toBe(asToldBy(act, said));
  expect(storedIn(tree)).toEqual(before);
}

/** What takes a path from a caller who is still there. */
const taken: readonly Loss[] = [
  {
    name: "a base path that was narrowed",
    said: "403 path.forbidden",
    async arrange(house) {
      const key = await makeKey(house);
      return { who: withKey(key), lose: () => house.house.access.keys.update(key.id, { basic_path: "/m/out" }) };
    },
  },
  {
    name: "a mount that was removed",
    said: "404 mount.none",
    async arrange(house) {
      const who = withKey(await makeKey(house));
      const mounts = await house.house.vfs.mounts.list();
      return { who, lose: () => Promise.all(mounts.map(({ id }) => house.house.vfs.mounts.remove(id))) };
    },
  },
  {
    name: "a storage that is no longer for keys",
    said: "404 mount.none",
    arrange: async (house) => ({
      who: withKey(await makeKey(house)),
      async lose() {
        const params = { id: await builtInStorage(house) };
        await ask(house, storages.update, { params, body: { is_public: false } as never });
      },
    }),
  },
  {
    name: "a folder that was locked",
    said: "423 path.locked",
    arrange: async (house) => ({
      who: withKey(await makeKey(house)),
      lose: () =>
        house.house.vfs.locks.acquire({
          path: "/m/in",
          deep: true,
          holder: "x",
          shared: false,
          owner: "",
          life: 60_000,
        }),
    }),
  },
];

for (const act of acts) {
  describe(act.name, () => {
    test.each([...losses, ...taken])("changes nothing with $name", (loss) => expectRefused(act, loss));

    test("is done when nothing has changed", async () => {
      await using here = await openHalting();
      const { tree, database } = here;
      const underway = await act.start(tree, tree.admin, database);
      await underway.begun;
      const before = storedIn(tree);
      underway.finish();
      expect(await underway.said).toBe("200");
      expect(storedIn(tree)).not.toEqual(before);
    });
  });
}

describe("an upload in parts", () => {
  test.each([...losses])("takes no more parts with $name", async ({ arrange }) => {
    await using tree = await openTreeHouse();
    const { who, lose } = await arrange(tree.house);
    const body = { path: "/m", fileName: "a", fileSize: 5 };
    const { data } = await tree.call(fsUploads.begin, { body }, who);
    await lose();
    const sent = await put(tree.house, data.presignedUrls[0]?.url ?? "", "parts", "application/octet-stream");
    expect([sent.status, await tree.names("/m", { authorization: `Bearer ${await tree.house.signIn()}` })]).toEqual([
      ...[403, ""],
    ]);
  });
});

describe("a commit", () => {
  test.each([...losses])("ends nothing with $name", async ({ arrange, said }) => {
    await using here = await openHalting();
    const { tree, database } = here;
    const { who, lose } = await arrange(tree.house);
    const body = { path: "/m/in", fileName: "new", fileSize: 5, contentType: "text/plain" };
    const { data } = await tree.call(fsUploads.presign, { body }, who);
    expect((await put(tree.house, data.presignedUrl, "hello")).status).toBe(200);
    const claim = { targetPath: "/m/in/new", fileId: data.fileId };
    const underway = await call(fsUploads.commit, STORAGE, claim)(tree, who, database);
    await underway.begun;
    await lose();
    underway.finish();
    expect(await underway.said).toBe(said);
  });
});

describe("a job", () => {
  test.each([
    ["401 key.invalid", "deleted"],
    ["403 path.forbidden", "narrowed"],
  ])("ends with %s in the middle of a file when its key is %s", async (said, change) => {
    await using here = await openHalting();
    const { tree, database } = here;
    const key = await makeKey(tree.house);
    const { reached, goOn } = database.haltAt(PUBLISHING);
    const tasks = [{ kind: "copy" as const, source: "/m/in/d", target: "/m/in/e" }];
    const { data } = await tree.call(fsJobs.create, { body: { tasks } as never }, withKey(key));
    await reached;
    const before = storedIn(tree);
    const { keys } = tree.house.house.access;
    await (change === "deleted" ? keys.remove(key.id) : keys.update(key.id, { basic_path: "/m/out" }));
    goOn();
    const { jobs } = tree.house.house;
    const read = () => jobs.read({ kind: "admin", sessionId: null }, data.id);
    const job = await until(read, ({ finished_at }) => finished_at !== null);
    expect([job.state, job.error]).toEqual(["failed", said.split(" ")[1] ?? ""]);
    expect(storedIn(tree)).toEqual(before);
  });
});
