import { Failure } from "#contract/failures";
import { fsCopies as api, type ClientCopy } from "#contract/fs-copies";
import { COPY_PATIENCE, MAX_CLIENT_COPY } from "#contract/limits";
import { nameOf, parentOf } from "#contract/paths";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { runBatch } from "../../jobs/batch.ts";
import type { Task } from "../../jobs/task.ts";
import { createDeadline } from "../../lib/clock.ts";
import { logUnhandled } from "../../lib/log.ts";
import { createYielder } from "../../lib/turns.ts";
import { parsePath } from "../../vfs/entry.ts";
import type { ClientCopyItem, CopyRequest } from "../../vfs/view.ts";
import type { Bind } from "./bind.ts";
import { batchFields, failureItem, languageOf } from "./failures.ts";

/** How far the copy of one item is. */
interface Progress {
  readonly paths: Paths;
  done: number;
  skipped: number;
  failed: number;
  /** Of the files that were done. */
  bytes: number;
  /** The first of the failures. */
  readonly failures: { readonly path: string; readonly failure: Failure }[];
  crossing?: ClientCopy;
  /** The items that a storage copies, and their progress. */
  task?: Task & { readonly kind: "copy" };
  cursor?: string;
  /** Whether nothing of it is left to do. */
  ended: boolean;
}

/** Who requests the copies. */
interface Requester {
  readonly caller: Caller;
  /** Scheme and host under which the caller reaches this server. */
  readonly origin: string;
  readonly signal: AbortSignal;
}

interface Item {
  readonly sourcePath: string;
  readonly targetPath: string;
}

/** An item that was not copied, in the answer. */
interface NotCopied extends Item {
  readonly error: string;
}

type Paths = Pick<CopyRequest, "source" | "target">;

interface Bounds {
  readonly skipExisting: boolean;
  /** Files that the caller may be given to copy itself. */
  readonly most: number;
}

/** The most failures of one item that an answer names. */
const MAX_FAILURES = 100;

