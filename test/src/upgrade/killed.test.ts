import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { download } from "../../../src/upgrade/download.ts";
import { makeTestKey } from "../../support/releases/minisign.ts";
import {
  executableText,
  installOwn,
  signReleaseSums,
  upgradeOwn,
  writeReleaseArchive,
  writeReleaseSums,
} from "../../support/releases/release-folder.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

test("an upgrade that is killed leaves a whole executable, and the next one goes through", async () => {
  using folder = temporaryFolder();
  const release = join(folder.path, "release");
  mkdirSync(release);
  const archive = await writeReleaseArchive(release);
  writeReleaseSums(release);
  const key = await makeTestKey();
  await signReleaseSums(release, key);
  const bin = join(folder.path, "bin");
  let holds = true;
  let asked = false;
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const file = Bun.file(join(release, new URL(request.url).pathname));
      if (!holds || !request.url.endsWith(archive)) return new Response(file);
      asked = true;
      // The head comes, and a part of the body, and no end.
      return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(100)) }));
    },
  });
  const from = `http://127.0.0.1:${server.port}/`;
  const own = { path: join(bin, "satchel"), isLocked: false };
  const moments: Record<string, (said: () => string) => boolean> = {
    "in the download": () => asked,
    "in the backup": (said) => said().includes("backup"),
    "when the old one is kept": () => existsSync(`${own.path}.old`),
  };
  for (const [name, isThere] of Object.entries(moments)) {
    rmSync(bin, { recursive: true, force: true });
    installOwn(bin);
    holds = name === "in the download";
    const waits = name === "in the backup" ? ["waits"] : [];
    const words = [join(root, "test/support/releases/upgrade-process.ts"), own.path, from, key.public, ...waits];
    const child = Bun.spawn([process.execPath, ...words], { stdout: "pipe", stderr: "inherit" });
    let said = "";
    const reading = child.stdout.pipeTo(
      new WritableStream({
        write: (piece) => {
          said += new TextDecoder().decode(piece);
        },
      }),
    );
    await until(
      () => isThere(() => said) || child.exitCode !== null,
      (isTime) => isTime,
    );
    child.kill("SIGKILL");
    await Promise.all([child.exited, reading]);
    const whole = [executableText("1.0.0"), executableText("9.9.9")];
    expect(whole).toContain(readFileSync(own.path, "utf8"));
    const left = readdirSync(bin).filter((entry) => !/^satchel(\.old)?$|^\.satchel-upgrade-/.test(entry));
    expect({ name, left }).toEqual({ name, left: [] });
    holds = false;
    expect(await upgradeOwn({ own, publicKey: key.public, from })).toContain("backup");
    expect(readFileSync(own.path, "utf8")).toBe(executableText("9.9.9"));
  }
});

test("a download ends when nothing comes any more, when it takes too long and when somebody stops it", async () => {
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) })),
  });
  const address = new URL(`http://127.0.0.1:${server.port}/file`);
  const take = async (bounds: Partial<Parameters<typeof download>[1]>) => {
    const signal = new AbortController().signal;
    for await (const piece of download(address, { limit: 10, time: 2 ** 30, signal, ...bounds }))
      expect(piece.length).toBe(1);
  };
  await expect(take({ stall: 20 })).rejects.toThrow(`${address} sends nothing any more.`);
  await expect(take({ time: 20 })).rejects.toThrow(`${address} takes too long.`);
  await expect(take({ signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
});

/** What the command says of itself when it is run from its sources. */
async function refusal(...words: string[]): Promise<string> {
  using folder = temporaryFolder();
  const command = [process.execPath, join(root, "src/main.ts"), "upgrade", ...words];
  const child = Bun.spawn(command, { cwd: folder.path, env: {}, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  expect(await child.exited).toBe(1);
  return said.trim();
}

test("sources are not replaced, and the place of the release must be named", async () => {
  expect(await refusal()).toContain("upgrade needs --from URL, a folder or an archive, or UPGRADE_URL.");
  expect(await refusal("--from", "/tmp")).toBe(
    "This runs from its sources. Upgrade those: git pull. Only an executable replaces itself.",
  );
});
