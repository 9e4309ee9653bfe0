import type { FileRecord, OpenedFile, WholeFile } from "#contract/files";

const made = "2026-01-02T03:04:05.000Z";

/** What a visitor is told of a file share before it is open. */
export const lookedAt = (more: Partial<OpenedFile> = {}): OpenedFile => ({
  slug: "abc234",
  requires_password: false,
  has_password: false,
  max_views: 0,
  views: 0,
  views_left: null,
  ...more,
});

/** What a visitor is told of an open file share. */
export const openedFile = (more: Partial<OpenedFile> = {}): OpenedFile => ({
  ...lookedAt(),
  views: 1,
  id: "id-1",
  filename: "holiday.png",
  mimetype: "image/png",
  size: 2_411_724,
  remark: null,
  created_at: made,
  expires_at: null,
  use_proxy: 1,
  created_by: "admin",
  type: 5,
  typeName: "image",
  is_last_view: false,
  previewUrl: "/api/file-view/abc234?grant=visitor",
  downloadUrl: "/api/file-download/abc234?grant=visitor",
  ...more,
});

/** What the owner's list tells of a file share. */
export const fileRecord = (more: Partial<FileRecord> = {}): FileRecord => ({
  id: "id-1",
  slug: "abc234",
  filename: "holiday.png",
  url: "/file/abc234",
  storage_config_id: "built-in",
  storage_config_name: "Built-in storage",
  storage_provider_type: "Built-in disk",
  storage_type: "S3",
  storage_path: "shares/holiday.png",
  file_path: null,
  mimetype: "image/png",
  size: 2_411_724,
  etag: null,
  remark: null,
  has_password: false,
  expires_at: null,
  max_views: 0,
  views: 1,
  use_proxy: 1,
  created_by: "admin",
  created_at: made,
  updated_at: made,
  type: 5,
  typeName: "image",
  ...more,
});

/** What the owner is told of one file share. */
export const wholeFile = (more: Partial<FileRecord> = {}): WholeFile => ({
  ...fileRecord(more),
  urls: {
    previewUrl: "/api/file-view/abc234?grant=owner",
    downloadUrl: "/api/file-download/abc234?grant=owner",
    proxyPreviewUrl: "/api/file-view/abc234?grant=owner",
    proxyDownloadUrl: "/api/file-download/abc234?grant=owner",
    use_proxy: 1,
  },
});
