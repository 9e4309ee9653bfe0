import type { FileRecord } from "#contract/files";
import type { House } from "../../house.ts";
import { iso, isoOrNull } from "../../lib/clock.ts";
import type { ListedFileRow } from "../../shares/files-table.ts";

/** Makes the function that writes a share as its owner sees it. */
export function createRecord({ shares: { files, grants } }: Pick<House, "shares">) {
  return (row: ListedFileRow): FileRecord => ({
    id: row.id,
    slug: row.slug,
    filename: row.filename,
    url: `/file/${row.slug}`,
    storage_config_id: row.storage,
    storage_config_name: row.storage_name,
    storage_provider_type: row.provider_type,
    storage_type: "S3",
    storage_path: row.key,
    file_path: row.upload === null && row.mount_path !== null ? `${row.mount_path}/${row.key}` : null,
    file_gone: row.file_gone_at !== null,
    mimetype: row.content_type,
    size: row.size,
    etag: row.etag,
    remark: row.remark,
    has_password: row.password_hash !== null,
    expires_at: isoOrNull(row.expires_at),
    max_views: row.max_views,
    views: row.views,
    use_proxy: row.use_proxy,
    created_by: row.created_by,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    ...files.kinds()(row),
    grant: row.password_hash === null ? undefined : grants.owner({ kind: "file", ...row }),
  });
}
