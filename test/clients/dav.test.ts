import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { basic } from "../support/clients/basic.ts";
import { lockInfo } from "../support/clients/dav.ts";
import { openWorkshop } from "../support/clients/programs.ts";
import { startServer } from "../support/server.ts";

/** WebDAV with clients of Debian's packages: litmus, rclone, cadaver and davfs2. */

const shop = openWorkshop();
const { run, done, folder } = shop;
const server = await startServer();
const address = server.address.replace("localhost", "127.0.0.1");
const drive = `${address}/dav/drive`;
const password = server.adminPassword;
afterAll(async () => {
  await server.stop();
  shop[Symbol.dispose]();
});

test("litmus passes every test of every suite", async () => {
  const { text } = await run(["litmus", "-k", `${drive}/`, "admin", password], { cwd: folder("litmus") });
  const summaries = text.split("\n").filter((line) => line.startsWith("<- summary for"));
  for (const line of summaries) process.stdout.write(`${line}\n`);
  const passed = summaries.map((line) => /`(\w+)': of (\d+) tests run: (\d+) passed, 0 failed/.exec(line)?.slice(1));
  expect(passed).toEqual([
    ["basic", "16", "16"],
    ["copymove", "13", "13"],
    ["props", "30", "30"],
    ["locks", "41", "41"],
    ["http", "4", "4"],
  ]);
  expect(text.match(/WARNING|FAIL|SKIPPED/)).toBeNull();
});

/** Three hundred files in folders, and names that break what is not careful. */
function makeTree(root: string): void {
  for (let index = 0; index < 300; index++) {
    const path = join(root, `d${index % 7}`, `e${index % 3}`, `file ${index}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `content ${index}\n`.repeat(index));
  }
  const odd = [
    "100%",
    "#1?a=b&c+d;e",
    "数",
    "e\u0301",
    "\u00e9x",
    "😀 smile",
    "a'b(c)*!~",
    "%2e%2e",
    '<&>"',
    " lead",
    "trail.",
  ];
  for (const name of [...odd, `${"x".repeat(251)}.txt`, "empty"])
    writeFileSync(join(root, name), name === "empty" ? "" : name);
}

