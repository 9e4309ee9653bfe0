import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordLog } from "./logs/log-record.ts";
import { root } from "./sources.ts";

export interface ServerOptions {
  /** Kept by the caller; without one the server gets a folder that goes with it. */
  readonly dataDir?: string;
  /** null leaves it to the first start to make one up. */
  readonly adminPassword?: string | null;
  /** What to start instead of the source, for instance the executable. */
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A real server in a process of its own, on a port that was free. */
export interface TestServer extends AsyncDisposable {
  /** As the ready line says it, without a slash at the end. */
  readonly address: string;
  readonly adminPassword: string;
  readonly dataDir: string;
  readonly pid: number;
  /** What it has written so far: its log, and what the person at the terminal reads. */
  stdout(): string;
  stderr(): string;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** What a command that has ended says. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Milliseconds that a server may take to start on a busy machine. */
const READY_WITHIN = 120_000;

/** Starts `bun src/main.ts`; the pages must have been built. Throws what the server wrote when it does not get ready. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "satchel-test-")));
  const adminPassword = options.adminPassword === undefined ? "correct horse battery" : options.adminPassword;
  const child = Bun.spawn([...(options.command ?? [process.execPath, join(root, "src/main.ts")])], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: dataDir,
      DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "info",
      ...(adminPassword !== null && { ADMIN_PASSWORD: adminPassword }),
      ...options.environment,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const keepLog = async () => {
    const record = recordLog();
    const key = Bun.file(join(dataDir, "secret.key"));
    const printed = stderr.text().match(/(?<=the password |#setup=)\S+/g) ?? [];
    for (const secret of [adminPassword ?? "", ...printed, (await key.exists()) ? await key.text() : ""])
      record.secret(secret.trim());
    await record.keep(stdout.text());
  };
  const wait = async () => {
    await Promise.all([child.exited, stdout.ended, stderr.ended]);
    await keepLog();
    if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    return child.exitCode ?? -1;
  };
  let over: Promise<number> | undefined;
  const end = () => {
    over ??= wait();
    return over;
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await end();
  };

  const timer = setTimeout(() => child.kill("SIGKILL"), READY_WITHIN);
  const ready = await stderr.until(/^Satchel is ready: (\S+)$/m);
  clearTimeout(timer);
  if (!ready) {
    await kill();
    throw new Error(`The server did not get ready:\n${stderr.text()}${stdout.text()}`);
  }
  const stop = async () => {
    child.kill("SIGTERM");
    return await end();
  };
  return {
    address: ready[1] ?? "",
    adminPassword: adminPassword ?? "",
    dataDir,
    pid: child.pid,
    stdout: stdout.text,
    stderr: stderr.text,
    stop,
    kill,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

/** Runs `bun src/main.ts` with these arguments to its end. */
export async function runSatchel(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...args], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

/** Reads a stream as it comes, and tells when a line turns up in it. */
function collect(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let over = false;
  let awake = Promise.withResolvers<void>();
  const wake = () => {
    awake.resolve();
    awake = Promise.withResolvers<void>();
  };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      wake();
    }
    over = true;
    wake();
  };
  return {
    ended: read(),
    text: () => text,
    /** The first match of a whole line, or nothing when the stream ends without one. */
    async until(pattern: RegExp): Promise<RegExpMatchArray | null> {
      for (;;) {
        const match = pattern.exec(text.slice(0, text.lastIndexOf("\n") + 1));
        if (match || over) return match;
        await awake.promise;
      }
    },
  };
}
