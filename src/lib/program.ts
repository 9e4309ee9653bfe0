import { join } from "node:path";

/**
 * The command that starts this program again: the executable, or in development Bun with the file that begins. What a build writes into
 * the executable for `import.meta.dir` is the folder that it was built in, so that says nothing; `Bun.main` is read as it runs.
 */
export function ownProgram(): string[] {
  const isCompiled = /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN)/.test(Bun.main);
  return isCompiled ? [process.execPath] : [process.execPath, join(import.meta.dir, "../main.ts")];
}
