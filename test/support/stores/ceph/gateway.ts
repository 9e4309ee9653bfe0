import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where a real S3 server is, and who may do everything there. */
export interface S3Server {
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secret: string;
}

/**
 * The S3 server of this process: the one that TEST_S3_ENDPOINT, TEST_S3_KEY and TEST_S3_SECRET name, else Ceph's gateway, started
 * when it is first wanted, which takes a quarter of a minute. It stops by itself when this process is gone. Throws what its
 * script wrote when it cannot be had.
 */
export async function s3Server(): Promise<S3Server> {
  const { TEST_S3_ENDPOINT: endpoint, TEST_S3_KEY: accessKey, TEST_S3_SECRET: secret } = process.env;
  if (endpoint && accessKey && secret) return { endpoint, accessKey, secret };
  const started = await start();
  // Each test file has its own modules; what they share is the environment.
  process.env.TEST_S3_ENDPOINT = started.endpoint;
  process.env.TEST_S3_KEY = started.accessKey;
  process.env.TEST_S3_SECRET = started.secret;
  return started;
}

async function start(): Promise<S3Server> {
  const run = await mkdtemp(join(tmpdir(), "satchel-ceph-run-"));
  const script = join(import.meta.dir, "gateway.sh");
  const child = Bun.spawn(["bash", script, "serve", join(tmpdir(), "satchel-ceph"), run], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const line = await firstLine(child.stdout);
  const [endpoint, accessKey, secret] = line.split(" ");
  if (!endpoint || !accessKey || !secret) throw new Error(await new Response(child.stderr).text());
  child.unref();
  return { endpoint, accessKey, secret };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}
