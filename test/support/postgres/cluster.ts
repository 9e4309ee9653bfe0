import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../servers/free-port.ts";

const script = join(import.meta.dir, "cluster.sh");

/**
 * The PostgreSQL of this process, as the address of a role that may make databases: the one that TEST_POSTGRES names, else one of
 * Debian's packages that is started now. It stops by itself when this process is gone. Throws what its script wrote when it cannot
 * be had.
 */
export async function cluster(): Promise<string> {
  // Each test file has its own modules; what they share is the environment.
  process.env.TEST_POSTGRES ??= (await startCluster()).url;
  return process.env.TEST_POSTGRES;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** A PostgreSQL of the test's own, which it may stop and start: one alone, or a standby of the one at this address. */
export async function startCluster(primary?: string) {
  const run = await mkdtemp(join(tmpdir(), "satchel-postgres-"));
  const port = freePort();
  const words = ["serve", run, `${port}`, ...(primary ? [new URL(primary).port] : [])];
  const child = Bun.spawn(["bash", script, ...words], { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  for await (const chunk of child.stdout) if (new TextDecoder().decode(chunk).includes("ready")) break;
  child.unref();
  const url = `postgres://satchel@127.0.0.1:${port}/postgres`;
  const control = async (...words: string[]): Promise<void> => {
    const { exited, stderr } = Bun.spawn(["bash", script, ...words], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    if ((await exited) !== 0) throw new Error(await new Response(stderr).text());
  };
  if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text());
  return {
    url,
    start: () => control("start", run),
    stop: (mode: "fast" | "immediate") => control("stop", run, mode),
    /** Makes a standby the primary. */
    promote: () => control("promote", run),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child.exited;
    },
  };
}
