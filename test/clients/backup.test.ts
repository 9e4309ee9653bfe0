import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyRecord } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { basic } from "../support/clients/basic.ts";
import { openWorkshop } from "../support/clients/programs.ts";
import { runSatchel, startServer } from "../support/server.ts";

/** Backups in the hands of tar, zstd, sha256sum and age of Debian, and in a bucket. */

const server = await startServer();
const address = server.address.replace("localhost", "127.0.0.1");
const shop = openWorkshop({});
const out = shop.folder("out");
const login = basic("admin", server.adminPassword);
afterAll(async () => {
  await server.stop();
  shop[Symbol.dispose]();
});

const LONG = `${"a long name ".repeat(15)}😀.txt`;
for (const [name, text] of [
  ["a.txt", "first"],
  [LONG, "second"],
] as const)
  await fetch(`${address}/dav/drive/${encodeURIComponent(name)}`, { method: "PUT", body: text, headers: login });

test("tar and zstd open an archive, and sha256sum agrees with its lists", async () => {
  const file = join(out, "a.tar.zst");
  expect((await runSatchel(["backup", "--to", file], { DATA_DIR: server.dataDir })).code).toBe(0);
  await shop.done(["zstd", "-t", file]);
  const names = await shop.done(["tar", "--use-compress-program=zstd", "-tf", file], {
    environment: { LC_ALL: "C.UTF-8" },
  });
  expect(names.trim().split("\n").at(0)).toBe("backup.json");
  expect(names.trim().split("\n").at(-1)).toBe("manifest.json");
  const folder = shop.folder("opened");
  await shop.done(["tar", "--use-compress-program=zstd", "-xf", file, "-C", folder]);
  expect(readFileSync(join(folder, "objects/drive", LONG), "utf8")).toBe("second");
  await shop.done(["sha256sum", "--quiet", "--strict", "-c", "checksums/000001.sha256"], { cwd: folder });
});

test("age opens the secret key, and so does a restore", async () => {
  const key = join(out, "age.key");
  await shop.done(["age-keygen", "-o", key]);
  const recipient = /age1[0-9a-z]+/.exec(readFileSync(key, "utf8"))?.[0] ?? "";
  const file = join(out, "sealed.tar");
  const { code, stdout } = await runSatchel(["backup", "--to", file, "--recipient", recipient], {
    DATA_DIR: server.dataDir,
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining("sealed for age1")]);
  const secret = readFileSync(join(server.dataDir, "secret.key"), "utf8");
  expect(readFileSync(file).includes(secret.trim())).toBe(false);
  const folder = shop.folder("sealed");
  await shop.done(["tar", "-xf", file, "-C", folder, "secret.key.age"]);
  expect(await shop.done(["age", "-d", "-i", key, join(folder, "secret.key.age")])).toBe(secret);
  const target = join(out, "restored");
  const restored = await runSatchel(["restore", file, "--identity", key], { DATA_DIR: target });
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  expect(readFileSync(join(target, "secret.key"), "utf8")).toBe(secret);
  await shop.done(["age-keygen", "-o", join(out, "other.key")]);
  const wrong = await runSatchel(["restore", file, "--identity", join(out, "other.key")], {
    DATA_DIR: join(out, "wrong"),
  });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("does not open the secret key")]);
  expect(readdirSync(join(out, "wrong")).filter((name) => name !== "satchel.lock")).toEqual([]);
});

test("a bucket keeps as many as it should, and gives them back", async () => {
  const response = await fetch(`${address}/api/admin/api-keys`, {
    method: "POST",
    headers: { ...login, "content-type": "application/json" },
    body: JSON.stringify({ name: "Backup", permissions: ALL_PERMISSIONS, expires_at: null }),
  });
  const { data } = (await response.json()) as { data: KeyRecord };
  const environment = {
    DATA_DIR: server.dataDir,
    AWS_ENDPOINT_URL: address,
    AWS_ACCESS_KEY_ID: data.s3_access_key_id,
    AWS_SECRET_ACCESS_KEY: data.key,
  };
  const places: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { code, stdout, stderr } = await runSatchel(
      ["backup", "--to", "s3://drive/backups/here", "--keep", "2"],
      environment,
    );
    expect([code, stderr]).toEqual([0, ""]);
    places.push(/s3:\/\/\S+\.tar\.zst/.exec(stdout)?.[0] ?? "");
  }
  const last = [...new Set(places)].slice(-2);
  const stay = readdirSync(join(server.dataDir, "objects/drive/backups/here")).sort();
  expect(stay).toEqual(last.map((place) => place.split("/").at(-1) ?? ""));
  expect((await runSatchel(["verify", last.at(-1) ?? ""], environment)).stderr).toBe("");
  mkdirSync(join(out, "from-bucket"));
  const restored = await runSatchel(["restore", last.at(-1) ?? ""], {
    ...environment,
    DATA_DIR: join(out, "from-bucket"),
  });
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  expect(readFileSync(join(out, "from-bucket/objects/drive/a.txt"), "utf8")).toBe("first");
});
