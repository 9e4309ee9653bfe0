import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { requireOwn } from "../../../src/upgrade/replace.ts";
import { findArchive } from "../../../src/upgrade/sums.ts";
import { makeTestKey, type TestKey } from "../../support/releases/minisign.ts";
import {
  executableText,
  installOwn,
  signReleaseSums,
  upgradeOwn,
  writeReleaseArchive,
  writeReleaseSums,
} from "../../support/releases/release-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let key: TestKey;
beforeAll(async () => {
  key = await makeTestKey();
});

/** A release in one folder, an executable of version 1.0.0 in another, and a server that has the release. */
async function open(options: Parameters<typeof writeReleaseArchive>[1] = {}, ownName = "satchel") {
  const folder = temporaryFolder();
  const release = join(folder.path, "release");
  mkdirSync(release);
  const archive = await writeReleaseArchive(release, options);
  writeReleaseSums(release);
  await signReleaseSums(release, key);
  const own = installOwn(join(folder.path, "bin"), ownName);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => new Response(Bun.file(join(release, new URL(request.url).pathname))),
    error: () => new Response("missing", { status: 404 }),
  });
  return {
    release,
    own,
    archive,
    from: `http://127.0.0.1:${server.port}/`,
    installed: () => readdirSync(join(folder.path, "bin")).sort(),
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      folder[Symbol.dispose]();
    },
  };
}

const content = (path: string) => readFileSync(path, "utf8");

/** What a refusal must leave. */
function expectUntouched({ own, installed }: Awaited<ReturnType<typeof open>>): void {
  expect(installed()).toEqual(["satchel"]);
  expect(content(own.path)).toBe(executableText("1.0.0"));
}

