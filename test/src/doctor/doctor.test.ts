import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { checkCertificate, checkProxy, checkPublicUrl } from "../../../src/doctor/address.ts";
import { examine } from "../../../src/doctor/doctor.ts";
import type { Finding } from "../../../src/doctor/finding.ts";
import { checkDisk, checkFolder } from "../../../src/doctor/folder.ts";
import { startServer } from "../../support/server.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openTestHouse } from "../../support/test-house.ts";

const configOf = (environment: Record<string, string>) => readConfig(["doctor"], environment).config;
const statesOf = (findings: readonly Finding[]) => findings.map(({ subject, state }) => `${subject}: ${state}`);

async function findingsOf(environment: Record<string, string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const one of examine(configOf({ PORT: "0", ...environment }), Date.now())) findings.push(one);
  return findings;
}

describe("the data folder", () => {
  test("may be missing, must be a folder, and is for one user", () => {
    using folder = temporaryFolder();
    expect(checkFolder(join(folder.path, "new")).state).toBe("ok");
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    expect(checkFolder(file)).toMatchObject({ state: "problem", text: `${file} is not a folder.` });
    const data = join(folder.path, "data");
    mkdirSync(data);
    chmodSync(data, 0o755);
    expect(checkFolder(data)).toMatchObject({ state: "warning", advice: `chmod 700 ${data}` });
    chmodSync(data, 0o700);
    expect(checkFolder(data)).toMatchObject({ state: "ok", text: `${data}, 0700` });
  });

  test("lies on a disk with room", () => {
    using folder = temporaryFolder();
    const GiB = 1024 ** 3;
    const stateOf = (size: number, free: number) => checkDisk(folder.path, () => ({ size, free })).state;
    expect([stateOf(100 * GiB, 2 * GiB), stateOf(100 * GiB, GiB / 2), stateOf(4 * GiB, GiB / 2)]).toEqual([
      "ok",
      "warning",
      "ok",
    ]);
    const broken = checkDisk(folder.path, () => {
      throw new Error("EIO");
    });
    expect(broken).toMatchObject({ state: "problem", text: "It cannot be read: EIO" });
  });
});

test("a certificate has its key and some weeks left", () => {
  const file = (name: string) => join(root, "test/support/files/tls", name);
  const at = (cert: string, key: string, now: number) =>
    checkCertificate({ tls: { cert: file(cert), key: file(key) } }, now);
  const now = Date.now();
  expect(checkCertificate({ tls: undefined }, now)).toBeUndefined();
  const good = at("one.pem", "one.key", now);
  expect(good?.state).toBe("ok");
  const [end = ""] = /\d{4}-\d\d-\d\d/.exec(good?.text ?? "") ?? [];
  expect(at("one.pem", "one.key", Date.parse(end) - 7 * 86_400_000)).toMatchObject({
    state: "warning",
    advice: "Renew it.",
  });
  expect(at("one.pem", "one.key", Date.parse(end) + 2 * 86_400_000)?.state).toBe("problem");
  for (const [cert, key] of [
    ["one.pem", "other.key"],
    ["none.pem", "one.key"],
  ] as const)
    expect(at(cert, key, now)).toMatchObject({ state: "problem", text: expect.stringContaining("cannot be used") });
});

test.each([
  [{}, "ok"],
  [{ HOST: "0.0.0.0" }, "warning"],
  [{ SOCKET: "/run/satchel.sock" }, "ok"],
  [{ HOST: "0.0.0.0", TLS_CERT_FILE: "/a", TLS_KEY_FILE: "/b" }, "ok"],
  [{ PUBLIC_URL: "https://share.example" }, "warning"],
  [{ PUBLIC_URL: "https://share.example", TLS_CERT_FILE: "/a", TLS_KEY_FILE: "/b" }, "ok"],
  [{ TRUSTED_PROXIES: "10.0.0.1" }, "warning"],
  [{ HOST: "0.0.0.0", TRUSTED_PROXIES: "10.0.0.1", PUBLIC_URL: "https://share.example" }, "ok"],
] as const)("settings about proxies that fit each other: %j is %s", (environment, state) => {
  expect(checkProxy(configOf(environment)).state).toBe(state);
});