/** Copies in the tree over REST: within a storage at once, to another storage by the caller. */
export function bindFsCopies(bind: Bind, { vfs, jobs, transfers, log, access }: House): void {
  /** Copies within a storage. */
  const within = async ({ caller, signal }: Requester, copyRequest: CopyRequest, progress: Progress): Promise<void> => {
    const conditions = { caller: () => access.callers.now(caller), protocol: "mount", signal } as const;
    const task = { kind: "copy", ...copyRequest } as const;
    progress.task = task;
    for await (const { outcome, path, bytes, failure, cursor } of jobs.run(task, conditions)) {
      progress[outcome] += 1;
      progress.bytes += outcome === "done" ? bytes : 0;
      progress.cursor = cursor;
      if (failure && progress.failures.length < MAX_FAILURES) progress.failures.push({ path, failure });
    }
    progress.ended = !signal.aborted;
  };

  /** A copy onto itself gets a name of its own. */
  const requestOf = async (
    { caller }: Requester,
    { source, target }: Paths,
    skipExisting: boolean,
  ): Promise<CopyRequest> => {
    if (source !== target) return { source, target, skipExisting };
    const view = await vfs.as(caller, "mount");
    return { source, target: await view.at(target).numberedPath(), skipExisting };
  };

  /** Copies one item, and returns how many files the client has to copy itself. */
  const copy = async (requester: Requester, progress: Progress, { skipExisting, most }: Bounds): Promise<number> => {
    const { paths } = progress;
    if (requester.signal.aborted) return 0;
    try {
      const copyRequest = await requestOf(requester, paths, skipExisting);
      const view = await vfs.as(requester.caller, "mount");
      const crossing = await view.clientCopy(copyRequest, most);
      if (!crossing) {
        await within(requester, copyRequest, progress);
        return 0;
      }
      if (crossing.files.length > 0) progress.crossing = await shown(crossing, requester);
      Object.assign(progress, { done: crossing.made, skipped: crossing.skipped, ended: true });
      return crossing.files.length;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      fail(progress, error);
      return 0;
    }
  };

  const needsClient = async ({ caller }: Requester, paths: Paths): Promise<boolean> => {
    try {
      return (await vfs.as(caller, "mount")).isClientCopy(paths);
    } catch (error) {
      // Forbidden paths are refused in their turn.
      if (!(error instanceof Failure)) throw error;
      return false;
    }
  };

  /** Copies as much as there is time for, several items at once. */
  const copyAll = async (requester: Requester, all: readonly Progress[], skipExisting: boolean): Promise<void> => {
    let most = MAX_CLIENT_COPY;
    const crossing: boolean[] = [];
    const yielder = createYielder();
    for (const { paths } of all) {
      crossing.push(await needsClient(requester, paths));
      await yielder.yieldIfDue();
    }
    const items = all.map(({ paths }) => paths);
    // Counts the items that the caller copies itself, one after the other.
    await runBatch(
      items,
      (_, index) => crossing[index] === true,
      async (index) => {
        const progress = all[index];
        if (progress) most -= await copy(requester, progress, { skipExisting, most });
      },
    );
  };

  /** Creates a job for the copies that are not done, and returns its id; without a job, each copy fails with the reason. */
  const goOn = async ({ caller }: Requester, left: readonly Progress[], skipExisting: boolean) => {
    try {
      const tasks = left.map(({ paths, task, ...progress }) => ({
        ...progress,
        task: task ?? ({ kind: "copy", ...paths, skipExisting } as const),
      }));
      return tasks.length === 0 ? undefined : await jobs.goOn(caller, tasks);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const progress of left) fail(progress, error);
      return undefined;
    }
  };

  /** A client-side copy with its addresses, in the shape that existing clients expect. */
  const shown = async (item: ClientCopyItem, { caller, origin }: Requester): Promise<ClientCopy> => {
    const files = [];
    const view = await vfs.as(caller, "mount");
    for (const { walked, upload } of item.files) {
      const { mount, path, head } = walked;
      const file = await view.at(path).open("copy");
      files.push({
        sourceKey: head.key,
        targetKey: upload.row.key,
        fileName: nameOf(upload.path),
        relativeDir: parentOf(`/${walked.below}`).slice(1),
        contentType: upload.row.content_type,
        size: head.size,
        downloadUrl: (await vfs.addresses.both(file, { caller, origin })).download_url,
        uploadUrl: await transfers.putUrl(upload.row, { origin }),
        relayUrl: await transfers.putUrl(upload.row, { origin, relayed: true }),
        fileId: upload.row.id,
        mount,
      });
    }
    const [first] = files;
    const [{ renamed, upload } = { renamed: false, upload: undefined }] = item.files;
    const common = {
      ...({ crossStorage: true, status: "success", message: "OK" } as const),
      ...{ sourceMount: item.from.id, targetMount: item.to.id },
    };
    if (item.folder || !first) {
      const [source, target] = [`${item.source}/`, `${item.target}/`];
      return { ...common, renamed: false, isDirectory: true, source, target, originalTarget: target, items: files };
    }
    return {
      ...common,
      ...{ isDirectory: false, renamed, source: item.source, originalTarget: item.target },
      target: renamed && upload ? upload.path : item.target,
      ...{ sourceS3Path: first.sourceKey, targetS3Path: first.targetKey, fileName: first.fileName },
      ...{ contentType: first.contentType, size: first.size },
      ...{ downloadUrl: first.downloadUrl, uploadUrl: first.uploadUrl },
      ...{ relayUrl: first.relayUrl, fileId: first.fileId },
    };
  };

  bind(api.batchCopy, async ({ body: { items, skipExisting }, principal, request, context }) => {
    context.hold();
    const language = languageOf(request.headers);
    using deadline = createDeadline(COPY_PATIENCE);
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    const requester = { caller: principal, origin: context.origin(), signal };
    const sum = { success: 0, skipped: 0, failed: 0 };
    const details = [];
    const failed: NotCopied[] = [];
    let first: Failure | undefined;
    const crossStorageResults: ClientCopy[] = [];
    // All of them, before anything is done.
    const wanted = items.map((item) => ({ ...item, progress: begun(pathsOf(item)) }));
    const all = wanted.map(({ progress }) => progress);
    const copying = copyAll(requester, all, skipExisting);
    copying.catch((error: unknown) => deadline.left() && logUnhandled(log, error));
    await deadline.wait(copying);
    // The job repeats, and reports, the items in flight when the request ends.
    const states = wanted.map(({ targetPath, progress }) => ({ targetPath, outcome: stateOf(progress) }));
    const left = states.map(({ outcome }) => outcome).filter(({ ended }) => !ended);
    const job_id = await goOn(requester, request.signal.aborted ? [] : left, skipExisting);
    const later = job_id !== undefined && { code: 202 };
    for (const { targetPath, outcome } of states) {
      sum.success += outcome.done;
      sum.skipped += outcome.skipped;
      sum.failed += outcome.failed;
      if (outcome.crossing) crossStorageResults.push(outcome.crossing);
      for (const { path, failure } of outcome.failures) {
        first ??= failure;
        const why = failureItem(failure, language);
        details.push({ path, target: targetPath, status: "failed", ...why });
        failed.push({ sourcePath: path, targetPath, error: why.message });
      }
    }
    // Items that a job continues with may still succeed.
    const succeeded = sum.success + sum.skipped + crossStorageResults.length > 0 || job_id !== undefined;
    const fields = { ...batchFields({ succeeded, failed, first }, language), ...later };
    if (crossStorageResults.length === 0) return { ...fields, data: { crossStorage: false, ...sum, details, job_id } };
    const crossing = { crossStorage: true, requiresClientSideCopy: true, standardCopyResults: sum } as const;
    return { ...fields, data: { ...crossing, crossStorageResults, failed, details, job_id } };
  });

  bind(api.batchCopyCommit, async ({ body: { targetMountId, files }, principal, request, context }) => {
    context.hold();
    const view = await vfs.as(principal, "mount");
    const language = languageOf(request.headers);
    const success = [];
    const failed: { targetPath: string; error: string; message: string }[] = [];
    let first: Failure | undefined;
    for (const { targetPath, etag } of files) {
      try {
        const node = view.at(targetPath);
        node.requireInBasePath("write");
        if (node.location.mount?.id !== targetMountId) throw new Failure("path.otherMount");
        const { entry } = await node.commit({ etag });
        success.push({ targetPath: entry.path, fileName: entry.name });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        first ??= error;
        failed.push({ targetPath, ...failureItem(error, language) });
      }
    }
    return {
      ...batchFields({ succeeded: success.length > 0, failed, first }, language),
      data: { success, failed },
    };
  });
}

function fail(progress: Progress, failure: Failure): void {
  progress.failed += 1;
  progress.failures.push({ path: progress.paths.source, failure });
  progress.ended = true;
}

/** How far a copy is now. Only a request finds a free name, so a copy onto itself that is not done fails as busy. */
function stateOf(progress: Progress): Progress {
  const state = { ...progress, failures: [...progress.failures] };
  const { paths, task, ended } = state;
  if (!ended && !task && paths.source === paths.target) fail(state, new Failure("storage.busy"));
  return state;
}

const begun = (paths: Paths): Progress => ({
  ...{ paths, done: 0, skipped: 0, failed: 0, bytes: 0, failures: [], ended: false },
});

/** A file copied to a folder keeps its name; the target of a folder names the copy. 400 path.invalid. */
function pathsOf({ sourcePath, targetPath }: Item): Paths {
  const [from, to] = [parsePath(sourcePath), parsePath(targetPath)];
  const into = to.folder && !from.folder;
  return { source: from.path, target: into ? `${to.path === "/" ? "" : to.path}/${nameOf(from.path)}` : to.path };
}
