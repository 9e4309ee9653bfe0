/** How a program is run. */
interface Running {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Programs beside Bun, with Debian's packages that have them. */
const packageOf: Readonly<Record<string, string>> = {
  "apt-get": "apt",
  "dpkg-deb": "dpkg",
  git: "git",
  gzip: "gzip",
  minisign: "minisign",
  tar: "tar",
  zip: "zip",
};

/** Runs a program and returns what it writes. Throws with what it complained of when it fails; it may ask at the terminal. */
export async function run(command: readonly string[], { cwd, env }: Running = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, LC_ALL: "C.UTF-8", TZ: "UTC", ...env },
    stdin: "inherit",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0)
    throw new Error(`${command[0]} failed with ${child.exitCode}: ${complaint.trim() || said.trim()}`);
  return said;
}

/** Throws a sentence that names Debian's packages of the programs that are not here. */
export function requirePrograms(names: readonly string[]): void {
  const missing = names.filter((name) => Bun.which(name) === null);
  if (missing.length === 0) return;
  const packages = missing.map((name) => packageOf[name] ?? name);
  throw new Error(`A release needs ${missing.join(", ")}: apt-get install ${packages.join(" ")}.`);
}