test("the public address leads to this Satchel, to another version, to something else, or nowhere", async () => {
  let answer: () => Response = () => new Response("hello");
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer() });
  const publicUrl = `http://127.0.0.1:${server.port}`;
  expect(await checkPublicUrl({ publicUrl: undefined })).toBeUndefined();
  expect(await checkPublicUrl({ publicUrl })).toMatchObject({ state: "warning" });
  answer = () => Response.json({ code: 404 }, { status: 404 });
  expect((await checkPublicUrl({ publicUrl }))?.text).toContain("is no Satchel (404)");
  // A proxy that takes the path away.
  await using below = await openTestHouse({ basePath: "/satchel" });
  const outside = await (await below.request("/api/version")).text();
  answer = () => new Response(outside, { status: 404 });
  expect(await checkPublicUrl({ publicUrl: `${publicUrl}/satchel`, basePath: "/satchel" })).toMatchObject({
    text: expect.stringContaining("is no Satchel (404)"),
    advice: expect.stringContaining("have the proxy pass paths on as they are: with /satchel"),
  });
  await using house = await openTestHouse();
  const real = await (await house.request("/api/version")).text();
  answer = () => new Response(real);
  expect((await checkPublicUrl({ publicUrl }))?.state).toBe("ok");
  answer = () => new Response(real.replace(/"version":"[^"]+"/, '"version":"0.0.1"'));
  expect((await checkPublicUrl({ publicUrl }))?.text).toContain("leads to a Satchel 0.0.1");
  await server.stop(true);
  expect((await checkPublicUrl({ publicUrl }))?.text).toContain("does not answer from here");
});

describe("what is in the folder", () => {
  const run = async (command: string, environment: Record<string, string>) => {
    const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), command], {
      env: { PATH: process.env.PATH ?? "", ...environment },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [said, trouble] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, said, trouble };
  };

  test("is nothing before the first start, and nothing is made", async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, "data");
    const findings = await findingsOf({ DATA_DIR: data });
    const states = ["Data folder: ok", "Disk: ok", "Proxy: ok", "Server: warning", "Database: ok"];
    expect(statesOf(findings)).toEqual(states);
    expect(existsSync(data)).toBe(false);
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, "secret.key"), "a secret of a first start that was broken off");
    expect(statesOf(await findingsOf({ DATA_DIR: data }))).toEqual(states);
    expect(readdirSync(data)).toEqual(["secret.key"]);
    mkdirSync(join(data, "objects", "drive"), { recursive: true });
    writeFileSync(join(data, "objects", "drive", "a.txt"), "left");
    expect((await findingsOf({ DATA_DIR: data })).at(-1)).toMatchObject({
      state: "problem",
      text: expect.stringContaining("is missing, but there are files"),
    });
  });

  test("begins with a variable that nobody reads", async () => {
    using folder = temporaryFolder();
    const [finding] = await findingsOf({ DATA_DIR: folder.path, SECRET_KYE: "9f2b7c61d0aa" });
    expect(finding).toEqual({
      ...{ state: "warning", subject: "Variables", text: "SECRET_KYE is not read." },
      advice: "Rename it if SECRET_KEY is meant.",
    });
  });

  test("is tested with its storages, and a wrong key, a lost one and a damaged database are told", async () => {
    using folder = temporaryFolder();
    const environment = { DATA_DIR: folder.path, PORT: "0" };
    await (await startServer({ dataDir: folder.path })).stop();
    const found = await run("doctor", environment);
    expect([found.code, found.trouble]).toEqual([0, ""]);
    expect(found.said).toMatch(/^ok +Database +.* is whole/m);
    expect(found.said).toMatch(/^ok +Storage .* tests passed/m);

    const wrong = await findingsOf({ ...environment, SECRET_KEY: "another secret key" });
    expect(wrong.at(-1)).toMatchObject({
      subject: "Database",
      state: "problem",
      text: expect.stringContaining("secret key is not the one"),
    });
    writeFileSync(join(folder.path, "satchel.db"), "x".repeat(8192));
    for (const name of ["satchel.db-wal", "satchel.db-shm"]) rmSync(join(folder.path, name), { force: true });
    const damaged = await run("doctor", environment);
    expect([damaged.code, damaged.trouble]).toEqual([1, "There is a problem.\n"]);
    expect(damaged.said).toMatch(/^problem +Database +.* is damaged/m);
  });
});
