import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";

/**
 * bun run screens [FOLDER]   a picture of every screen, on desk and phone, light and dark, in both languages
 *
 * The journeys that look at the screens take them, so a screen that does not fit fails here as it does there. Without a folder they go
 * to dist/screens.
 */
const root = join(import.meta.dir, "..");
const folder = resolve(process.argv[2] ?? join(root, "dist/screens"));
await mkdir(folder, { recursive: true });
const journeys = await Array.fromAsync(new Bun.Glob("test/journeys/**/*looks.test.ts").scan(root));
const child = Bun.spawn(
  [process.execPath, "test", "--timeout", "120000", ...journeys.sort().map((path) => `./${path}`)],
  {
    cwd: root,
    env: { ...process.env, SATCHEL_SHOTS: folder },
    stdout: "inherit",
    stderr: "inherit",
  },
);
process.exitCode = await child.exited;
process.stdout.write(`The pictures are in ${folder}\n`);
