import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { backupOf, hashOf, key, paste, pastePassword, storage, writeBackup } from "../../support/backups/cloudpaste.ts";
import {
  MADE,
  openPingvinDatabase,
  PASSWORD,
  PASSWORD_HASH,
  share,
  writePingvin,
} from "../../support/backups/pingvin.ts";
import { startServer } from "../../support/server.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

/** Runs the command as somebody at a terminal does. */
async function satchel(dataDir: string, ...args: readonly string[]) {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...args], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr, peak: child.resourceUsage()?.maxRSS ?? 0 };
}

/** A data folder that a server was started on. */
async function startedFolder() {
  const folder = temporaryFolder();
  await using _ = await startServer({ dataDir: folder.path });
  return folder;
}

const locked = paste({ slug: "locked", content: "# behind a phrase", password: hashOf("a long phrase") });
const backup = backupOf({
  pastes: [paste({ slug: "open", content: "# an open text" }), locked, paste({ slug: "admin" })],
  paste_passwords: [pastePassword(locked, "a long phrase")],
  storage_configs: [storage(), storage({ storage_type: "LOCAL", name: "Attic" })],
  api_keys: [key({ key: "a-program-key", name: "Program" })],
  admins: [{ id: "a" }],
});

describe("satchel import", () => {
  test("prints the report, imports, and says the same again without doubles", async () => {
    using folder = await startedFolder();
    const file = await writeBackup(folder.path, backup);
    const plan = await satchel(folder.path, "import", file, "--dry-run");
    expect(plan).toMatchObject({ code: 0, stderr: "" });
    expect(plan.stdout).toContain("schema 34). Its checksum is right.");
    expect(plan.stdout).toMatch(/^Storages +2 +1 +0 +1$/m);
    expect(plan.stdout).toContain(
      "left out 1: folders of the other machine; one that is at the same path here and named in FOLDERS is imported (Attic)",
    );
    expect(plan.stdout).toContain("admins: 1 (accounts and sessions are never taken over)");
    expect(plan.stdout).toEndWith("Nothing was changed. Run it without --dry-run to import.\n");

    const done = await satchel(folder.path, "import", file, "--from", "cloudpaste");
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toMatch(/^Texts +3 +3 +0 +0$/m);
    expect(done.stdout).toMatch(/\(admin -> \w{6}\)/);
    for (const secret of ["a-program-key", "a long phrase", "an-access-text"])
      expect(done.stdout).not.toContain(secret);
    expect((await satchel(folder.path, "import", file)).stdout).toMatch(/^Texts +3 +0 +3 +0$/m);

    await using server = await startServer({ dataDir: folder.path });
    const text = async (path: string) => await (await fetch(`${server.address}/api/raw/${path}`)).text();
    expect(await text("open")).toBe("# an open text");
    expect(await text("locked?password=a%20long%20phrase")).toBe("# behind a phrase");
    const listed = await fetch(`${server.address}/api/pastes`, { headers: { "x-api-key": "a-program-key" } });
    expect(listed.status).toBe(200);
  });

  test("refuses beside a server, without a Satchel, without a file and with what it does not know, and changes nothing", async () => {
    using folder = temporaryFolder();
    const file = await writeBackup(folder.path, backup);
    expect(await satchel(folder.path, "import", file)).toMatchObject({
      code: 1,
      stderr: `There is no Satchel in ${folder.path}.\n`,
    });
    expect(existsSync(join(folder.path, "satchel.db"))).toBeFalse();
    await using server = await startServer({ dataDir: folder.path });
    const beside = await satchel(folder.path, "import", file);
    expect([beside.code, beside.stderr]).toEqual([
      1,
      `Another Satchel is running on the data folder ${folder.path}.\n`,
    ]);
    expect((await fetch(`${server.address}/api/raw/open`)).status).toBe(404);
    await server.stop();

    const refused = async (...args: string[]) => {
      const { code, stderr } = await satchel(folder.path, "import", ...args);
      expect(code).toBe(1);
      return stderr;
    };
    expect(await refused("nowhere.json")).toBe("There is no file nowhere.json.\n");
    expect(await refused()).toContain("The command import wants the name of a file behind it.");
    expect(await refused(file, "more")).toContain("The command import wants the name of a file behind it.");
    expect(await refused(file, "--from", "palmr")).toContain("--from must be cloudpaste or pingvin");
    expect(await refused(folder.path)).toContain(`There is no pingvin-share.db in ${folder.path}.`);
    expect(await refused(file, "--private-texts", "show")).toContain("--private-texts must be protect or skip");
    const broken = await writeBackup(folder.path, JSON.stringify(backup).replace("an open", "another"));
    expect(await refused(broken)).toStartWith("The checksum of the backup does not match its content");
    expect((await satchel(folder.path, "import", broken, "--ignore-checksum")).stdout).toContain(
      "WRONG, which was ignored",
    );
  });
});