describe("an upgrade", () => {
  test("takes the release of an address, a folder and an archive, backs up first and keeps the old executable", async () => {
    await using at = await open();
    for (const from of [
      at.from,
      at.from.slice(0, -1),
      `${at.from}${at.archive}`,
      at.release,
      join(at.release, at.archive),
    ]) {
      writeFileSync(at.own.path, executableText("1.0.0"));
      chmodSync(at.own.path, 0o750);
      const atBackup: string[] = [];
      const backUp = async () => void atBackup.push(content(at.own.path));
      const said = await upgradeOwn({ own: at.own, publicKey: key.public, from, backUp });
      expect(said).toEqual([
        `Taking ${at.archive}.`,
        `${at.own.path} is version 9.9.9 now. Version 1.0.0 is kept as ${at.own.path}.old.`,
        "A server that runs goes on with the old one until it is started again.",
      ]);
      expect(atBackup).toEqual([executableText("1.0.0")]);
      expect(at.installed()).toEqual(["satchel", "satchel.old"]);
      expect([content(at.own.path), content(`${at.own.path}.old`)]).toEqual(["9.9.9", "1.0.0"].map(executableText));
      expect(statSync(at.own.path).mode & 0o777).toBe(0o750);
    }
  });

  test("takes an executable that has the size of one, whole", async () => {
    const noise = randomBytes(12_000_000).toString("base64");
    const executable = `${executableText("9.9.9")}exit\n${noise}`;
    for (const system of ["linux-x64", "windows-x64"]) {
      await using at = await open({ executable, system });
      await upgradeOwn({ own: at.own, publicKey: key.public, from: at.from, system });
      expect(content(at.own.path) === executable).toBe(true);
    }
  });

  test("only says what is there when it is asked to check", async () => {
    await using at = await open();
    const check = (version: string) =>
      upgradeOwn({ own: at.own, publicKey: key.public, from: at.from, check: true, version });
    expect(await check("1.0.0")).toEqual(["Version 9.9.9 is there; this is 1.0.0."]);
    expect(await check("9.9.9")).toEqual(["This is version 9.9.9, and there is no newer one."]);
    expect(await check("10.0.0")).toEqual(["This is version 10.0.0, and there is no newer one."]);
    expectUntouched(at);
  });

  test("refuses the same and an older version, until it is asked for", async () => {
    await using at = await open();
    const wanted = { own: at.own, publicKey: key.public, from: at.from };
    await expect(upgradeOwn({ ...wanted, version: "9.9.9" })).rejects.toThrow("This is version 9.9.9 already.");
    await expect(upgradeOwn({ ...wanted, version: "9.9.10" })).rejects.toThrow(
      "The release is version 9.9.9, and this is 9.9.10. --allow-downgrade takes it all the same.",
    );
    // A preview comes before its version.
    await expect(upgradeOwn({ ...wanted, version: "9.9.9-rc.1" })).resolves.toContain("backup");
    expect(await upgradeOwn({ ...wanted, version: "9.9.10", allowDowngrade: true })).toContain("backup");
  });

  test("refuses what is not signed by the key, before anything is downloaded", async () => {
    await using at = await open();
    const wanted = { own: at.own, publicKey: key.public, from: at.from };
    const other = await makeTestKey();
    await expect(upgradeOwn({ ...wanted, publicKey: other.public })).rejects.toThrow("The signature is of the key");
    writeFileSync(join(at.release, "SHA256SUMS"), `${content(join(at.release, "SHA256SUMS"))}\n`);
    await expect(upgradeOwn(wanted)).rejects.toThrow("The signature is wrong");
    writeFileSync(join(at.release, "SHA256SUMS.minisig"), "nothing");
    await expect(upgradeOwn(wanted)).rejects.toThrow("The signature is none of minisign.");
    expectUntouched(at);
  });

  test("refuses an archive that is not what the sums say, is cut off or is not there", async () => {
    await using at = await open();
    const file = join(at.release, at.archive);
    const whole = readFileSync(file);
    for (const from of [at.from, at.release]) {
      const wanted = { own: at.own, publicKey: key.public, from };
      writeFileSync(file, whole.subarray(0, -1));
      await expect(upgradeOwn(wanted)).rejects.toThrow(`${at.archive} is not what SHA256SUMS says: it is damaged.`);
      writeFileSync(file, Buffer.concat([whole, Buffer.from("x")]));
      await expect(upgradeOwn(wanted)).rejects.toThrow("it is damaged");
    }
    const none = join(at.release, "satchel_9.9.9_linux_arm64.tar.gz");
    writeFileSync(none, whole);
    const from = none;
    await expect(upgradeOwn({ own: at.own, publicKey: key.public, from })).rejects.toThrow("SHA256SUMS has no sum of");
    expectUntouched(at);
  });

  test("refuses a release for other systems, and an archive that was named for another", async () => {
    await using at = await open({ system: "linux-arm64" });
    const wanted = { own: at.own, publicKey: key.public };
    await expect(upgradeOwn({ ...wanted, from: at.from })).rejects.toThrow(
      "The release is not for this system, linux-x64.",
    );
    const named = { ...wanted, from: join(at.release, at.archive) };
    await expect(upgradeOwn(named)).rejects.toThrow(`${at.archive} is not for this system, linux-x64.`);
    await expect(upgradeOwn({ ...wanted, from: at.from, system: "linux-arm64" })).resolves.toContain("backup");
  });

  test("refuses an executable that does not run here or says another version", async () => {
    const cannot = "The new executable does not run on this machine; nothing was changed.";
    for (const executable of ["no program", "#!/bin/sh\nexit 1\n", executableText("9.9.8")]) {
      await using at = await open({ executable });
      await expect(upgradeOwn({ own: at.own, publicKey: key.public, from: at.from })).rejects.toThrow(cannot);
      expectUntouched(at);
    }
  });

  test("refuses an archive without an executable", async () => {
    await using at = await open({ version: "9.9.8", archive: "satchel_9.9.9_linux_x64.tar.gz" });
    const asked = upgradeOwn({ own: at.own, publicKey: key.public, from: at.from });
    await expect(asked).rejects.toThrow("satchel_9.9.9_linux_x64.tar.gz has no executable.");
    expectUntouched(at);
  });

  test("leaves everything as it was when the backup fails or somebody stops it", async () => {
    await using at = await open();
    const wanted = { own: at.own, publicKey: key.public, from: at.from };
    const backUp = () => Promise.reject(new Error("The disk of the backup is full."));
    await expect(upgradeOwn({ ...wanted, backUp })).rejects.toThrow("The disk of the backup is full.");
    expectUntouched(at);
    const stop = new AbortController();
    const stopped = upgradeOwn({
      ...wanted,
      signal: stop.signal,
      backUp: async () => stop.abort(new Error("stopped")),
    });
    await expect(stopped).rejects.toThrow("stopped");
    expectUntouched(at);
  });

  test("takes an archive for Windows, whose running file it gives another name", async () => {
    await using at = await open({ system: "windows-x64" }, "satchel.exe");
    const own = { ...at.own, isLocked: true };
    await upgradeOwn({ own, publicKey: key.public, from: at.from, system: "windows-x64" });
    expect(at.installed()).toEqual(["satchel.exe", "satchel.old.exe"]);
    expect(content(own.path)).toBe(executableText("9.9.9"));
    expect(content(join(own.path, "../satchel.old.exe"))).toBe(executableText("1.0.0"));
  });

  test("goes through beside what nobody can look at any more, as another upgrade removes its own", async () => {
    await using at = await open();
    symlinkSync("nowhere", join(at.own.path, "..", ".satchel-upgrade-gone"));
    await upgradeOwn({ own: at.own, publicKey: key.public, from: at.from });
    expect(content(at.own.path)).toBe(executableText("9.9.9"));
  });

  test("removes what killed upgrades have left, but not what one of this hour works on", async () => {
    await using at = await open();
    const bin = join(at.own.path, "..");
    for (const name of [".satchel-upgrade-old", ".satchel-upgrade-now"]) {
      mkdirSync(join(bin, name));
      writeFileSync(join(bin, name, "archive"), "half");
    }
    const before = Date.now() / 1000 - 2 * 3600;
    utimesSync(join(bin, ".satchel-upgrade-old"), before, before);
    await upgradeOwn({ own: at.own, publicKey: key.public, from: at.from });
    expect(at.installed()).toEqual([".satchel-upgrade-now", "satchel", "satchel.old"]);
  });
});

