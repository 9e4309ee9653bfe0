import { files, type OpenedFile } from "#contract/files";
import { call } from "../../api/call.ts";
import { servedPage } from "../../page/served-page.ts";
import { loadViewer } from "../../preview/file/viewers.ts";
import type { ShareSource } from "../../ui/share-gate/opening.ts";

type OpenedField =
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
export type OpenFile = OpenedFile & Required<Pick<OpenedFile, OpenedField>>;

/** Has what shows a picture arrive before it takes the place of the one that the page has brought. */
async function withPicture(file: OpenedFile): Promise<OpenedFile> {
  const { filename, mimetype = "", typeName = "unknown" } = file;
  // Without it the page tells that it did not arrive, where it would be.
  if (filename !== undefined && servedPage()?.querySelector("img"))
    await loadViewer({ filename, mimetype, typeName }).catch(() => undefined);
  return file;
}

/** The way to a file share. */
export const fileSource: ShareSource<OpenedFile, OpenFile> = {
  kind: "file",
  look: async (slug, signal) =>
    await withPicture((await call(files.open, { params: { slug }, query: { peek: "1" }, signal })).data),
  async prepare(look, password) {
    const { slug, max_views, requires_password } = look;
    // Only a view that is limited is lost. What the file is, is told to whoever has proven the password.
    if (max_views === 0 || (requires_password && !password)) return;
    const known = password
      ? (await call(files.unlock, { params: { slug }, query: { peek: "1" }, body: { password } })).data
      : look;
    const { ending = "", mimetype = "", typeName = "unknown" } = known;
    await loadViewer({ filename: `.${ending}`, mimetype, typeName });
  },
  open: async (slug, password) =>
    (password
      ? await call(files.unlock, { params: { slug }, body: { password } })
      : await call(files.open, { params: { slug } })
    ).data,
  isOpen: (share): share is OpenFile => share.downloadUrl !== undefined,
};