describe("satchel import of Pingvin Share", () => {
  test("prints the report, copies, and opens the old addresses with the old passwords", async () => {
    using folder = await startedFolder();
    using pingvin = temporaryFolder();
    const content = crypto.getRandomValues(new Uint8Array(200_000));
    const files = [
      { name: "photo.jpg", content },
      { name: "list.txt", content: "a list" },
    ];
    writePingvin(pingvin.path, {
      shares: [
        share("holiday", files, {}, { password: PASSWORD_HASH, maxViews: null }),
        share("over", files, { expiration: MADE }),
      ],
    });
    const plan = await satchel(folder.path, "import", pingvin.path, "--dry-run");
    expect(plan).toMatchObject({ code: 0, stderr: "" });
    expect(plan.stdout).toStartWith("What an import would do (Pingvin Share).\n");
    expect(plan.stdout).toMatch(/^Shares +2 +1 +0 +1$/m);
    expect(plan.stdout).toContain("  left out 1: expired or used up (over)\n");
    expect(plan.stdout).toContain("  left out 2: of shares that are left out\n");
    expect(plan.stdout).toContain("User: 1 (accounts and sessions are never taken over)");

    const done = await satchel(folder.path, "import", join(pingvin.path, "pingvin-share.db"), "--from", "pingvin");
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toMatch(/^Files +4 +2 +0 +2$/m);
    expect(done.stdout).toContain("in the folder Pingvin Share of the tree");
    expect(done.stdout).not.toContain("argon2");

    await using server = await startServer({ dataDir: folder.path });
    const get = (path: string, password: string) =>
      fetch(server.address + path, {
        headers: { "user-agent": "curl/8.9", authorization: `Basic ${btoa(`holiday:${password}`)}` },
      });
    expect((await get("/share/holiday", "no-Otter-77")).status).toBe(401);
    expect(await (await get("/share/holiday", PASSWORD)).text()).toContain(`${server.address}/s/holiday/photo.jpg`);
    const photo = await (await get("/s/holiday/photo.jpg", PASSWORD)).bytes();
    expect(Buffer.from(photo).equals(content)).toBeTrue();
  });

  test("that is killed while it copies is completed by the next one, and no half of a file counts", async () => {
    using folder = await startedFolder();
    using pingvin = temporaryFolder();
    const content = crypto.getRandomValues(new Uint8Array(65_536));
    const shares = Array.from({ length: 60 }, (_, n) =>
      share(
        `share${n}`,
        [0, 1, 2].map((file) => ({ name: `${file}.bin`, content })),
      ),
    );
    writePingvin(pingvin.path, { shares });
    const objects = join(folder.path, "objects");
    const filesHere = () =>
      readdirSync(objects, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && entry.parentPath.includes("/Pingvin Share/"),
      );
    const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), "import", pingvin.path], {
      env: { PATH: process.env.PATH ?? "", DATA_DIR: folder.path },
      stdout: "ignore",
    });
    await until(filesHere, (files) => files.length >= 20 || child.exitCode !== null);
    child.kill("SIGKILL");
    await child.exited;
    const isWhole = ({ parentPath, name }: Dirent) => content.length === statSync(join(parentPath, name)).size;
    expect(filesHere().every(isWhole)).toBeTrue();

    const again = await satchel(folder.path, "import", pingvin.path);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toMatch(/^Shares +60 +\d+ +\d+ +0$/m);
    expect(filesHere()).toHaveLength(180);
    expect(filesHere().every(isWhole)).toBeTrue();
    expect((await satchel(folder.path, "import", pingvin.path)).stdout).toMatch(/^Shares +60 +0 +60 +0$/m);
    await using server = await startServer({ dataDir: folder.path });
    for (const n of [0, 30, 59]) {
      const sent = await fetch(`${server.address}/s/share${n}/2.bin`, { headers: { "user-agent": "curl/8.9" } });
      expect(Buffer.from(await sent.bytes()).equals(content)).toBeTrue();
    }
  });

  test("needs no more memory for many shares than for few", async () => {
    using folder = await startedFolder();
    const peakOf = async (count: number): Promise<number> => {
      using pingvin = temporaryFolder();
      const db = openPingvinDatabase(pingvin.path);
      const all = "with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)";
      db.query(
        `${all} insert into "Share" ("id", "uploadLocked", "expiration", "description") select 'share' || i, 1, 0, printf('%.*c', 500, 'd') from n`,
      ).run(count);
      db.query(
        `${all} insert into "File" ("id", "name", "size", "shareId") select 'file' || i, 'f', '1', 'share' || i from n`,
      ).run(count);
      db.close();
      const { stdout, peak } = await satchel(folder.path, "import", pingvin.path, "--dry-run");
      expect(stdout).toMatch(new RegExp(`^Shares +${count} +0 +0 +${count}$`, "m"));
      expect(stdout).toContain(`left out ${count}: not in the folder of uploads (f, f, `);
      return peak;
    };
    const few = await peakOf(100);
    expect(await peakOf(50_000)).toBeLessThan(3 * few);
  });
});

