import { fileLink, sealedLink } from "../../../api/share-addresses.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";

/** The link of a file as soon as its slug is known: of one that is sealed with its key. */
export const linkOf = ({ slug = "", sealed }: Pick<UploadItem, "slug" | "sealed">): string =>
  sealed ? sealedLink(slug, sealed.key || undefined) : fileLink(slug);
