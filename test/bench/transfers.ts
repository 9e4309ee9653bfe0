import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { download, median, upload } from "./curl.ts";
import { type Measured, startMeasured } from "./measured.ts";

const GB = 1024 ** 3;
const ROUNDS = 5;
const AT_ONCE = 10;

interface Bench {
  readonly satchel: string;
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** One gigabyte up and down against what the runtime alone does with it, and the memory of ten of each at once. */
export async function transfers({ satchel, folder, say }: Bench): Promise<void> {
  const source = join(folder, "source.bin");
  await Bun.$`head -c ${GB} /dev/urandom > ${source}`;
  mkdirSync(join(folder, "bare"), { recursive: true });
  const bareCommand = [process.execPath, join(root, "test/bench/bare-files.ts"), join(folder, "bare")];
  await using bare = await startMeasured(bareCommand, folder);
  await using ours = await startMeasured([satchel], join(folder, "files"));
  const client = await signedIn(ours);

  const up: number[] = [];
  const down: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await upload(`${bare.address}/one`, source);
    const begun = await client.begin(`one-${round}.bin`);
    const mine = await upload(begun.url, source);
    const slug = await begun.commit();
    up.push(theirs / mine);
    const theirDown = await download(`${bare.address}/one`);
    const myDown = await download(`${ours.address}/api/file-download/${slug}`);
    down.push(theirDown / myDown);
    say(
      `  1 GB up ${mine.toFixed(2)} s, bare ${theirs.toFixed(2)} s; down ${myDown.toFixed(2)} s, bare ${theirDown.toFixed(2)} s`,
    );
    await client.remove(begun.id);
  }
  say(`1 GB upload through its presigned address: ${median(up).toFixed(2)} of the bare rate (to reach: 0.85)`);
  say(`1 GB download: ${median(down).toFixed(2)} of the bare rate (to reach: 0.90)`);
  await together(ours, client, { source, say });
}

type Client = Awaited<ReturnType<typeof signedIn>>;

/** Ten up and ten down at once: what the server holds of it. */
async function together(ours: Measured, client: Client, { source, say }: { source: string; say: Bench["say"] }) {
  const first = await client.begin("down.bin");
  await upload(first.url, source);
  const slug = await first.commit();
  const before = ours.residentBytes();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, ours.residentBytes());
  }, 50);
  const ups = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => client.begin(`up-${index}.bin`)));
  await Promise.all([
    ...ups.map(async ({ url, commit }) => {
      await upload(url, source);
      await commit();
    }),
    ...ups.map(() => download(`${ours.address}/api/file-download/${slug}`)),
  ]);
  clearInterval(watch);
  say(
    `memory with 10 uploads and 10 downloads of 1 GB at once: ${(peak / 1e6).toFixed(0)} MB at most, ${(before / 1e6).toFixed(0)} MB before (to reach: 150 MB)`,
  );
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
    /** Begins an upload of one gigabyte, or of as many bytes as are given. */
    async begin(filename: string, size = GB) {
      const begun = await call<{ file_id: string; upload_url: string }>(
        "POST",
        "/s3/presign",
        { filename, size },
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
