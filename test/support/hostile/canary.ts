import { root } from "../sources.ts";

/** What a well-behaved client met while it asked for the health of a server again and again. */
export interface CanaryReport {
  readonly asked: number;
  /** How often the answer was 200 and as documented. */
  readonly answered: number;
  /** Milliseconds of each answer, in the order of the questions. */
  readonly took: readonly number[];
}

export interface Canary {
  /** Ends after the question that is under way. */
  stop(): Promise<CanaryReport>;
}

/** Begins to ask, one question at a time, in a process of its own, so that it waits for nobody but the server. */
export function startCanary(address: string): Canary {
  const command = [process.execPath, `${root}/test/support/hostile/canary.ts`, address];
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe" });
  const told = new Response(child.stdout).json();
  return {
    async stop() {
      await child.stdin.end();
      return (await told) as CanaryReport;
    },
  };
}

/** Milliseconds between an answer and the next question. */
const PAUSE = 5;

async function isHealthy(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/api/health`);
    return response.status === 200 && ((await response.json()) as { status: string }).status === "ok";
  } catch {
    // Counts as not answered.
    return false;
  }
}

async function run(address: string): Promise<CanaryReport> {
  let running = true;
  let answered = 0;
  const took: number[] = [];
  const over = Bun.stdin.text().then(() => {
    running = false;
  });
  while (running) {
    const began = performance.now();
    if (await isHealthy(address)) answered += 1;
    took.push(performance.now() - began);
    await Bun.sleep(PAUSE);
  }
  await over;
  return { asked: took.length, answered, took };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(process.argv[2] ?? "")));
