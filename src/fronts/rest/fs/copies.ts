import { Failure } from "#contract/failures";
import { fsCopies as api, type ClientCopy } from "#contract/fs/copies";
import { COPY_PATIENCE } from "#contract/limits";
import { nameOf } from "#contract/paths";
import type { House } from "../../../house.ts";
import { createDeadline } from "../../../lib/clock.ts";
import { logUnhandled } from "../../../lib/log.ts";
import { parsePath } from "../../../vfs/entry.ts";
import type { Bind } from "../bind.ts";
import { batchFields, failureItem, languageOf } from "../failures.ts";
import { begun, createBatchCopy, type Paths, stateOf } from "./batch-copy.ts";

interface Item {
  readonly sourcePath: string;
  readonly targetPath: string;
}

/** An item that was not copied, in the answer. */
interface NotCopied extends Item {
  readonly error: string;
}

/** Copies in the tree over REST: within a storage at once, to another storage by the caller. */
export function bindFsCopies(bind: Bind, house: House): void {
  bindBatchCopy(bind, house);
  bindCommit(bind, house);
}

/** Copies of several items. */
function bindBatchCopy(bind: Bind, house: House): void {
  const { log } = house;
  const { copyAll, continueAsJob } = createBatchCopy(house);

  bind(api.batchCopy, async ({ body: { items, skipExisting }, principal, request, context }) => {
    context.hold();
    const language = languageOf(request.headers);
    using deadline = createDeadline(COPY_PATIENCE);
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    const requester = { caller: principal, base: context.base(), signal };
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
    const job_id = await continueAsJob(requester, request.signal.aborted ? [] : left, skipExisting);
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
}

/** The end of copies that the caller made. */
function bindCommit(bind: Bind, { vfs }: House): void {
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

/** A file copied to a folder keeps its name; the target of a folder names the copy. 400 path.invalid. */
function pathsOf({ sourcePath, targetPath }: Item): Paths {
  const [from, to] = [parsePath(sourcePath), parsePath(targetPath)];
  const into = to.folder && !from.folder;
  return { source: from.path, target: into ? `${to.path === "/" ? "" : to.path}/${nameOf(from.path)}` : to.path };
}
