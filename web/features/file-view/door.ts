import { files, type OpenedFile } from "#contract/files";
import { call } from "../../api/call.ts";
import type { Door } from "../../ui/share-gate/opening.ts";

type Told =
  | "id"
  | "filename"
  | "mimetype"
  | "size"
  | "remark"
  | "created_at"
  | "expires_at"
  | "typeName"
  | "downloadUrl";

/** A file share that has been opened; without `previewUrl` each further fetch of it spends a view. */
export type OpenFile = OpenedFile & Required<Pick<OpenedFile, Told>>;

/** The way to a file share. */
export const fileDoor: Door<OpenedFile, OpenFile> = {
  kind: "file",
  look: async (slug, signal) => (await call(files.open, { params: { slug }, query: { peek: "1" }, signal })).data,
  open: async (slug, password) =>
    (password
      ? await call(files.unlock, { params: { slug }, body: { password } })
      : await call(files.open, { params: { slug } })
    ).data,
  isOpen: (share): share is OpenFile => share.downloadUrl !== undefined,
};