/** Writes a backup of many texts piece by piece: this process must not grow either, because a child counts its parent's memory as its own. */
async function writeTexts(folder: string, count: number): Promise<string> {
  const file = join(folder, `${count}.json`);
  const writer = Bun.file(file).writer();
  const hash = createHash("sha256");
  const write = (text: string): void => {
    writer.write(text);
    hash.update(text);
  };
  writer.write('{"data":');
  write('{"pastes":[');
  for (let n = 0; n < count; n++) {
    const row = paste({ slug: `t${count}-${n}`, content: `text ${n}`, remark: "r".repeat(n % 2 === 0 ? 0 : 400) });
    write(`${n > 0 ? "," : ""}${JSON.stringify(row, Object.keys(row).sort())}`);
    if (n % 1000 === 0) await writer.flush();
  }
  write("]}");
  writer.write(`,"metadata":{"schema_version":"34","checksum":"${hash.digest("hex").slice(0, 16)}"}}`);
  await writer.end();
  return file;
}

test("the memory of an import does not grow with the backup", async () => {
  using folder = await startedFolder();
  const counts = [1000, 110_000] as const;
  const files = [await writeTexts(folder.path, counts[0]), await writeTexts(folder.path, counts[1])];
  const [few, many] = [
    await satchel(folder.path, "import", files[0] ?? ""),
    await satchel(folder.path, "import", files[1] ?? ""),
  ];
  expect(few.stdout).toContain("Its checksum is right.");
  expect(few.stdout).toMatch(/^Texts +1000 +1000 +0 +0$/m);
  expect(many.stdout).toContain("Its checksum is right.");
  expect(many.stdout).toMatch(/^Texts +110000 +110000 +0 +0$/m);
  expect(many.stdout).toContain("  texts: 100000\n");
  expect(many.peak).toBeLessThan(3 * few.peak);
});
