import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../sources.ts";

/** What a version of Satchel is made of, besides the packages. */
const parts = ["src", "web", "deploy", "build.ts", "package.json", "bun.lock", "bunfig.toml", "tsconfig.json"];

/** Changes in the next version: every script and style gets another content, and so another name; none is compressed. */
const changes = [
  ["deploy/pages/scripts.ts", 'format: "es",', 'format: "es", banner: "globalThis.nextBuild = true;",'],
  ["build.ts", 'target: "browser",', 'target: "browser", banner: "/* the next build */",'],
  ["build.ts", "const WORTH_COMPRESSING = 128;", "const WORTH_COMPRESSING = Number.POSITIVE_INFINITY;"],
] as const;

/**
 * A version to come whose pages are a build of their own: this one's sources, of which every script and style has another name. It is
 * built once for the sources as they are, in a folder of the temporary files, and answers how its server is started.
 */
export async function nextBuild(): Promise<{ readonly command: readonly string[] }> {
  const folder = join(tmpdir(), `satchel-next-${Bun.hash(root).toString(36)}`);
  const wanted = await digestOf();
  const noted = Bun.file(join(folder, "sources.digest"));
  if (!(await noted.exists()) || (await noted.text()) !== wanted) {
    const staging = mkdtempSync(`${folder}.`);
    try {
      await build(staging);
      await Bun.write(join(staging, "sources.digest"), wanted);
      rmSync(folder, { recursive: true, force: true });
      renameSync(staging, folder);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }
  return { command: [process.execPath, join(folder, "src/main.ts")] };
}

async function build(folder: string): Promise<void> {
  for (const part of parts)
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [path, before, after] of changes) {
    const file = Bun.file(join(folder, path));
    const text = await file.text();
    const changed = text.replace(before, () => after);
    if (changed === text) throw new Error(`${path} has no ${before} as it had.`);
    await Bun.write(file, changed);
  }
  const manifest = join(folder, "package.json");
  await Bun.write(manifest, (await Bun.file(manifest).text()).replace(/"version": "[^"]+"/, '"version": "98.7.6"'));
  const child = Bun.spawn([process.execPath, join(folder, "build.ts"), "--web"], {
    cwd: folder,
    stdout: "ignore",
    stderr: "pipe",
  });
  const trouble = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`The next version could not be built:\n${trouble}`);
}

/** The digest of the sources and of this file. */
async function digestOf(): Promise<string> {
  const hash = createHash("sha256")
    .update(Bun.version)
    .update(await Bun.file(import.meta.path).bytes());
  for (const part of parts) {
    const isFile = part.includes(".");
    const paths = isFile ? [part] : await Array.fromAsync(new Bun.Glob(`${part}/**/*`).scan(root));
    for (const path of paths.sort()) hash.update(`${path}\0`).update(await Bun.file(join(root, path)).bytes());
  }
  return hash.digest("hex");
}
