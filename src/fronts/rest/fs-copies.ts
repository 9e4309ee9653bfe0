import { Failure } from "#contract/failures";
import { fsCopies as api, type Crossing } from "#contract/fs-copies";
import { nameOf, parentOf } from "#contract/paths";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { type CopyWish, type CrossingItem, crossingOf } from "../../vfs/crossing.ts";
import { parsePath } from "../../vfs/layout.ts";
import { languageOf } from "./failures.ts";
import { told } from "./fs.ts";
import type { Bind } from "./route.ts";

/** What became of one thing that was to be copied. */
interface Outcome {
  readonly success: number;
  readonly skipped: number;
  readonly failures: readonly { readonly path: string; readonly failure: Failure }[];
  readonly crossing?: CrossingItem;
}

/** Copies in the tree over REST: within a storage at once, to another storage by whoever asks. */
export function bindFsCopies(bind: Bind, { vfs, transfers }: House): void {
  /** Copies within a storage. */
  const within = async (caller: Caller, wish: CopyWish): Promise<Outcome> => {
    const conditions = { caller: async () => caller, door: "mount", signal: new AbortController().signal } as const;
    let [success, skipped] = [0, 0];
    const failures: { path: string; failure: Failure }[] = [];
    for await (const { outcome, path, failure } of vfs.run({ kind: "copy", ...wish }, conditions)) {
      if (outcome === "done") success += 1;
      if (outcome === "skipped") skipped += 1;
      if (failure) failures.push({ path, failure });
    }
    return { success, skipped, failures };
  };

  const copy = async (caller: Caller, wish: CopyWish): Promise<Outcome> => {
    try {
      const crossing = await crossingOf(vfs.as(caller, "mount"), wish);
      if (!crossing) return await within(caller, wish);
      const { made: success, skipped, files } = crossing;
      return { success, skipped, failures: [], ...(files.length > 0 && { crossing }) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { success: 0, skipped: 0, failures: [{ path: wish.source, failure: error }] };
    }
  };

  /** A crossing with its addresses, as existing clients expect it. */
  const shown = async (item: CrossingItem, caller: Caller, origin: string): Promise<Crossing> => {
    const files = [];
    for (const { walked, upload } of item.files) {
      const { mount, path, head } = walked;
      const file = await vfs.as(caller, "mount").file("copy", path);
      files.push({
        sourceKey: head.key,
        targetKey: upload.row.key,
        fileName: nameOf(path),
        relativeDir: parentOf(`/${walked.below}`).slice(1),
        contentType: upload.row.content_type,
        size: head.size,
        downloadUrl: (await vfs.addresses.both(file, { caller, origin })).download_url,
        uploadUrl: await transfers.putUrl(upload.row, { origin }),
        mount,
      });
    }
    const [first] = files;
    const common = {
      ...({ crossStorage: true, status: "success", renamed: false, message: "OK" } as const),
      ...{ sourceMount: item.from.id, targetMount: item.to.id },
    };
    if (item.folder || !first) {
      const [source, target] = [`${item.source}/`, `${item.target}/`];
      return { ...common, isDirectory: true, source, target, originalTarget: target, items: files };
    }
    return {
      ...common,
      ...{ isDirectory: false, source: item.source, target: item.target, originalTarget: item.target },
      ...{ sourceS3Path: first.sourceKey, targetS3Path: first.targetKey, fileName: first.fileName },
      ...{ contentType: first.contentType, size: first.size },
      ...{ downloadUrl: first.downloadUrl, uploadUrl: first.uploadUrl },
    };
  };

  bind(api.batchCopy, async ({ body: { items, skipExisting }, principal, request, arrival }) => {
    arrival.hold();
    const language = languageOf(request.headers);
    const sum = { success: 0, skipped: 0, failed: 0 };
    const details = [];
    const failed = [];
    const crossings: CrossingItem[] = [];
    for (const { sourcePath, targetPath } of items) {
      const outcome = await copy(principal, { ...pathsOf(sourcePath, targetPath), skipExisting });
      sum.success += outcome.success;
      sum.skipped += outcome.skipped;
      sum.failed += outcome.failures.length;
      if (outcome.crossing) crossings.push(outcome.crossing);
      for (const { path, failure } of outcome.failures) {
        const why = told(failure, language);
        details.push({ path, target: targetPath, status: "failed", ...why });
        failed.push({ sourcePath: path, targetPath, error: why.message });
      }
    }
    if (crossings.length === 0) return { data: { crossStorage: false, ...sum, details } };
    const crossStorageResults = [];
    for (const one of crossings) crossStorageResults.push(await shown(one, principal, arrival.origin()));
    const crossing = { crossStorage: true, requiresClientSideCopy: true, standardCopyResults: sum } as const;
    return { data: { ...crossing, crossStorageResults, failed, details } };
  });

  bind(api.batchCopyCommit, async ({ body: { targetMountId, files }, principal, request, arrival }) => {
    arrival.hold();
    const view = vfs.as(principal, "mount");
    const success = [];
    const failed = [];
    for (const { targetPath, etag } of files) {
      try {
        const mount = await view.mountAt("copy", targetPath);
        if (mount?.id !== targetMountId) throw new Failure("path.otherMount");
        const { entry } = await view.uploads.commit(targetPath, { etag }, "copy");
        success.push({ targetPath: entry.path, fileName: entry.name });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failed.push({ targetPath, ...told(error, languageOf(request.headers)) });
      }
    }
    return { ...(success.length === 0 && { code: 202, success: false }), data: { success, failed } };
  });
}

/** A file that is copied to a folder keeps its name there; folders say themselves what they are to be called. */
function pathsOf(sourcePath: string, targetPath: string): { source: string; target: string } {
  const [from, to] = [parsePath(sourcePath), parsePath(targetPath)];
  const into = to.folder && !from.folder;
  return { source: from.path, target: into ? `${to.path === "/" ? "" : to.path}/${nameOf(from.path)}` : to.path };
}
