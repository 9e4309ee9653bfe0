import { files } from "#contract/files";
import { call } from "../../api/call.ts";
import type { OpenFile } from "./source.ts";

/** Asks for an address of a shared office file that a viewer elsewhere can fetch. The grant of this page's own opening spends no view. */
export function onlineAddressOf({ slug, proxy_preview_url }: OpenFile): () => Promise<string> {
  const address = new URL(proxy_preview_url ?? "", window.location.origin);
  const grant = address.searchParams.get("grant") ?? undefined;
  return async () => (await call(files.officePreview, { params: { slug }, query: { grant } })).url;
}