describe("the executable's own file", () => {
  test("is left to the package that has brought it", () => {
    const isThere = () => true;
    const refusal = (path: string) => () => requireOwn({ path, isLocked: false }, isThere);
    expect(refusal("/usr/bin/satchel")).toThrow("Upgrade that: apt install ./satchel_VERSION_ARCHITECTURE.deb");
    expect(refusal("/opt/homebrew/Cellar/satchel/1.0.0/bin/satchel")).toThrow("brew upgrade satchel");
    expect(refusal("C:\\Users\\a\\scoop\\apps\\satchel\\current\\satchel.exe")).toThrow("scoop update satchel");
  });

  test("is not replaced where there is no right to", async () => {
    await using at = await open();
    // A folder of the system, in which not even root writes.
    const own = { path: "/proc/self/satchel", isLocked: false };
    await expect(upgradeOwn({ own, publicKey: key.public, from: at.from })).rejects.toThrow(
      "There is no right to replace /proc/self/satchel.",
    );
  });
});

describe("the address of a release", () => {
  const servers: Bun.Server<undefined>[] = [];
  const serve = (fetch: (request: Request) => Response) => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
    servers.push(server);
    return `http://127.0.0.1:${server.port}/`;
  };
  afterAll(() => Promise.all(servers.map((server) => server.stop(true))));
  const asked = async (from: string) => {
    await using at = await open();
    const wanted = { own: at.own, publicKey: key.public, from };
    const failure = await upgradeOwn(wanted).then(
      () => "",
      (error: Error) => error.message,
    );
    expectUntouched(at);
    return failure;
  };

  test("must be encrypted, or of this machine, and nothing but an address", async () => {
    expect(await asked("http://share.example/")).toBe(
      "--from must be encrypted (https://), unless it is on this machine.",
    );
    for (const from of [
      "https://a:b@share.example/",
      "https://share.example/?x",
      "https://share.example/#x",
      "https://",
    ])
      expect(await asked(from)).toStartWith("--from must be an address without a user, ? and #");
    expect(await asked("ftp://share.example/")).toBe("There is no file or folder ftp://share.example/.");
    expect(await asked("/nowhere/at/all")).toBe("There is no file or folder /nowhere/at/all.");
  });

  test("may not lead to one that is not, nor in a circle", async () => {
    const plain = serve(() => Response.redirect("http://share.example/SHA256SUMS"));
    expect(await asked(plain)).toBe(`${plain}SHA256SUMS sends on to an address that is not encrypted.`);
    for (const target of ["ftp://share.example/", "file:///etc/passwd", "//"]) {
      const other = serve(() => new Response(null, { status: 302, headers: { location: target } }));
      expect(await asked(other)).toContain("sends on to an address that is not encrypted.");
    }
    const circle: string = serve(() => Response.redirect(`${circle}SHA256SUMS`));
    expect(await asked(circle)).toBe(`${circle}SHA256SUMS sends on too often.`);
  });

  test("leads to another of this machine", async () => {
    await using at = await open();
    const before = serve((request) => Response.redirect(new URL(new URL(request.url).pathname.slice(1), at.from).href));
    expect(await upgradeOwn({ own: at.own, publicKey: key.public, from: before })).toContain("backup");
  });

  test("must answer with the files, and with no more than they may have", async () => {
    expect(await asked(serve(() => new Response("no", { status: 403 })))).toContain("SHA256SUMS answers with 403.");
    expect(await asked(serve(() => new Response("x".repeat(70_000))))).toContain("is larger than the 65536 bytes");
    const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10_000)) });
    expect(await asked(serve(() => new Response(endless())))).toContain("is larger than the 65536 bytes");
    const gone = serve(() => new Response(""));
    await servers.at(-1)?.stop(true);
    expect(await asked(gone)).toStartWith(`${gone}SHA256SUMS cannot be reached: `);
  });
});

test("the sums name one archive for a system, of the form that releases have", () => {
  const row = (name: string) => `${"a".repeat(64)}  ${name}\n`;
  const names = [
    "satchel_1.2.3_linux_x64.tar.gz",
    "satchel_1.2.3_linux_x64_musl.tar.gz",
    "satchel_1.2.3_amd64.deb",
    "../x",
  ];
  const sums = names.map(row).join("");
  expect(findArchive(sums, "linux-x64").name).toBe("satchel_1.2.3_linux_x64.tar.gz");
  expect(findArchive(sums, "linux-x64-musl")).toMatchObject({ name: names[1], version: "1.2.3" });
  expect(() => findArchive(sums, "windows-x64")).toThrow("The release is not for this system, windows-x64.");
  expect(() => findArchive(sums, "linux-x64", "../x")).toThrow("../x is not for this system, linux-x64.");
  const two = sums + row("satchel_1.2.4-rc.1_linux_x64.tar.gz");
  expect(() => findArchive(two, "linux-x64")).toThrow("SHA256SUMS has more than one archive for linux-x64.");
  expect(findArchive(two, "linux-x64", "satchel_1.2.4-rc.1_linux_x64.tar.gz").version).toBe("1.2.4-rc.1");
  expect(existsSync("../x")).toBe(false);
});
