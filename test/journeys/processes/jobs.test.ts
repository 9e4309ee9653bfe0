import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JobRecord } from "#contract/fs/jobs";
import { readEvents } from "../../support/jobs/jobs-house.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const FILES = 600;
const KILLS = 4;

/** Calls of a server as its administrator. */
async function callsOf({ address, adminPassword }: TestServer) {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${address}/api${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const read = async <Data>(response: Response) => ((await response.json()) as { data: Data }).data;
  const signIn = await send("POST", "/admin/login", { username: "admin", password: adminPassword });
  const headers = { authorization: `Bearer ${(await read<{ token: string }>(signIn)).token}` };
  return {
    post: async <Data>(path: string, body: unknown) => await read<Data>(await send("POST", path, body, headers)),
    events: async (id: string) => readEvents(await send("GET", `/fs/jobs/${id}/events`, undefined, headers)),
  };
}

/** The files below a folder, with what is in them. */
function filesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

test.each(["move", "copy"])(
  "a %s to another storage that is killed again and again counts each file exactly once",
  async (kind) => {
    using folder = temporaryFolder();
    const source = join(folder.path, "objects/drive/d");
    const start = async () => {
      const server = await startServer({ dataDir: folder.path });
      return { server, calls: await callsOf(server) };
    };

    let { server, calls } = await start();
    for (let index = 0; index < FILES; index++) {
      mkdirSync(join(source, `${index % 7}`), { recursive: true });
      writeFileSync(join(source, `${index % 7}/${index}.txt`), `file ${index}`);
    }
    const before = filesIn(source);
    const second = { name: "Second", provider_type: "Built-in disk", bucket_name: "second", is_public: true };
    const storage = await calls.post<{ id: string }>("/s3-configs", second);
    const mount = { name: "N", mount_path: "/n", storage_type: "S3", storage_config_id: storage.id };
    await calls.post("/admin/mounts", mount);
    const task = { kind, source: "/drive/d", target: "/n/d" };
    const { id } = await calls.post<JobRecord>("/fs/jobs", { tasks: [task] });
    for (let kill = 1; kill <= KILLS; kill++) {
      const events = await calls.events(id);
      const wanted = (FILES * kill) / (KILLS + 2);
      for (let job = await events.next(); job && job.done_files < wanted; job = await events.next());
      await server.kill();
      ({ server, calls } = await start());
    }
    const job = await (await calls.events(id)).last();
    await server.stop();
    expect(job).toMatchObject({ state: "completed", failed_files: 0, skipped_files: 0, done_files: FILES });
    expect(filesIn(join(folder.path, "objects/second/d"))).toEqual(before);
    expect(readdirSync(join(folder.path, "objects/drive"))).toEqual(kind === "move" ? [] : ["d"]);
  },
);
