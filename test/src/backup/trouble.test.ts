import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createTarPacker, type TarHeader } from "modern-tar";
import { toFile } from "../../../src/backup/destination.ts";
import { FIRST } from "../../../src/backup/format.ts";
import { openSqliteSnapshot } from "../../../src/database/snapshot.ts";
import { backUpTo, restoreTo, verifyAt } from "../../support/backups/backup.ts";
import { runSatchel, startServer } from "../../support/server.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

/** Backups and restores that go wrong: killed at any moment, damaged, made by somebody else, without room, over what is there. */

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const dataDir = at("data");
const archive = at("whole.tar");

const PASSWORD = "correct horse battery";
const basic = { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` };
const FILES = 40;

/** All rows of all tables of a data folder but the stamps of files, which are others where they were restored. */
async function rowsOf(dir: string): Promise<Record<string, unknown[]>> {
  const snapshot = openSqliteSnapshot(join(dir, "satchel.db"));
  const all: Record<string, unknown[]> = {};
  try {
    for (const table of snapshot.tables) {
      const rows: unknown[] = [];
      for await (const some of snapshot.rows(table))
        rows.push(...some.map((row) => (table === "disk_attributes" ? { ...row, stamp: "" } : row)));
      all[table] = rows;
    }
    return all;
  } finally {
    await snapshot.close();
  }
}

const bytesOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(dir, "objects/drive"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(dir.length), Bun.SHA256.hash(readFileSync(file), "hex") as string]),
  );

/** Compares a restored data folder with the one that was backed up. */
async function expectSame(dir: string): Promise<void> {
  expect(await rowsOf(dir)).toEqual(await rowsOf(dataDir));
  expect(bytesOf(dir)).toEqual(bytesOf(dataDir));
}

beforeAll(async () => {
  mkdirSync(dataDir);
  await using server = await startServer({ dataDir });
  for (let n = 0; n < FILES; n++) {
    const body = new Uint8Array(200_000 + n * 1000).fill(n);
    const name = encodeURIComponent(n % 2 ? `${n} é😀 ${"long".repeat(40)}.bin` : `${n}.txt`);
    const answer = await fetch(`${server.address}/dav/drive/${name}`, { method: "PUT", body, headers: basic });
    expect(answer.status).toBe(201);
  }
  for (let n = 0; n < 20; n++) {
    const body = JSON.stringify({ slug: `s${n}`, content: `text ${n} \0 é` });
    const headers = { ...basic, "content-type": "application/json" };
    expect((await fetch(`${server.address}/api/paste`, { method: "POST", body, headers })).status).toBe(201);
  }
  await server.stop();
  await backUpTo(archive, dataDir);
});

afterAll(() => folder[Symbol.dispose]());

/** A process of the program that is given its input piece by piece. */
const begin = (args: readonly string[], environment: Record<string, string>) =>
  Bun.spawn([process.execPath, join(root, "src/main.ts"), ...args], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", ...environment },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });

describe("a killed process", () => {
  test("of a backup leaves no archive, and nothing in the data folder that stays", async () => {
    const size = statSync(archive).size;
    for (let point = 0; point < 20; point++) {
      const child = begin(["backup", "--to", "-"], { DATA_DIR: dataDir });
      let read = 0;
      // It waits for its reader, so it is killed with so many bytes written, or before it began.
      if (point > 0)
        for await (const chunk of child.stdout) {
          read += chunk.byteLength;
          if (read >= (size * point) / 20) break;
        }
      child.kill("SIGKILL");
      await child.exited;
    }
    const partial = at("killed.tar");
    const child = begin(["backup", "--to", partial], { DATA_DIR: dataDir });
    await until(
      () => Promise.resolve(existsSync(`${partial}.partial`)),
      (is) => is,
    );
    child.kill("SIGKILL");
    await child.exited;
    const { code, stderr } = await runSatchel(["backup", "--to", partial], { DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([0, ""]);
    expect(existsSync(`${partial}.partial`)).toBe(false);
    expect(existsSync(join(dataDir, "objects/.backup"))).toBe(false);
    expect(await verifyAt(partial)).toMatchObject({ damaged: [] });
  });

  test("of a backup is cleared away by the next start of a server", async () => {
    mkdirSync(join(dataDir, "objects/.backup/files"), { recursive: true });
    writeFileSync(join(dataDir, "objects/.backup/files/1-2"), "kept");
    await using server = await startServer({ dataDir, adminPassword: null });
    expect(server.address).toStartWith("http");
    expect(existsSync(join(dataDir, "objects/.backup"))).toBe(false);
  });

  test("of a restore leaves an empty place, in which it can be done again", async () => {
    const bytes = await Bun.file(archive).bytes();
    const target = at("killed");
    for (let point = 0; point < 20; point++) {
      const child = begin(["restore", "-"], { DATA_DIR: target });
      child.stdin.write(bytes.subarray(0, Math.floor((bytes.byteLength * point) / 20)));
      await child.stdin.flush();
      if (point > 0)
        await until(
          () => Promise.resolve(existsSync(join(target, ".restore"))),
          (is) => is,
        );
      child.kill("SIGKILL");
      await child.exited;
      expect(existsSync(join(target, "satchel.db"))).toBe(false);
    }
    // A server does not begin anew there.
    const refused = await runSatchel([], { DATA_DIR: target });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("was interrupted. Run satchel restore again"),
    ]);
    const { code, stdout } = await runSatchel(["restore", archive], { DATA_DIR: target });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${FILES} files`)]);
    expect(existsSync(join(target, ".restore"))).toBe(false);
    await expectSame(target);
  });

  test("of a restore between its last steps leaves what the next one knows what to do with", async () => {
    const target = at("between");
    mkdirSync(target);
    await restoreTo(target, archive);
    // Files in their place, the database not yet.
    mkdirSync(join(target, ".restore"));
    renameSync(join(target, "satchel.db"), join(target, ".restore/satchel.db"));
    for (const mark of ["objects.moved", "id"]) writeFileSync(join(target, ".restore", mark), "");
    await restoreTo(target, archive);
    await expectSame(target);
    // Everything in its place, but for what is cleared away in the end.
    mkdirSync(join(target, ".restore"));
    writeFileSync(join(target, ".restore/objects.moved"), "");
    const { code, stdout } = await runSatchel(["restore", archive], { DATA_DIR: target });
    expect([code, stdout]).toEqual([0, expect.stringContaining("was whole already")]);
    await expectSame(target);
  });
});

