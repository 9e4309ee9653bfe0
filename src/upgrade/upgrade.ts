import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { readPublicKey, verifySignature } from "./minisign.ts";
import { type Place, placeOf } from "./place.ts";
import { modeOf, type Own, openWork, replaceOwn, requireOwn } from "./replace.ts";
import { type Archive, compareVersions, findArchive, SUMS, SUMS_SIGNATURE } from "./sums.ts";
import { unpackExecutable } from "./unpack.ts";

const MINUTE = 60_000;
/** Bytes and milliseconds: of the sums, of their signature, and of an archive. */
const SUMS_BOUNDS = { limit: 1 << 16, time: MINUTE };
const ARCHIVE_BOUNDS = { limit: 1 << 28, time: 60 * MINUTE };
/** Milliseconds in which the new executable must say its version. */
const TRIAL = MINUTE;

export interface Upgrade {
  readonly own: Own;
  /** The version that runs. */
  readonly version: string;
  /** The system that it was made for, as archives name it. */
  readonly system: string;
  /** Of minisign. */
  readonly publicKey: string;
  /** An address, a folder or an archive. */
  readonly from: string;
  /** Asks only whether there is a newer version. */
  readonly check: boolean;
  /** Takes the same or an older version, too. */
  readonly allowDowngrade: boolean;
  readonly signal: AbortSignal;
  print(line: string): void;
  /** Runs when everything was checked, right before the executable is replaced. */
  backUp(): Promise<void>;
}

/**
 * Replaces the executable with the one of a release whose signature is right, and keeps the old one. Throws a sentence, and leaves everything as
 * it was, when there is no newer version or anything is not as it should be.
 */
export async function upgrade(wanted: Upgrade): Promise<void> {
  const { own, version, check, allowDowngrade, signal, print } = wanted;
  if (!check) requireOwn(own);
  const place = placeOf(wanted.from);
  const archive = await readRelease(place, wanted);
  const order = compareVersions(archive.version, version);
  if (check) return print(checked(order, archive.version, version));
  if (order <= 0 && !allowDowngrade)
    throw new Error(
      `${order === 0 ? `This is version ${version} already` : `The release is version ${archive.version}, and this is ${version}`}. --allow-downgrade takes it all the same.`,
    );
  const work = await openWork(own);
  try {
    print(`Taking ${archive.name}.`);
    const file = join(work.folder, "archive");
    await save(place, archive, file, signal);
    const fresh = join(work.folder, own.path.endsWith(".exe") ? "satchel.exe" : "satchel");
    await unpackExecutable({ ...archive, system: wanted.system, file }, fresh, { mode: modeOf(own), signal });
    await tryOut(fresh, archive.version);
    await wanted.backUp();
    signal.throwIfAborted();
    const kept = await replaceOwn(own, fresh, work.folder);
    print(`${own.path} is version ${archive.version} now. Version ${version} is kept as ${kept}.`);
    print("A server that runs goes on with the old one until it is started again.");
  } finally {
    await work.remove();
  }
}

function checked(order: number, there: string, version: string): string {
  if (order > 0) return `Version ${there} is there; this is ${version}.`;
  return `This is version ${version}, and there is no newer one.`;
}

/** Reads the sums of a release, checks their signature, and finds the archive for this system. */
async function readRelease(place: Place, { publicKey, system, signal }: Upgrade): Promise<Archive> {
  const key = readPublicKey(publicKey);
  const read = async (name: string) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of place.read(name, { ...SUMS_BOUNDS, signal })) pieces.push(piece);
    return new Uint8Array(Buffer.concat(pieces));
  };
  const sums = await read(SUMS);
  await verifySignature(sums, new TextDecoder().decode(await read(SUMS_SIGNATURE)), key);
  return findArchive(new TextDecoder().decode(sums), system, place.archive);
}

/** Writes an archive to a file and compares it with its sum. */
async function save(place: Place, { name, hash }: Archive, to: string, signal: AbortSignal): Promise<void> {
  const sum = createHash("sha256");
  const handle = await open(to, "wx", 0o600);
  try {
    for await (const piece of place.read(name, { ...ARCHIVE_BOUNDS, signal })) {
      sum.update(piece);
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  if (sum.digest("hex") !== hash) throw new Error(`${name} is not what SHA256SUMS says: it is damaged.`);
}

/** Starts the new executable once: one that this machine cannot run must not take the place of one that it can. */
async function tryOut(fresh: string, version: string): Promise<void> {
  const cannot = `The new executable does not run on this machine; nothing was changed.`;
  const child = start(fresh);
  if (!child) throw new Error(cannot);
  const said = (await new Response(child.stdout).text()).trim();
  if ((await child.exited) !== 0 || said !== version) throw new Error(cannot);
}

function start(fresh: string) {
  const quiet = { stdin: "ignore", stdout: "pipe", stderr: "ignore", timeout: TRIAL, killSignal: "SIGKILL" } as const;
  try {
    // Its settings are none of this question. Windows starts nothing without its own.
    return Bun.spawn([fresh, "--version"], { ...quiet, ...(process.platform === "win32" ? {} : { env: {} }) });
  } catch {
    return undefined;
  }
}
