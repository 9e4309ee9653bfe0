import { join } from "node:path";
import { signIn } from "../support/clients/sign-in.ts";
import { root } from "../support/sources.ts";
import { inFolder } from "./in-folder.ts";
import { type Measured, startMeasured } from "./measured.ts";
import { compare, rate } from "./rates.ts";

/** `bun test/bench/requests.ts`: requests per second of the executable, 32 at once, against what the runtime alone does. */
const BARE = "Bun.serve with one SQLite statement; no check, header, limit, count or log";
const CONTENT = "x".repeat(2048);

async function requests(folder: string): Promise<void> {
  const command = [process.execPath, join(root, "test/bench/bare.ts"), join(folder, "bare.db")];
  await using bare = await startMeasured(command, folder);
  await using ours = await startMeasured([join(root, "dist/satchel")], join(folder, "ours"));
  const token = await signIn(ours.address, ours.password);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ content: CONTENT, slug: "bench" });
  await fetch(`${ours.address}/api/paste`, { method: "POST", headers, body });

  for (const [work, path, goal] of [
    ["GET /api/raw, 2 KB", "/api/raw/bench", 0.85],
    ["GET /api/paste, 2 KB", "/api/paste/bench", 0.6],
    ["GET /api/health", "/api/health", 0.7],
  ] as const)
    await compare(
      { work, yardstick: BARE, goal },
      () => rate(ours, { url: `${ours.address}${path}` }),
      () => rate(bare, { url: `${bare.address}/raw/bench` }),
    );
  const post = { method: "POST" as const, headers, body: JSON.stringify({ content: CONTENT }) };
  await compare(
    { work: "POST /api/paste, 2 KB", yardstick: "Bun.serve with one INSERT of the same durability", goal: 0.7 },
    () => rate(ours, { ...post, url: `${ours.address}/api/paste` }),
    () => rate(bare, { ...post, url: `${bare.address}/paste` }),
  );
  await smallFile(ours, folder, { authorization: headers.authorization });
}

/** A small file's share against the same file handed out by the runtime without asking anything. */
async function smallFile(ours: Measured, folder: string, headers: Record<string, string>): Promise<void> {
  const shelf = join(folder, "shelf");
  await Bun.write(join(shelf, "small"), CONTENT);
  await using bare = await startMeasured([process.execPath, join(root, "test/bench/bare-files.ts"), shelf], shelf);
  const body = new FormData();
  body.set("slug", "small");
  body.set("file", new File([CONTENT], "small.bin"));
  await fetch(`${ours.address}/api/upload`, { method: "POST", headers, body });
  await compare(
    { work: "GET /api/file-download, 2 KB", yardstick: "Bun.serve with Bun.file; no database", goal: 0.85 },
    () => rate(ours, { url: `${ours.address}/api/file-download/small` }),
    () => rate(bare, { url: `${bare.address}/small` }),
  );
}

await inFolder(requests);