describe("a damaged archive", () => {
  test.each([0.02, 0.3, 0.6, 0.9])("with another byte at %d is named and not restored", async (share) => {
    const bytes = await Bun.file(archive).bytes();
    const where = Math.floor(bytes.byteLength * share);
    bytes[where] = (bytes[where] ?? 0) ^ 0x55;
    const file = at("damaged.tar");
    await Bun.write(file, bytes);
    const verified = await runSatchel(["verify", file]);
    expect([verified.code, verified.stderr]).toEqual([1, expect.stringContaining("damaged")]);
    const target = at("from-damaged");
    const restored = await runSatchel(["restore", file], { DATA_DIR: target });
    expect([restored.code, restored.stderr]).toEqual([1, expect.stringContaining("damaged")]);
    expect(readdirSync(target).filter((name) => name !== "satchel.lock")).toEqual([]);
  });

  test("names each file that is not what was written", async () => {
    const bytes = Buffer.from(await Bun.file(archive).bytes());
    bytes[bytes.indexOf(Buffer.alloc(1000, 7)) + 10] = 8;
    await Bun.write(at("seven.tar"), bytes);
    const { code, stderr } = await runSatchel(["verify", at("seven.tar")]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('- "objects/drive/7 é😀')]);
  });

  test.each([0.5, 0.999])("that ends at %d is called cut off", async (share) => {
    const bytes = await Bun.file(archive).bytes();
    await Bun.write(at("cut.tar"), bytes.subarray(0, Math.floor((bytes.byteLength * share) / 512) * 512));
    const { code, stderr } = await runSatchel(["verify", at("cut.tar")]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cut off|truncated/)]);
    mkdirSync(at("from-cut"), { recursive: true });
    await expect(restoreTo(at("from-cut"), at("cut.tar"))).rejects.toThrow(/cut off|truncated/);
  });

  test("that is compressed and damaged ends with a sentence", async () => {
    const packed = at("packed.tar.zst");
    await backUpTo(packed, dataDir);
    const bytes = await Bun.file(packed).bytes();
    bytes.fill(0x33, bytes.byteLength / 2, bytes.byteLength / 2 + 64);
    await Bun.write(packed, bytes);
    const { code, stderr } = await runSatchel(["verify", packed]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("The archive is damaged")]);
  });

  test("that is something else is called so", async () => {
    await Bun.write(at("text"), "not a tar at all ".repeat(100));
    const { code, stderr } = await runSatchel(["verify", at("text")]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("damaged")]);
    const missing = await runSatchel(["verify", at("missing.tar")]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("cannot be opened")]);
  });
});

