import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { download, median, upload } from "./curl.ts";
import { tell } from "./figures.ts";
import { inFolder } from "./in-folder.ts";
import { type Measured, startMeasured } from "./measured.ts";

const GB = 1024 ** 3;
const ROUNDS = 5;

const YARDSTICK = "Bun.serve with Bun.write, flushed, and Bun.file; no names, no one checked";
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `bun test/bench/transfers.ts`: one gigabyte up and down against what the runtime alone does with it. */
async function transfers(folder: string): Promise<void> {
  const source = join(folder, "source.bin");
  await Bun.$`head -c ${GB} /dev/urandom > ${source}`;
  mkdirSync(join(folder, "bare"), { recursive: true });
  const bareCommand = [process.execPath, join(root, "test/bench/bare-files.ts"), join(folder, "bare")];
  await using bare = await startMeasured(bareCommand, folder);
  await using ours = await startMeasured([join(root, "dist/satchel")], join(folder, "files"));
  const client = await signedIn(ours);

  const up: number[] = [];
  const down: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Each writes a new file, and neither waits for what the other has left for the disk.
    const other = `${bare.address}/one-${round}`;
    await Bun.$`sync`;
    const theirs = await upload(other, source);
    await Bun.$`sync`;
    const begun = await client.begin(`one-${round}.bin`);
    const mine = await upload(begun.url, source);
    const slug = await begun.commit();
    up.push(theirs / mine);
    const theirDown = await download(other);
    const myDown = await download(`${ours.address}/api/file-download/${slug}`);
    down.push(theirDown / myDown);
    say(
      `  1 GB up ${mine.toFixed(2)} s, bare ${theirs.toFixed(2)} s; down ${myDown.toFixed(2)} s, bare ${theirDown.toFixed(2)} s`,
    );
    await client.remove(begun.id);
    await rm(join(folder, "bare", `one-${round}`));
  }
  const rate = { yardstick: YARDSTICK, unit: "× rate" } as const;
  tell({ work: "1 GB upload by its presigned address", ...rate, value: median(up), goal: 0.85 });
  tell({ work: "1 GB download", ...rate, value: median(down), goal: 0.9 });
}

async function signedIn({ address, password }: Measured) {
  const call = async <Answer>(method: string, path: string, body: unknown, token = ""): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/api${path}`, {
      method,
      ...(token && { headers }),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return ((await response.json()) as { data: Answer }).data;
  };
  const { token } = await call<{ token: string }>("POST", "/admin/login", { username: "admin", password });
  return {
    /** Begins an upload of one gigabyte. */
    async begin(filename: string) {
      const begun = await call<{ file_id: string; upload_url: string }>(
        "POST",
        "/s3/presign",
        { filename, size: GB },
        token,
      );
      return {
        id: begun.file_id,
        url: begun.upload_url,
        commit: async () =>
          (await call<{ slug: string }>("POST", "/s3/commit", { file_id: begun.file_id }, token)).slug,
      };
    },
    remove: (id: string) => call("DELETE", "/files/batch-delete", { ids: [id] }, token),
  };
}

await inFolder(transfers);
