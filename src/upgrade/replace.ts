import { accessSync, constants, existsSync, statSync } from "node:fs";
import { chown, copyFile, link, lstat, mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The executable that is to be replaced. */
export interface Own {
  /** Its file, where no link leads any further. */
  readonly path: string;
  /** Whether its system lets nobody replace the file of a program that runs, as Windows does. */
  readonly isLocked: boolean;
}

/** Throws a sentence when the executable is not for its user to replace: a package has brought it, or there is no right to. */
export function requireOwn({ path }: Own, exists: (file: string) => boolean = existsSync): void {
  const packaged = ownerOf(path, exists);
  if (packaged !== undefined) throw new Error(packaged);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    throw new Error(noRight(path));
  }
}

/** Which package has brought an executable, and how that is upgraded. */
function ownerOf(path: string, exists: (file: string) => boolean): string | undefined {
  if (/^\/usr\/s?bin\//.test(path) && exists("/var/lib/dpkg/info/satchel.list"))
    return `${path} is of a package of Debian. Upgrade that: apt install ./satchel_VERSION_ARCHITECTURE.deb`;
  if (path.includes("/Cellar/")) return `${path} is of Homebrew. Upgrade it by: brew upgrade satchel`;
  if (/[\\/]scoop[\\/]apps[\\/]/i.test(path)) return `${path} is of Scoop. Upgrade it by: scoop update satchel`;
  return undefined;
}

const noRight = (path: string): string =>
  `There is no right to replace ${path}. Run this as the user to whom its folder belongs; in place of a container's, start the new image.`;

const WORK = ".satchel-upgrade-";
/** Milliseconds after which nobody can still be working where nothing was written since. */
const ABANDONED = 60 * 60_000;

/** Makes a folder to work in beside the executable, for its user alone, and removes those that killed upgrades have left. */
export async function openWork({ path }: Own): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const beside = dirname(path);
  try {
    for (const name of await readdir(beside)) if (name.startsWith(WORK)) await removeAbandoned(join(beside, name));
    const folder = await mkdtemp(join(beside, WORK));
    return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
  } catch (error) {
    throw isRefused(error) ? new Error(noRight(path)) : error;
  }
}

async function removeAbandoned(path: string): Promise<void> {
  try {
    const { mtimeMs } = await lstat(path);
    if (Date.now() - mtimeMs > ABANDONED) await rm(path, { recursive: true, force: true });
  } catch {
    // Another upgrade has removed it just now, or it is another user's: this one needs none of it.
  }
}

/** The mode of the new executable: that of the old one, which its user can run. */
export const modeOf = ({ path }: Own): number => (statSync(path).mode & 0o7777) | 0o500;

/** Where the old executable is kept. */
const keptPath = (path: string): string => (path.endsWith(".exe") ? path.replace(/\.exe$/, ".old.exe") : `${path}.old`);

/**
 * Puts a new executable in the place of the running one, and keeps that one beside it. Where the system allows it, there is a whole executable at
 * the path at every moment. Returns where the old one is.
 */
export async function replaceOwn({ path, isLocked }: Own, fresh: string, folder: string): Promise<string> {
  const kept = keptPath(path);
  try {
    await keepOwner(path, fresh);
    if (isLocked) return await replaceLocked(path, fresh, kept);
    const second = join(folder, "old");
    // Not every file system has hard links.
    await link(path, second).catch(() => copyFile(path, second));
    await rename(second, kept);
    await rename(fresh, path);
    await flushFolder(dirname(path));
    return kept;
  } catch (error) {
    throw isRefused(error) ? new Error(noRight(path)) : error;
  }
}

/** The file of a program that runs cannot be replaced there, but it can be given another name. */
async function replaceLocked(path: string, fresh: string, wanted: string): Promise<string> {
  const kept = await rm(wanted, { force: true }).then(
    () => wanted,
    // A server still runs from the one before.
    () => wanted.replace(/\.old/, `.${Date.now()}.old`),
  );
  await rename(path, kept);
  try {
    await rename(fresh, path);
  } catch (error) {
    await rename(kept, path);
    throw error;
  }
  return kept;
}

/** Whoever upgrades as root leaves the file to whom it belongs. */
async function keepOwner(path: string, fresh: string): Promise<void> {
  const { uid, gid } = statSync(path);
  if (process.getuid?.() !== 0 || (uid === 0 && gid === 0)) return;
  const { mode } = statSync(fresh);
  await chown(fresh, uid, gid);
  const handle = await open(fresh, "r");
  // Another owner takes some bits of the mode away.
  await handle.chmod(mode & 0o7777).finally(() => handle.close());
}

/** After a power cut the new name is there, too. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["EACCES", "EPERM", "EROFS"].includes(`${error.code}`);