/** A tar of these entries, behind the first entry of a backup. */
async function tarOf(
  entries: readonly (TarHeader & { readonly text?: string })[],
  first: object = {},
): Promise<string> {
  const { readable, controller } = createTarPacker();
  const head = { format: 1, satchel: "0", step: 31, moment: "now", database: "sqlite", objects: true, ...first };
  const text = JSON.stringify({ ...head, bytes: { database: 1, objects: 1, ...(first as { bytes?: object }).bytes } });
  const write = async () => {
    for (const { text: body = "", ...header } of [{ name: FIRST, text }, ...entries]) {
      const bytes = new TextEncoder().encode(body);
      const writer = controller.add({ size: bytes.byteLength, ...header }).getWriter();
      if (bytes.byteLength > 0) await writer.write(bytes);
      await writer.close();
    }
    controller.finalize();
  };
  const file = at("hostile.tar");
  await Promise.all([write(), Bun.write(file, new Response(readable))]);
  return file;
}

describe("an archive of somebody else", () => {
  test.each([
    ["a path upwards", { name: "objects/drive/../../../escaped" }],
    ["an absolute path", { name: "/tmp/escaped" }],
    ["a bucket upwards", { name: "objects/../escaped" }],
    ["the folder of servers", { name: "objects/.incoming/x" }],
    ["a file beside all folders", { name: "escaped" }],
    ["a link", { name: "objects/drive/link", type: "symlink", linkname: "/etc/passwd" }],
    ["a hard link", { name: "objects/drive/link", type: "link", linkname: "/etc/passwd" }],
    ["a table of its own", { name: "tables/sqlite_master/000001.jsonl", text: '{"name":"x"}\n' }],
    ["a column of its own", { name: "tables/facts/000001.jsonl", text: '{"name) values (1); --":"x"}\n' }],
    ["a row that is none", { name: "tables/facts/000001.jsonl", text: "[1]\n" }],
    ["a row that ends within", { name: "tables/facts/000001.jsonl", text: '{"name":"x"' }],
  ] as const)("with %s is refused, and nothing stays of it", async (_, entry) => {
    const target = at("hostile");
    mkdirSync(target, { recursive: true });
    const file = await tarOf([entry as TarHeader]);
    await expect(restoreTo(target, file)).rejects.toThrow(/archive|no table|no column/);
    expect(readdirSync(target)).toEqual([]);
    expect(existsSync(at("escaped"))).toBe(false);
    await expect(verifyAt(file)).rejects.toThrow(/archive/);
  });

  test("that is whole but for a storage outside of the data folder is refused, and nothing stays of it", async () => {
    const [source, target, file] = [at("changed"), at("outside"), at("changed.tar")];
    for (const dir of [source, target]) mkdirSync(dir);
    copyFileSync(join(dataDir, "satchel.db"), join(source, "satchel.db"));
    const db = new Database(join(source, "satchel.db"));
    db.run("update storage_configs set bucket_name = '../../escaped'");
    db.close();
    await backUpTo(file, source, false);
    const refusal = await restoreTo(target, file).catch((error: Error) => error.message);
    expect(refusal).toBe('The archive has a storage in the folder "../../escaped", which no backup has.');
    expect(readdirSync(target)).toEqual([]);
  });

  test("with a newer format, newer tables or more than there is room for is refused in a sentence", async () => {
    const target = at("newer");
    mkdirSync(target);
    const refused = async (first: object) =>
      await runSatchel(["restore", await tarOf([], first)], { DATA_DIR: target });
    expect((await refused({ format: 2 })).stderr).toContain("The backup is of a newer Satchel: its format is 2");
    expect((await refused({ step: 99 })).stderr).toContain("its tables are at step 99");
    expect((await refused({ step: 3 })).stderr).toContain("from before step 22");
    expect((await refused({ bytes: { objects: 1e15 } })).stderr).toContain("too little room");
    expect(readdirSync(target).filter((name) => name !== "satchel.lock")).toEqual([]);
  });
});

