import { fs } from "#contract/fs/fs";
import { fsTrash } from "#contract/fs/trash";
import { MAX_BATCH } from "#contract/limits";
import { join, nameOf, parentOf } from "#contract/paths";
import type { Call } from "../../../api/call.ts";
import { forPeople, isFailure, isSignedOut } from "../../../api/failure.ts";
import { asFolder, bare } from "../../../lib/folder-path.ts";
import type { FileFacts } from "./conflicts.ts";
import type { Entry } from "./entry.ts";
import type { Moved, Outcome, Trouble } from "./outcome.ts";
import { cancelledAt, noOutcome, together, troubleAt } from "./outcome.ts";

/** Operations that the server does at once. Copies, and moves between storages, are in jobs.ts. */

/** How long the server may be silent, in milliseconds: S3 has no folders, so a large one takes long. */
const PATIENCE = 10 * 60_000;

/** Returns the path of an entry under another name or in another folder; that of a folder ends in a slash. */
export const pathAt = (entry: Pick<Entry, "isDirectory">, folder: string, name: string): string =>
  entry.isDirectory ? asFolder(join(bare(folder), name)) : join(bare(folder), name);

/** Reports whether the other calls would fail, too: nobody is signed in, nobody answers, or it is forbidden. */
export const endsAll = (error: unknown): boolean =>
  isSignedOut(error) || isFailure(error, "network") || isFailure(error, "auth.forbidden");

/** Makes a folder. Throws ApiFailure. */
export const makeFolder = async (call: Call, folder: string, name: string): Promise<string> => {
  const path = join(bare(folder), name);
  await call(fs.mkdir, { body: { path } });
  return asFolder(path);
};

/** Makes an empty file, in place of nothing. Throws ApiFailure. */
export const makeFile = async (call: Call, folder: string, name: string): Promise<string> => {
  const path = join(bare(folder), name);
  await call(fs.update, { body: { path, content: "", isNew: true } });
  return path;
};

/** Renames or moves within a mount, and replaces nothing. Throws ApiFailure, `path.otherMount` if it takes a job. */
export async function rename(call: Call, { from, to }: Moved): Promise<void> {
  await call(fs.rename, { body: { oldPath: from, newPath: to }, patience: PATIENCE });
}

/** How somebody cancels what is done one after the other, and is told how far it is. */
export interface Stepping {
  readonly signal: AbortSignal;
  readonly onStep: (done: number, current: string) => void;
}

/**
 * Renames one after the other. After a failure that stops all, the rest counts as failed for the same reason, and when it is cancelled as
 * cancelled. `byJob` are moves between mounts.
 */
export async function renameAll(
  call: Call,
  moves: readonly Moved[],
  { signal, onStep }: Stepping,
): Promise<Outcome & { readonly byJob: Moved[] }> {
  const done: Moved[] = [];
  const failed: Trouble[] = [];
  const byJob: Moved[] = [];
  let end: unknown;
  for (const [index, move] of moves.entries()) {
    if (signal.aborted) {
      failed.push(cancelledAt(move.from));
      continue;
    }
    try {
      if (end !== undefined) throw end;
      await rename(call, move);
      done.push(move);
    } catch (error) {
      if (isFailure(error, "path.otherMount")) byJob.push(move);
      else failed.push(troubleAt(move.from, error));
      if (endsAll(error)) end = error;
    }
    onStep(index + 1, move.to);
  }
  return { done, skipped: 0, failed, byJob };
}

/** Deletes files, and folders with everything below them: to the trash where there is one, unless `forever`. Never throws. */
export async function remove(call: Call, paths: readonly string[], forever: boolean): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < paths.length; start += MAX_BATCH) {
    const some = paths.slice(start, start + MAX_BATCH);
    const outcome = await removeSome(call, some, forever);
    outcomes.push(outcome);
  }
  return together(outcomes);
}

