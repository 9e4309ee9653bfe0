import { readFileSync } from "node:fs";

/** A server in a process of its own whose costs the kernel tells. Linux only. */
export interface Measured extends AsyncDisposable {
  readonly address: string;
  readonly password: string;
  /** User and system time since it began. */
  processorSeconds(): number;
  residentBytes(): number;
  /** Those of them that are in no file: what the system cannot take back when others want it. */
  ownBytes(): number;
}

const CLOCK_TICKS = 100;
const PAGE = 4096;
const password = "bench password";

/** Starts a command that says `… is ready: http://…` on stderr; its log goes where a service's log goes, to a file. */
export async function startMeasured(
  command: readonly string[],
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Measured> {
  const child = Bun.spawn([...command], {
    env: {
      PATH: process.env.PATH ?? "",
      DATA_DIR: dataDir,
      PORT: "0",
      ADMIN_PASSWORD: password,
      NODE_ENV: "production",
      ...env,
    },
    stdin: "ignore",
    stdout: Bun.file(`${dataDir}.log`),
    stderr: "pipe",
  });
  const address = await readAddress(child.stderr);
  const stat = () => readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return {
    address,
    password,
    processorSeconds: () => (Number(stat()[11]) + Number(stat()[12])) / CLOCK_TICKS,
    residentBytes: () => Number(stat()[21]) * PAGE,
    ownBytes: () => {
      const rollup = readFileSync(`/proc/${child.pid}/smaps_rollup`, "utf8");
      return Number(/^Anonymous: +(\d+) kB$/m.exec(rollup)?.[1]) * 1024;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function readAddress(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const found = /is ready: (http\S+)/.exec(text)?.[1];
    if (found) return found;
  }
  throw new Error(`The server did not get ready: ${text}`);
}
