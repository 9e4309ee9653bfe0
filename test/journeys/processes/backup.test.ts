import { expect, test } from "bun:test";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BackupStatus } from "#contract/backups";
import type { KeyRecord } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { runSatchel, startServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

/** Backups that a server makes by itself, in the bucket of one of its storages. */

const basicOf = ({ adminPassword }: TestServer) => ({ authorization: `Basic ${btoa(`admin:${adminPassword}`)}` });

async function call<Data>(server: TestServer, method: string, path: string, body?: unknown): Promise<Data> {
  const response = await fetch(`${server.address}/api${path}`, {
    method,
    headers: { ...basicOf(server), "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const said = (await response.json()) as { data: Data };
  expect([path, response.status, said]).toEqual([
    path,
    response.status < 300 ? response.status : 200,
    expect.anything(),
  ]);
  return said.data;
}

const statusOf = (server: TestServer) => call<BackupStatus>(server, "GET", "/admin/backups");
const ended = (server: TestServer) =>
  until(
    () => statusOf(server),
    (status) => status.running_since === null && status.last !== null,
  );

/** Gives a server a storage whose bucket is a mount of another server; returns where that is, and the key with which it gets in. */
async function addStorageAt(elsewhere: TestServer, server: TestServer) {
  const key = await call<KeyRecord>(elsewhere, "POST", "/admin/api-keys", {
    ...{ name: "Backup", permissions: ALL_PERMISSIONS, expires_at: null },
  });
  const endpoint = elsewhere.address.replace("localhost", "127.0.0.1");
  await call(server, "POST", "/s3-configs", {
    ...{ name: "Elsewhere", provider_type: "MinIO", endpoint_url: endpoint, bucket_name: "drive", path_style: true },
    ...{ access_key_id: key.s3_access_key_id, secret_access_key: key.key },
  });
  return { key, endpoint };
}

test("the bucket of a storage takes backups, as many as should stay, and gives them back", async () => {
  using folder = temporaryFolder();
  await using elsewhere = await startServer();
  await using server = await startServer();
  const { key, endpoint } = await addStorageAt(elsewhere, server);
  await call(server, "POST", "/paste", { slug: "kept", content: "this is kept" });
  await call(server, "PUT", "/admin/settings/group/4", { backup_target: "s3://drive/of/mine", backup_keep: "1" });
  const places: string[] = [];
  for (let round = 0; round < 2; round++) {
    await call(server, "POST", "/admin/backups");
    const { last, problem } = await ended(server);
    expect([last?.error, problem]).toEqual([null, null]);
    places.push(last?.place ?? "");
    // Names have the second in which they were made.
    const second = Math.floor(Date.now() / 1000);
    await until(
      () => Promise.resolve(Math.floor(Date.now() / 1000)),
      (now) => now > second,
    );
  }
  const kept = readdirSync(join(elsewhere.dataDir, "objects/drive/of/mine"));
  expect(kept.map((name) => `s3://drive/of/mine/${name}`)).toEqual([places[1] ?? ""]);
  // Where the storage is not known the environment has the key.
  const environment = {
    ...{ AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: key.s3_access_key_id, AWS_SECRET_ACCESS_KEY: key.key },
    DATA_DIR: join(folder.path, "restored"),
  };
  const restored = await runSatchel(["restore", places[1] ?? ""], environment);
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  const without = await runSatchel(["restore", places[1] ?? ""], { DATA_DIR: join(folder.path, "other") });
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("AWS_ACCESS_KEY_ID")]);
});

test("a bucket of nobody and a place among the files themselves are refused when they are set", async () => {
  await using server = await startServer();
  const set = (backup_target: string) =>
    call<{ errors: { key: string; error: string }[] }>(server, "PUT", "/admin/settings/group/4", { backup_target });
  const nobodys = await set("s3://unowned/x");
  expect(nobodys.errors.map(({ error }) => error)).toEqual([expect.stringContaining("No storage has this bucket")]);
  const { errors } = await set(join(server.dataDir, "objects/drive"));
  expect(errors.map(({ error }) => error)).toEqual([expect.stringContaining("among the files that are backed up")]);
  expect(readdirSync(join(server.dataDir, "objects/drive"))).toEqual([]);
});

test("what a killed backup has uploaded is aborted by a later one, and by none while it may still go on", async () => {
  await using elsewhere = await startServer();
  const key = await call<KeyRecord>(elsewhere, "POST", "/admin/api-keys", {
    ...{ name: "Backup", permissions: ALL_PERMISSIONS, expires_at: null },
  });
  await using server = await startServer();
  const bytes = new Uint8Array(64 * 1024 ** 2);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  for (const name of ["a", "b", "c"]) writeFileSync(join(server.dataDir, "objects/drive", name), bytes);
  const environment = {
    ...{
      AWS_ENDPOINT_URL: elsewhere.address.replace("localhost", "127.0.0.1"),
      AWS_ACCESS_KEY_ID: key.s3_access_key_id,
    },
    ...{ AWS_SECRET_ACCESS_KEY: key.key, DATA_DIR: server.dataDir },
  };
  const command = ["backup", "--to", "s3://drive/kept"];
  const unfinished = () => readdirSync(join(elsewhere.dataDir, "objects/.multipart"));
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...command], {
    env: { PATH: process.env.PATH ?? "", ...environment },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await until(
    () => Promise.resolve(unfinished().length),
    (count) => count > 0,
  );
  child.kill("SIGKILL");
  await child.exited;
  const kept = join(elsewhere.dataDir, "objects/drive/kept");
  const [mark = "", ...others] = readdirSync(kept);
  expect([mark, others]).toEqual([expect.stringMatching(/\.tar\.zst\.partial$/), []]);
  // Backups are called by the second in which they begin.
  const second = Math.floor(Date.now() / 1000);
  await until(
    () => Promise.resolve(Math.floor(Date.now() / 1000)),
    (now) => now > second,
  );
  expect((await runSatchel(command, environment)).stderr).toBe("");
  expect([readdirSync(kept).length, unfinished().length]).toEqual([2, 1]);
  // Nobody has touched its mark for two hours.
  const before = Date.now() / 1000 - 7200;
  utimesSync(join(kept, mark), before, before);
  expect((await runSatchel([...command, "--keep", "1"], environment)).stderr).toBe("");
  expect([readdirSync(kept).length, unfinished().length]).toEqual([1, 0]);
});

test("objects of a storage on S3 go along when they are wanted, and back into an empty bucket", async () => {
  using folder = temporaryFolder();
  await using elsewhere = await startServer();
  await using server = await startServer();
  const { key, endpoint } = await addStorageAt(elsewhere, server);
  const place = (name: string) => `${elsewhere.address}/dav/drive/${name.split("/").map(encodeURIComponent).join("/")}`;
  const large = new Uint8Array(20 * 1024 ** 2);
  for (let at = 0; at < large.length; at += 65_536) crypto.getRandomValues(large.subarray(at, at + 65_536));
  const objects: Record<string, Uint8Array<ArrayBuffer> | string> = {
    "a b#?%.txt": "first",
    [`é😀 ${"long".repeat(40)}.bin`]: large,
    "empty.md": "",
  };
  const bucket = new Bun.S3Client({
    ...{ endpoint, bucket: "drive", region: "us-east-1" },
    ...{ accessKeyId: key.s3_access_key_id, secretAccessKey: key.key },
  });
  for (const [name, body] of Object.entries(objects)) await bucket.write(name, body, { type: "text/x-special" });
  const drive = join(elsewhere.dataDir, "objects/drive");
  await fetch(place("empty folder"), { method: "MKCOL", headers: basicOf(elsewhere) });
  // A backup in the same bucket is not in the next one.
  await Bun.write(join(drive, "satchel-00000000-20200101T000000Z.tar.zst"), "an older backup");
  const archive = join(folder.path, "a.tar.zst");
  const made = await runSatchel(["backup", "--to", archive, "--with", "s3", "--json"], { DATA_DIR: server.dataDir });
  expect([made.code, made.stderr]).toEqual([0, ""]);
  expect(JSON.parse(made.stdout)).toMatchObject({ files: 3, gone: 0 });
  expect((await runSatchel(["verify", archive])).code).toBe(0);
  // The server's own take them by its setting.
  const settings = { backup_target: folder.path, backup_objects: "false", backup_s3: "true" };
  await call(server, "PUT", "/admin/settings/group/4", settings);
  await call(server, "POST", "/admin/backups");
  const { last } = await ended(server);
  expect(last).toMatchObject({ error: null, files: 3 });
  const plain = await runSatchel(["restore", archive], { DATA_DIR: join(folder.path, "plain") });
  expect([plain.code, plain.stdout]).toEqual([0, expect.stringContaining("--with s3 writes them to their buckets")]);
  const restore = (name: string, environment: Record<string, string> = {}) =>
    runSatchel(["restore", archive, "--with", "s3"], { DATA_DIR: join(folder.path, name), ...environment });
  const environment = { SECRET_KEY_FILE: join(server.dataDir, "secret.key") };
  expect((await restore("without")).stderr).toContain("cannot be reached without the secret key");
  for (const name of [...Object.keys(objects), "empty folder"])
    expect((await fetch(place(name), { method: "DELETE", headers: basicOf(elsewhere) })).status).toBe(204);
  const restored = await restore("restored", environment);
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  for (const [name, body] of Object.entries(objects)) {
    expect([name, (await bucket.stat(name)).type]).toEqual([name, "text/x-special"]);
    expect(Buffer.from(await bucket.file(name).arrayBuffer()).equals(Buffer.from(body))).toBe(true);
  }
  expect(readdirSync(drive)).toContain("empty folder");
  // What is there already stays, so that a restore that was killed goes on; another object is refused.
  expect((await restore("again", environment)).stderr).toBe("");
  for (const [index, body] of ["somebody else's", "fir5t"].entries()) {
    await fetch(place("a b#?%.txt"), { method: "PUT", body, headers: basicOf(elsewhere) });
    const refused = await restore(`refused ${index}`, environment);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Another object is at")]);
    expect(await bucket.file("a b#?%.txt").text()).toBe(body);
    expect(readdirSync(join(folder.path, `refused ${index}`)).filter((name) => name !== "satchel.lock")).toEqual([]);
  }
});
