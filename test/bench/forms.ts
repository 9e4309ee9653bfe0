import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { openS3Store } from "../support/stores/s3-store.ts";
import { curl, median } from "./curl.ts";
import { type Measured, startMeasured } from "./measured.ts";

/**
 * `bun test/bench/forms.ts`: the memory of the whole server, the executable, while ten forms with a file of 128 MB each go into a
 * storage of S3, whose length nobody knows. Needs the executable (`bun build.ts`) and what the storage tests need; what is given
 * as argument is measured in place of dist/satchel. Nothing here fails.
 */
const MiB = 1024 ** 2;
const AT_ONCE = 10;
const ROUNDS = 5;

async function call(server: Measured, path: string, body: object, token = ""): Promise<Record<string, string>> {
  const response = await fetch(`${server.address}/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const { data, message } = (await response.json()) as { data: Record<string, string> | null; message: string };
  if (!data) throw new Error(message);
  return data;
}

const program = process.argv[2] ?? join(root, "dist/satchel");
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));
try {
  await using opened = await openS3Store();
  await using server = await startMeasured([program], join(folder, "data"));
  const { token } = await call(server, "/admin/login", { username: "admin", password: server.password });
  const storage = await call(
    server,
    "/s3-configs",
    {
      ...{ name: "Cloud", provider_type: "Other", endpoint_url: opened.server.endpoint, bucket_name: opened.bucket },
      ...{ access_key_id: opened.server.accessKey, secret_access_key: opened.server.secret, path_style: true },
      total_storage_bytes: 0,
    },
    token,
  );
  const mount = { name: "S", storage_type: "S3", storage_config_id: storage.id, mount_path: "/s" };
  await call(server, "/admin/mounts", mount, token);
  const source = join(folder, "source.bin");
  await Bun.$`head -c ${128 * MiB} /dev/urandom > ${source}`.quiet();
  const before = server.residentBytes();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, server.residentBytes());
  }, 20);
  const upload = (index: number) =>
    curl(
      ...["-H", `Authorization: Bearer ${token}`, "-F", "path=/s/", "-F", `filename=file-${index}`],
      ...["-F", `file=@${source};filename=file-${index}`, `${server.address}/api/fs/upload`],
    );
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    seconds.push(Math.max(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => upload(index))))));
  clearInterval(watch);
  const [high, low] = [most, before].map((bytes) => (bytes / 1e6).toFixed(0));
  process.stdout.write(
    `memory with ${AT_ONCE} forms at once: ${high} MB at most (to reach: 150), ${low} MB before; ${median(seconds).toFixed(1)} s\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
