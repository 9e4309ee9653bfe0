import { expect, test } from "bun:test";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fs } from "#contract/fs/fs";
import { uploads } from "#contract/uploads";
import { openClient } from "../../support/clients/upload-client.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

/** Root may write anywhere, so a test that runs as root gives that capability up for the server. */
const asOrdinary = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
const command = [...asOrdinary, process.execPath, join(root, "src/main.ts")];

const health = async ({ address }: TestServer, language = "en") =>
  (await (await fetch(`${address}/api/health`, { headers: { "accept-language": language } })).json()) as {
    status: string;
    problems?: { problem: string; advice: string }[];
  };

const healthy = { status: "ok", timestamp: expect.any(String) };
const degraded = {
  status: "degraded",
  problems: [{ problem: "folder", advice: expect.stringContaining("permissions") }],
};

/** What is told once the folders were looked at anew, which is done every few seconds. */
const healthThatIs = (status: string, server: TestServer) =>
  until(
    () => health(server),
    (told) => told.status === status,
  );

/** Files in the folder that is made read-only, and what cannot be done there. */
const folders = ["drive", ".incoming", ".multipart"];

test.each(folders)(
  "objects/%s that may not be written: reading goes on, writing says why, and health tells it",
  async (name) => {
    using folder = temporaryFolder();
    const first = await startServer({ dataDir: folder.path, command });
    const put = async (server: TestServer, path: string) => {
      const { call } = await openClient(server);
      return await call(fs.update, { path, content: path });
    };
    expect((await put(first, "/drive/old.txt")).status).toBe(200);
    expect(await health(first)).toEqual(healthy);
    const denied = join(folder.path, "objects", name);
    chmodSync(denied, 0o500);
    try {
      expect(await healthThatIs("degraded", first)).toMatchObject(degraded);
      expect((await health(first, "zh")).problems?.[0]?.advice).toContain("权限");
      expect(await first.stop()).toBe(0);

      await using server = await startServer({ dataDir: folder.path, command });
      const { call, token } = await openClient(server);
      const headers = { authorization: `Bearer ${token}` };
      expect(await health(server)).toMatchObject(degraded);
      const read = await fetch(`${server.address}/api/fs/download?path=/drive/old.txt`, { headers });
      expect(await read.text()).toBe("/drive/old.txt");
      const refusal = { status: 502, error: "storage.denied", message: expect.stringContaining("permissions") };
      if (name === ".multipart") {
        const fields = { filename: "a.bin", size: 6 * 1024 * 1024, part_size: 5 * 1024 * 1024 };
        expect(await call(uploads.begin, fields)).toMatchObject(refusal);
      } else expect(await put(server, "/drive/new.txt")).toMatchObject(refusal);
      if (name === "drive") {
        expect(await call(fs.mkdir, { path: "/drive/folder" })).toMatchObject(refusal);
        expect(await call(fs.rename, { oldPath: "/drive/old.txt", newPath: "/drive/b.txt" })).toMatchObject(refusal);
        const { method, path } = fs.batchRemove;
        const body = JSON.stringify({ paths: ["/drive/old.txt"] });
        const removed = await fetch(`${server.address}/api${path}`, { method, headers, body });
        expect(await removed.text()).toContain("storage folder");
      }
      expect(readdirSync(join(folder.path, "objects/drive"))).toEqual(["old.txt"]);
      expect(server.stdout()).not.toContain('"level":"error"');
      chmodSync(denied, 0o700);
      expect(await healthThatIs("ok", server)).toEqual(healthy);
      expect((await put(server, "/drive/new.txt")).status).toBe(200);
    } finally {
      chmodSync(denied, 0o700);
    }
  },
);
