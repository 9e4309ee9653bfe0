import { Failure } from "#contract/failures";
import { fsCopies as api, type Crossing } from "#contract/fs-copies";
import { MAX_CROSSING } from "#contract/limits";
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
  readonly failed: number;
  /** The first of them. */
  readonly failures: readonly { readonly path: string; readonly failure: Failure }[];
  readonly crossing?: Crossing;
  /** How many the caller has to copy itself. */
  readonly files?: number;
}

/** Who has something copied. */
interface Asker {
  readonly caller: Caller;
  /** Scheme and host under which the caller reaches this server. */
  readonly origin: string;
  readonly signal: AbortSignal;
}

interface Item {
  readonly sourcePath: string;
  readonly targetPath: string;
}

type Paths = Pick<CopyWish, "source" | "target">;

interface Bounds {
  readonly skipExisting: boolean;
  /** Files that the caller may be given to copy itself. */
  readonly most: number;
}

/** Failures of one item that are told. */
const MOST_TOLD = 100;

/** Copies in the tree over REST: within a storage at once, to another storage by whoever asks. */
export function bindFsCopies(bind: Bind, { vfs, transfers }: House): void {
  /** Copies within a storage. */
  const within = async ({ caller, signal }: Asker, wish: CopyWish): Promise<Outcome> => {
    const conditions = { caller: async () => caller, door: "mount", signal } as const;
    let [success, skipped, failed] = [0, 0, 0];
    const failures: { path: string; failure: Failure }[] = [];
    for await (const { outcome, path, failure } of vfs.run({ kind: "copy", ...wish }, conditions)) {
      if (outcome === "done") success += 1;
      if (outcome === "skipped") skipped += 1;
      if (outcome === "failed") failed += 1;
      if (failure && failures.length < MOST_TOLD) failures.push({ path, failure });
    }
    return { success, skipped, failed, failures };
  };

  /** What is copied to where it is gets a name of its own. */
  const wishOf = async ({ caller }: Asker, { source, target }: Paths, skipExisting: boolean): Promise<CopyWish> => {
    const free = source === target ? await vfs.as(caller, "mount").freePath("copy", target) : target;
    return { source, target: free, skipExisting };
  };

  const copy = async (asker: Asker, paths: Paths, { skipExisting, most }: Bounds): Promise<Outcome> => {
    try {
      const wish = await wishOf(asker, paths, skipExisting);
      const crossing = await crossingOf(vfs.as(asker.caller, "mount"), wish, most);
      if (!crossing) return await within(asker, wish);
      const { made: success, skipped, files } = crossing;
      if (files.length === 0) return { success, skipped, failed: 0, failures: [] };
      return { success, skipped, failed: 0, failures: [], crossing: await shown(crossing, asker), files: files.length };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { success: 0, skipped: 0, failed: 1, failures: [{ path: paths.source, failure: error }] };
    }
  };

  /** A crossing with its addresses, as existing clients expect it. */
  const shown = async (item: CrossingItem, { caller, origin }: Asker): Promise<Crossing> => {
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
    const asker = { caller: principal, origin: arrival.origin(), signal: request.signal };
    const sum = { success: 0, skipped: 0, failed: 0 };
    const details = [];
    const failed = [];
    const crossStorageResults: Crossing[] = [];
    let most = MAX_CROSSING;
    // All of them, before anything is done.
    const wanted = items.map((item) => ({ ...item, paths: pathsOf(item) }));
    for (const { targetPath, paths } of wanted) {
      const outcome = await copy(asker, paths, { skipExisting, most });
      sum.success += outcome.success;
      sum.skipped += outcome.skipped;
      sum.failed += outcome.failed;
      most -= outcome.files ?? 0;
      if (outcome.crossing) crossStorageResults.push(outcome.crossing);
      for (const { path, failure } of outcome.failures) {
        const why = told(failure, language);
        details.push({ path, target: targetPath, status: "failed", ...why });
        failed.push({ sourcePath: path, targetPath, error: why.message });
      }
    }
    if (crossStorageResults.length === 0) return { data: { crossStorage: false, ...sum, details } };
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

/** A file that is copied to a folder keeps its name there; folders say themselves what they are to be called. 400 path.invalid. */
function pathsOf({ sourcePath, targetPath }: Item): Paths {
  const [from, to] = [parsePath(sourcePath), parsePath(targetPath)];
  const into = to.folder && !from.folder;
  return { source: from.path, target: into ? `${to.path === "/" ? "" : to.path}/${nameOf(from.path)}` : to.path };
}