async function removeSome(call: Call, paths: readonly string[], forever: boolean): Promise<Outcome> {
  const outcomeOf = (failed: readonly Trouble[], trashed: ReadonlyMap<string, string> = new Map()): Outcome => {
    const stay = new Set(failed.map(({ path }) => path));
    const done = paths.filter((path) => !stay.has(path));
    return { ...noOutcome, done: done.map((path) => removedAt(path, trashed.get(path))), failed };
  };
  try {
    const body = { paths: [...paths], ...(forever && { forever }) };
    const { failed, trashed } = (await call(fs.batchRemove, { body, patience: PATIENCE })).data;
    const troubles = failed.map(({ path, error, message }) => ({ path, reason: forPeople(message), code: error }));
    return outcomeOf(troubles, new Map(trashed.map(({ path, id }) => [path, id])));
  } catch (error) {
    const each = isFailure(error) ? troublesIn(error.failed) : [];
    return outcomeOf(each.length > 0 ? each : paths.map((path) => troubleAt(path, error)));
  }
}

const removedAt = (path: string, trash: string | undefined): Moved => ({
  from: path,
  to: path,
  ...(trash !== undefined && { trash }),
});

/** Puts back what was deleted to where it was, or beside what is there now. Never throws. */
export async function restoreAll(call: Call, moves: readonly Moved[]): Promise<Outcome> {
  const byId = new Map(moves.flatMap((move) => (move.trash === undefined ? [] : [[move.trash, move.from]])));
  const outcomes: Outcome[] = [];
  const ids = [...byId.keys()];
  for (let start = 0; start < ids.length; start += MAX_BATCH)
    outcomes.push(await restoreSome(call, ids.slice(start, start + MAX_BATCH), byId));
  return together(outcomes);
}

async function restoreSome(call: Call, ids: readonly string[], paths: ReadonlyMap<string, string>): Promise<Outcome> {
  const pathOf = (id: string): string => paths.get(id) ?? id;
  try {
    const { restored, failed } = (await call(fsTrash.restore, { body: { ids: [...ids] }, patience: PATIENCE })).data;
    return {
      ...noOutcome,
      done: restored.map(({ id, path }) => ({ from: pathOf(id), to: path })),
      failed: failed.map(({ id, error, message }) => ({ path: pathOf(id), reason: forPeople(message), code: error })),
    };
  } catch (error) {
    return { ...noOutcome, failed: ids.map((id) => troubleAt(pathOf(id), error)) };
  }
}

/** Reads the failure of each path from a batch in which nothing succeeded. */
function troublesIn(failed: readonly unknown[]): Trouble[] {
  return failed.flatMap((one) => {
    const fields = new Map(typeof one === "object" && one !== null ? Object.entries(one) : []);
    const [path, error, message] = [fields.get("path"), fields.get("error"), fields.get("message")];
    if (typeof path !== "string") return [];
    return [{ path, reason: String(message ?? error ?? ""), code: typeof error === "string" ? error : undefined }];
  });
}

/** Returns the names in a folder; none if it does not exist. Throws ApiFailure. */
export async function namesIn(call: Call, folder: string): Promise<ReadonlyMap<string, FileFacts>> {
  const names = new Map<string, FileFacts>();
  let cursor: string | null = null;
  do {
    const page: { items: Entry[]; next_cursor: string | null } | undefined = await pageOf(call, folder, cursor);
    for (const { name, size, modified } of page?.items ?? []) names.set(name, { size, modified });
    cursor = page?.next_cursor ?? null;
  } while (cursor !== null);
  return names;
}

async function pageOf(call: Call, folder: string, cursor: string | null) {
  try {
    return (await call(fs.list, { query: { path: bare(folder), ...(cursor === null ? {} : { cursor }) } })).data;
  } catch (error) {
    if (isFailure(error, "path.missing")) return undefined;
    throw error;
  }
}

/** Returns the folders that these moves change. */
export const foldersOf = (moves: readonly Moved[]): string[] =>
  moves.flatMap(({ from, to }) => [parentOf(bare(from)), parentOf(bare(to))]);

/** Returns the last segment of a path, with or without a slash at its end. */
export const named = (path: string): string => nameOf(bare(path));
