import type { WholeFile } from "#contract/files";
import type { OpenFile } from "../source.ts";

/**
 * The file as it is after a change, so that showing it costs no view. The change has made the visitor's addresses void; the
 * owner's spend a view of what is limited each time, so a limited file is then not fetched for a look.
 */
export function changedFile(whole: WholeFile): OpenFile {
  const limited = whole.max_views > 0;
  const { slug, id, filename, mimetype, size, remark, created_at, created_by, expires_at, typeName, type, urls } =
    whole;
  return {
    ...{ slug, id, filename, mimetype, size, remark, created_at, created_by, expires_at, typeName, type },
    requires_password: false,
    has_password: whole.has_password,
    max_views: whole.max_views,
    views: whole.views,
    views_left: limited ? Math.max(0, whole.max_views - whole.views) : null,
    ...(limited ? {} : { previewUrl: urls.previewUrl, proxy_preview_url: urls.proxyPreviewUrl }),
    downloadUrl: urls.downloadUrl,
    proxy_download_url: urls.proxyDownloadUrl,
  };
}