describe("a restore", () => {
  test("over what is there is refused, and changes nothing", async () => {
    const before = bytesOf(dataDir);
    const { code, stderr } = await runSatchel(["restore", archive], { DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("is not empty: satchel.db is in it. Nothing was changed."),
    ]);
    expect(bytesOf(dataDir)).toEqual(before);
    const other = at("other");
    mkdirSync(join(other, "objects/drive"), { recursive: true });
    writeFileSync(join(other, "objects/drive/mine.txt"), "mine");
    const files = await runSatchel(["restore", archive], { DATA_DIR: other });
    expect([files.code, files.stderr]).toEqual([1, expect.stringContaining("There are files in")]);
    expect(readFileSync(join(other, "objects/drive/mine.txt"), "utf8")).toBe("mine");
  });

  test("beside a running server is refused", async () => {
    const dir = at("running");
    mkdirSync(dir);
    await using _ = await startServer({ dataDir: dir });
    const { code, stderr } = await runSatchel(["restore", archive], { DATA_DIR: dir });
    expect([code, stderr]).toEqual([1, expect.stringContaining("Another Satchel is running")]);
  });

  test("with another secret key is refused, and with the right one it starts and everybody can sign in", async () => {
    const dir = at("keys");
    const wrong = await runSatchel(["restore", archive], { DATA_DIR: dir, SECRET_KEY: "quite another one of 16" });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining("not the one that the backup was made with"),
    ]);
    const key = join(dataDir, "secret.key");
    const { code } = await runSatchel(["restore", archive], { DATA_DIR: dir, SECRET_KEY_FILE: key });
    expect(code).toBe(0);
    await using server = await startServer({
      dataDir: dir,
      adminPassword: null,
      environment: { SECRET_KEY_FILE: key },
    });
    const answer = await fetch(`${server.address}/dav/drive/2.txt`, { headers: basic });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(202_000).fill(2));
    expect(await (await fetch(`${server.address}/api/raw/s7`)).text()).toBe("text 7 \0 é");
  });

  test("without the files keeps those that are there", async () => {
    const alone = at("alone.tar");
    await backUpTo(alone, dataDir, false);
    const dir = at("beside");
    mkdirSync(join(dir, "objects/drive"), { recursive: true });
    writeFileSync(join(dir, "objects/drive/mine.txt"), "mine");
    await restoreTo(dir, alone);
    expect(readFileSync(join(dir, "objects/drive/mine.txt"), "utf8")).toBe("mine");
    expect((await rowsOf(dir)).pastes).toEqual((await rowsOf(dataDir)).pastes);
  });
});

