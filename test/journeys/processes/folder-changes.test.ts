import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER } from "#contract/providers";
import { openWorkshop } from "../../support/clients/programs.ts";
import { startServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";

const ROUNDS = 12;
const FILES = 8;
/** Long enough that it is not read at once. */
const REPEATED = 40_000;

/** A version of a file, every part of which says which one it is. */
const versionOf = (round: number): string => `${String(round).padStart(4, "0")} `.repeat(REPEATED);
const isWhole = (text: string): boolean => text.length === 5 * REPEATED && text === text.slice(0, 5).repeat(REPEATED);

/** A server with a folder of the machine at /m, and what its clients ask for. */
async function openFolder() {
  const workshop = openWorkshop();
  const root = join(workshop.path, "folder");
  mkdirSync(root);
  const server = await startServer({ environment: { FOLDERS: `${root}:shared` } });
  let authorization = "";
  const send = (method: string, path: string, body?: BodyInit) =>
    fetch(server.address + path, { method, headers: { authorization }, body: body ?? null });
  const data = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const response = await send(method, path, body === undefined ? undefined : JSON.stringify(body));
    const answer = (await response.json()) as { data: Data; message: string };
    if (!response.ok) throw new Error(answer.message);
    return answer.data;
  };
  const login = { username: "admin", password: server.adminPassword };
  authorization = `Bearer ${(await data<{ token: string }>("POST", "/api/admin/login", login)).token}`;
  const storage = { name: "Shared", provider_type: FOLDER, bucket_name: "shared", is_public: true };
  const { id } = await data<{ id: string }>("POST", "/api/s3-configs", storage);
  const mount = { name: "Shared", storage_type: "S3", storage_config_id: id, mount_path: "/m", cache_ttl: 3600 };
  await data("POST", "/api/admin/mounts", mount);
  return {
    workshop,
    root,
    send,
    data,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      workshop[Symbol.dispose]();
    },
  };
}

type Folder = Awaited<ReturnType<typeof openFolder>>;

/** What programs of the machine do to the folder: a whole tree is brought up to date, files and folders are moved and removed. */
async function changeAll({ workshop, root }: Folder): Promise<void> {
  const { done } = workshop;
  const source = join(workshop.path, "source");
  mkdirSync(source);
  const synced = join(root, "synced");
  // Where rsync is missing, what it does: a copy beside the target under a hidden name, and a rename.
  const byHand = `mkdir -p "$1" && cd "$0" && for f in *; do cp "$f" "$1/.$f.part" && mv -f "$1/.$f.part" "$1/$f"; done`;
  const update = Bun.which("rsync")
    ? ["rsync", "-a", "--delete", `${source}/`, synced]
    : ["sh", "-c", byHand, source, synced];
  for (let round = 1; round <= ROUNDS; round++) {
    for (let index = 0; index < FILES; index++) writeFileSync(join(source, `document ${index}.txt`), versionOf(round));
    await done(update);
    const moved = join(root, "moved");
    await done(["cp", "-r", synced, join(root, `.copy ${round}`)]);
    await done(["rm", "-rf", moved]);
    await done(["mv", join(root, `.copy ${round}`), moved]);
    await done(["mv", join(moved, "document 0.txt"), join(moved, `renamed ${round}.txt`)]);
    await done(["rm", join(moved, "document 1.txt")]);
  }
}

/** What a client does again and again until the programs have ended; answers every status it got. */
async function clientsOf(folder: Folder, isOver: () => boolean): Promise<ReadonlySet<string>> {
  const { send } = folder;
  const statuses = new Set<string>();
  const note = (what: string, { status }: Response) => void statuses.add(`${what} ${status}`);
  const again = async (act: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; !isOver(); round++) await act(round);
  };
  const read = async (path: string) => {
    const answer = await send("GET", `/dav${path}`);
    note("read", answer);
    // Whoever reads what is written over meanwhile gets no end, and never an end that belongs to another version.
    const text = await answer.text().catch(() => undefined);
    if (answer.status === 200 && text !== undefined) expect(isWhole(text)).toBe(true);
  };
  await Promise.all([
    again((round) => read(`/m/synced/document%20${round % FILES}.txt`)),
    again((round) => read(`/m/moved/document%20${round % FILES}.txt`)),
    again(async () => {
      const answer = await send("GET", "/api/fs/list?path=/m/synced");
      note("list", answer);
      const { data } = (await answer.json()) as { data?: { items: readonly { name: string; size: number }[] } };
      for (const { name, size } of data?.items ?? [])
        expect(name.startsWith("document ") ? size : 5 * REPEATED).toBe(5 * REPEATED);
    }),
    again(async (round) => {
      note("upload", await send("PUT", `/dav/m/ours%20${round % 3}.txt`, versionOf(round % 10_000)));
      await read(`/m/ours%20${round % 3}.txt`);
      const body = { oldPath: `/m/ours ${round % 3}.txt`, newPath: `/m/ours renamed ${round}.txt` };
      note("rename", await send("POST", "/api/fs/rename", JSON.stringify(body)));
    }),
    again(async () => note("search", await send("GET", "/api/fs/search?q=document"))),
  ]);
  return statuses;
}

/** Paths of all files of the folder as the server lists them. */
async function listed({ data }: Folder, path = "/m"): Promise<string[]> {
  interface Item {
    readonly path: string;
    readonly isDirectory: boolean;
  }
  const { items } = await data<{ items: readonly Item[] }>("GET", `/api/fs/list?path=${encodeURIComponent(path)}`);
  const below = items.map((item) => (item.isDirectory ? listed({ data } as Folder, item.path) : [item.path]));
  return (await Promise.all(below)).flat().sort();
}

test("a folder that programs change while clients use it is old or new at every moment", async () => {
  await using folder = await openFolder();
  const { root, data, server } = folder;
  let over = false;
  const changing = changeAll(folder).finally(() => {
    over = true;
  });
  const [statuses] = await Promise.all([clientsOf(folder, () => over), changing]);
  expect([...statuses].filter((one) => Number(one.split(" ")[1]) >= 500)).toEqual([]);
  expect([...statuses]).toContain("read 200");
  expect([...statuses]).toContain("upload 201");
  const onDisk = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `/m${`${parentPath}/${name}`.slice(root.length)}`)
    .sort();
  expect(onDisk.filter((path) => path.includes(".satchel"))).toEqual([]);
  expect(await listed(folder)).toEqual(onDisk);
  const wanted = onDisk.filter((path) => path.includes("document"));
  const found = await until(
    async () => {
      await listed(folder);
      const { results } = await data<{ results: readonly { path: string }[] }>("GET", "/api/fs/search?q=document");
      return results.map(({ path }) => path).sort();
    },
    (paths) => paths.length === wanted.length,
  );
  expect(found).toEqual(wanted);
  // The folder goes and comes back, as that of a disk does.
  renameSync(root, `${root} away`);
  expect((await folder.send("GET", "/api/fs/list?path=/m")).status).toBe(502);
  expect((await folder.send("PUT", "/dav/m/new.txt", "x")).status).toBe(502);
  renameSync(`${root} away`, root);
  expect(await listed(folder)).toEqual(onDisk);
  expect(server.stdout()).not.toContain('"level":"error"');
});
