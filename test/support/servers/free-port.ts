import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Below those that a system gives to whoever asks for any port (32768 on Linux), so that none of these goes to somebody else. */
const OUR_PORTS = { first: 10_000, count: 10_000 };

/** A file for each port, with the process that has it: between the choice of a port and its use lies the start of a server. */
const TAKEN = join(tmpdir(), "satchel-test-ports");

/** A port that is free, and that no other test gets as long as this process runs. */
export function freePort(): number {
  mkdirSync(TAKEN, { recursive: true });
  for (;;) {
    const port = OUR_PORTS.first + Math.floor(Math.random() * OUR_PORTS.count);
    if (take(join(TAKEN, `${port}`)) && isFree(port)) return port;
  }
}

/** Whether the file is ours now. What a process has left that runs no longer is removed, for whoever asks next. */
function take(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
  if (!isRunning(holderOf(path))) rmSync(path, { force: true });
  return false;
}

/** 0, which runs, for one that is being written; this process for one that has gone meanwhile. */
function holderOf(path: string): number {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
    return process.pid;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } }).stop(true);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    return false;
  }
}