test("a restore lets nobody in by a session or a one-time link of before", async () => {
  const [before, after, file] = [at("signed-in"), at("signed-out"), at("sessions.tar")];
  for (const dir of [before, after]) mkdirSync(dir);
  const post = (address: string, path: string, body?: unknown, token?: string) =>
    fetch(`${address}/api/admin/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const statusWith = async (address: string, token: string) =>
    (await fetch(`${address}/api/test/admin-token`, { headers: { authorization: `Bearer ${token}` } })).status;
  await (await startServer({ dataDir: before })).stop();
  const { stdout } = await runSatchel(["admin", "reset"], { DATA_DIR: before });
  const [, link = "", password = ""] = /#setup=(\S+)\s.* the password (\S+)/s.exec(stdout) ?? [];
  let token = "";
  {
    await using server = await startServer({ dataDir: before, adminPassword: null });
    const answer = await post(server.address, "login", { username: "admin", password });
    token = ((await answer.json()) as { data: { token: string } }).data.token;
    expect(await statusWith(server.address, token)).toBe(200);
    await server.stop();
  }
  const db = new Database(join(before, "satchel.db"));
  const count = (name: string) => db.query<{ n: number }, []>(`select count(*) as n from ${name}`).get()?.n;
  expect([count("sessions"), count("sign_in_links")]).toEqual([1, 1]);
  db.close();
  await backUpTo(file, before);
  await restoreTo(after, file);
  expect(await verifyAt(file)).toMatchObject({ damaged: [] });
  writeFileSync(join(after, "secret.key"), readFileSync(join(before, "secret.key")));
  await using server = await startServer({ dataDir: after, adminPassword: null });
  expect(await statusWith(server.address, token)).toBe(401);
  expect((await post(server.address, "sign-in-link", { token: link })).status).toBe(401);
});

describe("a backup", () => {
  test("to a disk that gets full leaves nothing, and says so", async () => {
    const file = at("full.tar");
    const limited = Bun.spawn(
      [
        "sh",
        "-c",
        'trap "" XFSZ; ulimit -f 2048; exec "$0" "$@"',
        process.execPath,
        join(root, "src/main.ts"),
        "backup",
        "--to",
        file,
      ],
      { env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir }, stdout: "pipe", stderr: "pipe" },
    );
    const stderr = await new Response(limited.stderr).text();
    expect([await limited.exited, stderr]).toEqual([1, expect.stringContaining("disk")]);
    expect(stderr).toContain("Nothing of it stays");
    expect([existsSync(file), existsSync(`${file}.partial`)]).toEqual([false, false]);
    expect(existsSync(join(dataDir, "objects/.backup"))).toBe(false);
  });

  test("that is begun while another one is written into the same file takes its place, and the other one says so", async () => {
    const file = at("twice.tar");
    const middle = Promise.withResolvers<void>();
    const slow = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.alloc(4096, "a"));
        await middle.promise;
        controller.enqueue(Buffer.alloc(4096, "a"));
        controller.close();
      },
    });
    const first = toFile(file)
      .write(slow)
      .then(
        () => "written",
        (error: Error) => error.message,
      );
    await until(
      async () => statSync(`${file}.partial`, { throwIfNoEntry: false })?.size,
      (size) => size === 4096,
    );
    await toFile(file).write(new Blob([Buffer.alloc(1024, "b")]).stream());
    middle.resolve();
    expect(await first).toContain("Another backup");
    expect(readFileSync(file, "latin1")).toBe("b".repeat(1024));
    expect(existsSync(`${file}.partial`)).toBe(false);
  });

  test("is written into a file of its own, whatever somebody has put in its place", async () => {
    const [file, other] = [at("planted.tar"), at("planted")];
    writeFileSync(other, "of somebody", { mode: 0o644 });
    symlinkSync(other, `${file}.partial`);
    await toFile(file).write(new Blob(["of us"]).stream());
    expect([readFileSync(other, "utf8"), readFileSync(file, "utf8")]).toEqual(["of somebody", "of us"]);
    writeFileSync(`${file}.partial`, "", { mode: 0o644 });
    await toFile(file).write(new Blob(["of us"]).stream());
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("into a folder gets a name, and old ones of the same installation go", async () => {
    const kept = at("kept");
    mkdirSync(kept);
    writeFileSync(join(kept, "satchel-00000000-20200101T000000Z.tar.zst"), "of another");
    writeFileSync(join(kept, "letter.txt"), "mine");
    const names: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { code, stdout } = await runSatchel(["backup", "--to", kept, "--keep", "2"], { DATA_DIR: dataDir });
      expect([code, stdout]).toEqual([0, expect.stringContaining("is whole")]);
      names.push(/satchel-[0-9a-f]{8}-\d{8}T\d{6}Z\.tar\.zst/.exec(stdout)?.[0] ?? "");
    }
    const stay = [...new Set(names)].slice(-2);
    expect(readdirSync(kept).sort()).toEqual(
      ["letter.txt", "satchel-00000000-20200101T000000Z.tar.zst", ...stay].sort(),
    );
    const wrong = await runSatchel(["backup", "--to", at("x.tar"), "--keep", "2"], { DATA_DIR: dataDir });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("--keep is for a folder")]);
  });

  test("of nothing, and with options that are wrong, is refused", async () => {
    const run = async (...args: string[]) => (await runSatchel(args, { DATA_DIR: at("nowhere") })).stderr;
    expect(await run("backup", "--to", at("x.tar"))).toContain("There is no Satchel in");
    expect(await run("backup")).toContain("backup needs --to");
    expect(await run("backup", "--to", "x", "--recipient", "age1x")).toContain("must be a public key of age");
    expect(await run("backup", "--to", "x", "--without", "shares")).toContain("--without knows only objects");
    const nobodys = await runSatchel(["backup", "--to", "s3://bucket/x"], { DATA_DIR: dataDir });
    expect([nobodys.code, nobodys.stderr]).toEqual([1, expect.stringContaining("No storage has the bucket bucket")]);
    expect(await run("restore")).toContain("wants the name of a file");
  });
});
