import { fsBytes } from "#contract/fs/bytes";
import { fsCopies } from "#contract/fs/copies";
import { fs } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import type { Permission } from "#contract/permissions";
import { type TreeCalls, urlOf, type Who } from "./tree-house.ts";

/** Something that is done to the tree over REST. */
export interface Act {
  readonly right: Permission;
  /** Another right that it takes. */
  readonly also?: Permission;
  /** Whether it takes a credential, whatever visitors may do. */
  readonly credential?: true;
  /** Does it to a file that is there, or to one that is not (`new`) in its folder; answers `ok` or the code of the failure. */
  readonly run: (tree: TreeCalls, path: string, who: Who) => Promise<string>;
}

interface Reply {
  readonly error?: string;
  readonly data: unknown;
}

const okOr = ({ error }: Reply): string => error ?? "ok";
/** There is no such upload, which only those learn who may ask. */
const missingIsOk = (said: string): string => (said === "upload.missing" ? "ok" : said);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

/** An answer that lists what failed. */
function ofItems({ error, data }: Reply): string {
  const told = data as { failed?: unknown; details?: readonly { error?: string }[] } | null;
  const failed = Array.isArray(told?.failed) ? (told.failed as readonly { error: string }[]) : [];
  return error ?? told?.details?.[0]?.error ?? failed[0]?.error ?? "ok";
}

const fileIn = (path: string): FormData => {
  const form = new FormData();
  form.set("path", folderOf(path));
  form.set("file", new File(["form"], "new form.txt"));
  return form;
};

/** Every call of the tree that names a path. */
export const acts: Readonly<Record<string, Act>> = {
  list: {
    right: "mount_view",
    run: async ({ call }, path, who) => okOr(await call(fs.list, { query: { path: folderOf(path) } }, who)),
  },
  get: { right: "mount_view", run: async ({ call }, path, who) => okOr(await call(fs.get, { query: { path } }, who)) },
  download: {
    right: "mount_view",
    async run({ house }, path, who) {
      const response = await house.request(urlOf(fsBytes.download, { path }), { headers: who });
      return response.ok ? "ok" : okOr((await response.json()) as Reply);
    },
  },
  zip: {
    right: "mount_view",
    async run({ house }, path, who) {
      const response = await house.request(urlOf(fsBytes.zip, { path }), { headers: who });
      return response.ok ? "ok" : okOr((await response.json()) as Reply);
    },
  },
  "file-link": {
    right: "mount_view",
    run: async ({ call }, path, who) => okOr(await call(fsBytes.fileLink, { query: { path } }, who)),
  },
  search: {
    right: "mount_view",
    run: async ({ call }, path, who) =>
      okOr(await call(fs.search, { query: { q: "txt", scope: "directory", path: folderOf(path) } }, who)),
  },
  "create-share": {
    right: "mount_view",
    run: async ({ call }, path, who) => okOr(await call(fs.createShare, { body: { path } }, who)),
  },
  "create-share of several": {
    right: "mount_view",
    credential: true,
    run: async ({ call }, path, who) =>
      okOr(await call(fs.createShare, { body: { paths: [path, folderOf(path)] } }, who)),
  },
  mkdir: {
    right: "mount_upload",
    run: async ({ call }, path, who) =>
      okOr(await call(fs.mkdir, { body: { path: `${folderOf(path)}/new folder` } }, who)),
  },
  update: {
    right: "mount_upload",
    run: async ({ call }, path, who) => okOr(await call(fs.update, { body: { path, content: "update" } }, who)),
  },
  form: {
    right: "mount_upload",
    async run({ house }, path, who) {
      const init = { method: "POST", headers: who, body: fileIn(path) };
      return okOr((await (await house.request("/api/fs/upload", init)).json()) as Reply);
    },
  },
  presign: {
    right: "mount_upload",
    run: async ({ call }, path, who) =>
      okOr(await call(fsUploads.presign, { body: { path: folderOf(path), fileName: "new.txt", fileSize: 1 } }, who)),
  },
  commit: {
    right: "mount_upload",
    run: async ({ call }, path, who) =>
      missingIsOk(okOr(await call(fsUploads.commit, { body: { targetPath: path } }, who))),
  },
  "multipart/init": {
    right: "mount_upload",
    run: async ({ call }, path, who) =>
      okOr(await call(fsUploads.begin, { body: { path: folderOf(path), fileName: "new.bin", fileSize: 1 } }, who)),
  },
  "multipart/parts": {
    right: "mount_upload",
    run: async ({ call }, path, who) =>
      missingIsOk(okOr(await call(fsUploads.parts, { body: { path, uploadId: "none" } }, who))),
  },
  "multipart/complete": {
    right: "mount_upload",
    run: async ({ call }, path, who) =>
      missingIsOk(okOr(await call(fsUploads.complete, { body: { path, uploadId: "none", parts: [] } }, who))),
  },
  "multipart/abort": {
    right: "mount_upload",
    run: async ({ call }, path, who) => okOr(await call(fsUploads.abort, { body: { path, uploadId: "none" } }, who)),
  },
  "copy from": {
    right: "mount_copy",
    run: async ({ call }, path, who) =>
      ofItems(
        await call(
          fsCopies.batchCopy,
          { body: { items: [{ sourcePath: path, targetPath: `${path} copy` }], skipExisting: false } },
          who,
        ),
      ),
  },
  "copy commit": {
    right: "mount_copy",
    also: "mount_upload",
    async run({ call, list }, path, who) {
      const targetMountId = (await list(folderOf(path))).data?.mount_id ?? "";
      const said = await call(
        fsCopies.batchCopyCommit,
        { body: { targetMountId, files: [{ targetPath: path }] } },
        who,
      );
      return missingIsOk(ofItems(said));
    },
  },
  rename: {
    right: "mount_rename",
    run: async ({ call }, path, who) => {
      const said = okOr(await call(fs.rename, { body: { oldPath: path, newPath: `${path} new` } }, who));
      if (said === "ok") await call(fs.rename, { body: { oldPath: `${path} new`, newPath: path } }, who);
      return said;
    },
  },
  "count-shares": {
    right: "mount_delete",
    run: async ({ call }, path, who) => okOr(await call(fs.countShares, { body: { paths: [path] } }, who)),
  },
  "batch-remove": {
    right: "mount_delete",
    run: async ({ call }, path, who) => ofItems(await call(fs.batchRemove, { body: { paths: [path] } }, who)),
  },
};