describe("rclone", () => {
  const root = folder("rclone");
  makeTree(join(root, "source"));

  // The latter gives files their times by X-OC-Mtime, and compares them.
  for (const vendor of ["other", "nextcloud"])
    test(`copies, checks and syncs both ways, and sends nothing twice (vendor ${vendor})`, async () => {
      const config = join(root, `${vendor}.conf`);
      const obscured = (await done(["rclone", "obscure", password])).trim();
      writeFileSync(
        config,
        `[s]\ntype = webdav\nurl = ${drive}\nvendor = ${vendor}\nuser = admin\npass = ${obscured}\n`,
      );
      const rclone = (...words: string[]) =>
        done(["rclone", "--config", config, "--retries", "1", "--log-level", "INFO", ...words], { cwd: root });
      const there = `s:${vendor}`;
      expect((await rclone("copy", "source", there)).match(/: Copied \(/g)).toHaveLength(313);
      expect(await rclone("check", "--download", "source", there)).toContain("0 differences found");
      expect(await rclone("sync", "source", there)).toContain("There was nothing to transfer");
      await rclone("copy", there, `back-${vendor}`);
      await done(["diff", "-r", "source", `back-${vendor}`], { cwd: root });
      expect(await rclone("sync", there, `back-${vendor}`)).toContain("There was nothing to transfer");
      await rclone("moveto", `${there}/d1`, `${there}/moved to`);
      rmSync(join(root, `back-${vendor}`, "d2"), { recursive: true });
      await rclone("sync", `back-${vendor}`, there);
      expect((await rclone("lsf", there)).split("\n").filter((name) => /^(d\d|moved.*)\/$/.test(name))).toEqual(
        [0, 1, 3, 4, 5, 6].map((number) => `d${number}/`),
      );
      await rclone("purge", there);
    });
});

test("cadaver puts, copies, moves, locks, sets properties, gets and deletes", async () => {
  const home = folder("cadaver");
  writeFileSync(join(home, ".netrc"), `machine 127.0.0.1 login admin password "${password}"\n`);
  chmodSync(join(home, ".netrc"), 0o600);
  writeFileSync(join(home, "up file.txt"), "hello");
  const script = [
    "mkcol cad",
    "cd cad",
    'put "up file.txt"',
    'copy "up file.txt" b.txt',
    'move b.txt "100% d.txt"',
    'lock "100% d.txt"',
    'propset "100% d.txt" colour blue',
    'propget "100% d.txt" colour',
    "discover .",
    'unlock "100% d.txt"',
    'get "100% d.txt" down.txt',
    'delete "up file.txt"',
    "ls",
    "cd ..",
    "rmcol cad",
    "quit",
  ];
  const text = await done(["cadaver", `${drive}/`], {
    cwd: home,
    environment: { HOME: home },
    stdin: `${script.join("\n")}\n`,
  });
  expect(text).not.toMatch(/failed|Could not|error/i);
  expect(text.match(/succeeded/g)?.length).toBeGreaterThanOrEqual(10);
  expect(text).toContain("Value of colour is: blue");
  expect(readFileSync(join(home, "down.txt"), "utf8")).toBe("hello");
});

test("davfs2 works on it as on a disk, where this machine can mount", async () => {
  const home = folder("davfs2");
  const [at, config, secrets, cache] = ["mount", "conf", "secrets", "cache"].map((name) => join(home, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [at, cache]) mkdirSync(path);
  // It gives up its rights, and then writes there.
  for (const path of [shop.path, home, cache]) chmodSync(path, 0o777);
  writeFileSync(secrets, `${drive} admin "${password}"\n`);
  chmodSync(secrets, 0o600);
  writeFileSync(config, `secrets ${secrets}\ncache_dir ${cache}\nask_auth 0\nuse_locks 1\ndelay_upload 0\n`);
  const mounted = existsSync("/dev/fuse")
    ? await run(["mount", "-t", "davfs", "-o", `conf=${config}`, drive, at], { cwd: home })
    : { code: -1, text: "there is no /dev/fuse" };
  if (mounted.code !== 0) {
    process.stdout.write(`davfs2 was not tried, because this machine cannot mount: ${mounted.text.trim()}\n`);
    return;
  }
  try {
    // By programs, because their writes end when they do.
    const shell = (line: string) => done(["sh", "-ec", line], { cwd: at });
    await shell(
      "mkdir 'a d'; echo one > 'a d/1 数.txt'; cp 'a d/1 数.txt' 'a d/2'; mv 'a d/2' 'a d/3%'; echo more >> 'a d/3%'",
    );
    expect(await shell("cat 'a d/1 数.txt' 'a d/3%'")).toBe("one\none\nmore\n");
    expect(await shell("stat -c %s 'a d/3%'")).toBe("9\n");
    const listed = await run(["ls", "a d"], { cwd: at });
    // The kernel refuses what this version of davfs2 says of folders, whichever server it is of.
    if (/Invalid argument/.test(listed.text)) process.stdout.write("davfs2 cannot list folders on this kernel.\n");
    else expect(listed.text).toBe("1 数.txt\n3%\n");
    await shell("rm 'a d/1 数.txt'");
  } finally {
    await done(["umount", at], { cwd: home });
  }
  const get = (path: string) => fetch(`${drive}/${path}`, { headers: basic("admin", password) });
  expect(await (await get("a%20d/3%25")).text()).toBe("one\nmore\n");
  expect((await get("a%20d/1%20%E6%95%B0.txt")).status).toBe(404);
});

test("curl sends a file of unknown length, and resumes a download", async () => {
  const home = folder("curl");
  writeFileSync(join(home, "large"), "0123456789".repeat(1_000_000));
  const curl = (...words: string[]) => done(["curl", "-sSf", "-u", `admin:${password}`, ...words], { cwd: home });
  await done(["sh", "-ec", `cat large | curl -sSf -u 'admin:${password}' -T - '${drive}/large'`], { cwd: home });
  writeFileSync(join(home, "part"), "0123456789".repeat(10));
  await curl("-C", "-", "-o", "part", `${drive}/large`);
  await done(["cmp", "large", "part"], { cwd: home });
});

test("locks and properties survive a restart", async () => {
  const dataDir = folder("data");
  const headers = { ...basic("admin", "correct horse battery") };
  const call = (origin: string, method: string, more: Record<string, string> = {}, body?: string) =>
    fetch(`${origin}/dav/drive/kept`, { method, headers: { ...headers, ...more }, ...(body && { body }) });
  await using first = await startServer({ dataDir });
  const locked = await call(first.address, "LOCK", { timeout: "Second-600" }, lockInfo());
  const token = locked.headers.get("lock-token") ?? "";
  const submitted = { if: `(${token})` };
  const property =
    '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">kept</x></D:prop></D:set></D:propertyupdate>';
  expect((await call(first.address, "PROPPATCH", submitted, property)).status).toBe(207);
  await first.kill();
  await using second = await startServer({ dataDir });
  expect((await call(second.address, "PUT", {}, "x")).status).toBe(423);
  expect((await call(second.address, "PUT", submitted, "x")).status).toBe(204);
  const found = await (await call(second.address, "PROPFIND", { depth: "0" })).text();
  expect(found).toContain('<x xmlns="urn:x">kept</x>');
  expect(found).toContain(token.slice(1, -1));
  expect((await call(second.address, "UNLOCK", { "lock-token": token })).status).toBe(204);
});
