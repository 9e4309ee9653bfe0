import { files, type OpenedFile } from "#contract/files";
import { call } from "../../api/call.ts";
import type { ShareSource } from "../../ui/share-gate/opening.ts";

type OpenedField = "id" | "size" | "created_at" | "expires_at" | "previewUrl" | "downloadUrl" | "sealed";

/** A sealed share that has been opened: its bytes and its names can be fetched, and read by who has the key. */
export type OpenSealed = OpenedFile & Required<Pick<OpenedFile, OpenedField>>;

/** The way to a sealed share: that of the file which it is to the server. */
export const sealedSource: ShareSource<OpenedFile, OpenSealed> = {
  kind: "sealed",
  look: async (slug, signal) => (await call(files.open, { params: { slug }, query: { peek: "1" }, signal })).data,
  open: async (slug) => (await call(files.open, { params: { slug } })).data,
  isOpen: (share): share is OpenSealed => share.downloadUrl !== undefined && share.sealed !== undefined,
};

/** What the names of a sealed share, and so its content, are opened with: the first line of their header says it. */
export function lockOf({ sealed }: OpenSealed): "password" | "key" {
  try {
    return /^age-encryption\.org\/v1\n-> scrypt /.test(atob(sealed.slice(0, 128))) ? "password" : "key";
  } catch {
    return "key";
  }
}
