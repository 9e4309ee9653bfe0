/** Somebody at a terminal in which a shell runs. */
export interface Typist extends AsyncDisposable {
  /** Types, and waits until what is printed from then on has this in it; answers that match. Ends with the test's own limit. */
  type(keys: string, shown: RegExp): Promise<string>;
}

interface ShellOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a shell that believes in a person before it. */
export function startShell(command: readonly string[], { cwd, environment = {} }: ShellOptions): Typist {
  let printed = "";
  let arrived = Promise.withResolvers<void>();
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: cwd, TERM: "dumb", PS1: "> ", LANG: "C.UTF-8", ...environment },
    terminal: {
      cols: 200,
      rows: 40,
      data(_, bytes) {
        printed += new TextDecoder().decode(bytes);
        arrived.resolve();
        arrived = Promise.withResolvers();
      },
    },
  });
  return {
    async type(keys, shown) {
      printed = "";
      child.terminal?.write(keys);
      for (;;) {
        const found = shown.exec(printed);
        if (found) return found[0];
        await arrived.promise;
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
