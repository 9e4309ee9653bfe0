import { Failure } from "#contract/failures";
import { files as api, type FileRecord, type OpenedFile, type WholeFile } from "#contract/files";
import { sentence } from "#contract/messages/sentence";
import { OFFICE_GRANT_LIFE } from "#contract/viewer-limits";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { iso, isoOrNull } from "../../../lib/clock.ts";
import type { FileOpening } from "../../../shares/file-opening.ts";
import { type FileRow, hasLost, type ListedFileRow } from "../../../shares/files-table.ts";
import type { Opening, Visitor } from "../../../shares/gate.ts";
import { isUploading } from "../../../shares/share-state.ts";
import { isFile } from "../../../vfs/entry.ts";
import type { RequestContext } from "../../context.ts";
import { clientOf } from "../../downloads.ts";
import type { Bind } from "../bind.ts";
import { batchFields, languageOf } from "../failures.ts";
import { createReloads } from "./reloads.ts";
import { creatorNames, keyInfo, listFilter, owning, pagePathOf } from "./shares.ts";

type Rooms = Pick<House, "shares" | "access" | "clock" | "thumbs" | "vfs">;

/** File shares over REST: the wire's names on one side, the room's verbs on the other. */
export function bindFiles(bind: Bind, rooms: Rooms): void {
  bindOpening(bind, rooms);
  bindOffice(bind, rooms);
  bindManaging(bind, rooms);
}

/** What visitors of a file call. */
function bindOpening(bind: Bind, { shares: { files, grants }, clock, thumbs }: Rooms): void {
  const addresses = createAddresses({ files, grants }, clock);

  const opened = async (
    opening: Opening<FileRow, FileOpening>,
    peek: boolean,
    context: RequestContext,
  ): Promise<OpenedFile> => {
    const { share } = opening;
    const views = opening.open ? opening.opened.views : share.views;
    const head = headOf(share, views);
    if (!opening.open && isUploading(share)) {
      const { state, received, size } = await files.progress.of(share);
      return {
        ...head,
        requires_password: head.has_password && !opening.admitted,
        state,
        received,
        ...(size !== null && { size }),
      };
    }
    if (!opening.open && peek) {
      const requires_password = head.has_password && !opening.admitted;
      return { ...head, requires_password, ...(!requires_password && { ...shownBy(share), ...files.kinds()(share) }) };
    }
    const known = { ...head, ...publicFacts(share), ...files.kinds()(share) };
    if (!opening.open) return { ...known, requires_password: true };
    const isLastView = share.max_views > 0 && views >= share.max_views;
    const picture = pictureOf(share, await thumbs.known());
    const { remark, created_by, sealed } = share;
    const { own } = opening.opened;
    const facts = { ...known, picture, remark, created_by, own, ...(sealed !== null && { sealed }) };
    return { ...facts, requires_password: false, is_last_view: isLastView, ...(await addresses(share, context)) };
  };

  const reloads = createReloads({ grants, clock, kind: "file", path: "/public/files" });

  bind(api.open, async ({ params: { slug }, query: { peek, grant }, request, context, signedIn, setCookie }) => {
    const owns = owning(signedIn, "file_share");
    const visitor = { ...clientOf(request, context), grant, reload: reloads.tokenOf(request), owns };
    if (request.method === "HEAD") {
      const { share } = await files.look(slug, visitor);
      return { data: await opened({ open: false, share }, true, context) };
    }
    const again = peek ? await files.reload(slug, visitor) : undefined;
    if (again) {
      const { share, left } = again;
      const file = await opened({ open: true, share, opened: { views: share.views } }, true, context);
      return { data: { ...file, reload_seconds: Math.ceil(left / 1000) } };
    }
    const opening = await (peek ? files.peek(slug, visitor) : files.open(slug, visitor));
    const reload_seconds = reloads.remember(opening, { context, setCookie });
    return { data: { ...(await opened(opening, peek === true, context)), reload_seconds } };
  });

  bind(api.unlock, async ({ params: { slug }, query, body: { password }, request, context, signedIn, setCookie }) => {
    const { peek } = query;
    const visitor = { ...clientOf(request, context), password, owns: owning(signedIn, "file_share") };
    const opening = await files.unlock(slug, visitor, { peek });
    const reload_seconds = reloads.remember(opening, { context, setCookie });
    return { data: { ...(await opened(opening, peek === true, context)), reload_seconds } };
  });
}

/** Makes what says where a visitor who has opened the share gets the file, here and, if that can be, at its storage. */
const createAddresses =
  ({ files, grants }: Pick<House["shares"], "files" | "grants">, clock: House["clock"]) =>
  async (share: FileRow, context: RequestContext) => {
    const grant = grants.makeVisitor({ kind: "file", ...share }, clock());
    const view = address({ kind: "view", slug: share.slug, grant, proxied: true }, context);
    const download = address({ kind: "download", slug: share.slug, grant, proxied: true }, context);
    // The page of a sealed file calls nothing but this server.
    const isProxied = share.use_proxy === 1 || share.sealed !== null;
    const directView = (await files.directUrl(share, "inline")) ?? view;
    const directDownload = (await files.directUrl(share, "attachment")) ?? download;
    return {
      previewUrl: isProxied ? view : directView,
      downloadUrl: isProxied ? download : directDownload,
      proxy_preview_url: view,
      proxy_download_url: download,
      s3_direct_preview_url: isProxied ? view : directView,
      s3_direct_download_url: isProxied ? download : directDownload,
    };
  };

/** Previews by the online viewers of others. */
function bindOffice(bind: Bind, { shares: { files, grants }, clock }: Rooms): void {
  /** 409 sealed.unreadable, 400 file.notOffice, before a view is spent; 410 file.gone. */
  const checkOffice = async (share: FileRow): Promise<void> => {
    if (share.sealed !== null) throw new Failure("sealed.unreadable");
    if (files.kinds()(share).typeName !== "office") throw new Failure("file.notOffice");
    if (!(await files.headOf(share))) throw new Failure("file.gone");
  };

  /** The share for a visitor who asks for an online preview; spends a view unless the visitor has opened it before. 401, 410. */
  const forOffice = async (slug: string, visitor: Visitor, lookOnly: boolean): Promise<FileRow> => {
    const again = await files.readmit(slug, visitor);
    if (again || lookOnly) {
      const { share, admitted } = again ? { share: again, admitted: true } : await files.look(slug, visitor);
      if (!admitted) throw new Failure("password.missing");
      await checkOffice(share);
      return share;
    }
    const opening = await files.openFor(slug, visitor, async (share, spend) => {
      await checkOffice(share);
      await spend();
    });
    if (!opening.open) throw new Failure("password.missing");
    return opening.share;
  };

  bind(api.officePreview, async ({ params: { slug }, query, request, context }) => {
    const visitor = { ...clientOf(request, context), ...query };
    const share = await forOffice(slug, visitor, request.method === "HEAD");
    const life = Math.min(OFFICE_GRANT_LIFE, (share.expires_at ?? Number.POSITIVE_INFINITY) - clock());
    const grant = grants.makeVisitor({ kind: "file", ...share }, clock(), life);
    const url = address({ kind: "view", slug, grant, proxied: true }, context);
    const { filename, content_type: mimetype } = share;
    return { url, filename, mimetype, expires_in: Math.floor(life / 1000), is_temporary: true };
  });
}

/** Files as their owners see and change them. */
function bindManaging(bind: Bind, house: Rooms): void {
  const { files } = house.shares;
  const { keys } = house.access;
  const record = createRecord(house);

  bind(api.list, async ({ query, principal, context }) => {
    const { limit, offset, sort, order, storage, path } = query;
    const { rows, total, exact, hasMore } =
      path === undefined
        ? await files.list({ ...listFilter(principal, query), storage, sort, order, limit, offset })
        : await sharesOfFile(house, principal, path, { limit, offset });
    const nameOf = await creatorNames(principal, keys);
    const pagination = { total, total_exact: exact, limit, offset, hasMore };
    const known = await house.thumbs.known();
    const listed = rows.map((row) => ({
      ...record(row, context),
      picture: pictureOf(row, known),
      key_name: nameOf(row.created_by),
    }));
    return { data: { files: listed, pagination }, key_info: await keyInfo(principal, keys) };
  });

  bind(api.read, async ({ params: { id }, principal, context }) => {
    const row = record(await files.read(principal, id), context);
    const nameOf = await creatorNames(principal, keys);
    return { data: { ...row, key_name: nameOf(row.created_by), urls: ownerAddresses(row, context) } };
  });

  bind(api.update, async ({ params: { id }, body, principal, request: { signal } }) => ({
    data: await files.update(principal, id, body, { signal }),
  }));

  bind(api.remove, async ({ body: { ids, delete_mode }, principal, request, context }) => {
    context.hold();
    const { removed, failed: notRemoved } = await files.remove(principal, ids, delete_mode === "record_only");
    const language = languageOf(request.headers);
    const failed = notRemoved.map(({ id, failure }) => ({ id, error: sentence(failure, language) }));
    const batch = { succeeded: removed > 0, failed, first: notRemoved[0]?.failure };
    return { ...batchFields(batch, language), data: { success: removed, failed } };
  });
}

/** A page of the shares of a file of the tree; none of a folder, and of what is not there. */
async function sharesOfFile(
  { shares, vfs }: Rooms,
  caller: Caller,
  path: string,
  page: { limit: number; offset: number },
) {
  const view = await vfs.as(caller, "mount");
  const found = await view.at(path).find("list");
  const nothing = { rows: [], total: 0, exact: true, hasMore: false };
  if (!found || !isFile(found)) return nothing;
  const { mount, key } = found.location;
  const { rows, total } = await shares.files.ofFile(caller, { storage: mount.storage, key }, page);
  return { rows, total, exact: true, hasMore: page.offset + rows.length < total };
}

const headOf = ({ slug, password_hash, max_views }: FileRow, views: number) => ({
  slug,
  has_password: password_hash !== null,
  max_views,
  views,
  views_left: max_views === 0 ? null : Math.max(0, max_views - views),
});

/** What lets a page load what will show the file before a view is spent: of its name only an ending as formats have them. */
const shownBy = ({ filename, content_type: mimetype }: FileRow) => ({
  mimetype,
  ending: /\.([a-z0-9]{1,12})$/i.exec(filename)?.[1]?.toLowerCase() ?? "",
});

/** What is known of a shared picture, whose colours nobody is told who may not see the file. */
const pictureOf = (
  { storage, key, etag }: Pick<FileRow, "storage" | "key" | "etag">,
  known: Awaited<ReturnType<House["thumbs"]["known"]>>,
) => (etag === null ? undefined : known({ storage, key, etag }));

/** What is told before the password is given. */
const publicFacts = (share: FileRow) => ({
  id: share.id,
  filename: share.filename,
  mimetype: share.content_type,
  size: share.size,
  created_at: iso(share.created_at),
  expires_at: isoOrNull(share.expires_at),
  use_proxy: share.use_proxy,
});

interface Address {
  readonly kind: "view" | "download";
  readonly slug: string;
  readonly grant: string | undefined;
  /** Whether the file passes through this server even if the share redirects to its storage. */
  readonly proxied: boolean;
}

function address({ kind, slug, grant, proxied }: Address, context: RequestContext): string {
  const query = new URLSearchParams({ ...(grant !== undefined && { grant }), ...(proxied && { proxy: "1" }) });
  return `${context.base()}/api/file-${kind}/${slug}${query.size > 0 ? `?${query}` : ""}`;
}

function ownerAddresses({ slug, grant, use_proxy }: FileRecord, context: RequestContext): WholeFile["urls"] {
  const [view, download] = (["view", "download"] as const).map(
    (kind) => (proxied: boolean) => address({ kind, slug, grant, proxied }, context),
  ) as [(proxied: boolean) => string, (proxied: boolean) => string];
  return {
    previewUrl: view(false),
    downloadUrl: download(false),
    proxyPreviewUrl: view(true),
    proxyDownloadUrl: download(true),
    use_proxy,
  };
}

/** Makes the function that writes a share as its owner sees it. */
export function createRecord({ shares: { files, grants } }: Pick<House, "shares">) {
  return (row: ListedFileRow, { pathTo }: Pick<RequestContext, "pathTo">): FileRecord => ({
    id: row.id,
    slug: row.slug,
    filename: row.filename,
    url: pathTo(pagePathOf(row)),
    ...(row.sealed !== null && { sealed: true }),
    storage_config_id: row.storage,
    storage_config_name: row.storage_name,
    storage_provider_type: row.provider_type,
    storage_type: "S3",
    storage_path: row.key,
    file_path: row.upload === null && row.mount_path !== null && !hasLost(row) ? `${row.mount_path}/${row.key}` : null,
    file_gone: hasLost(row),
    file_stays: row.upload === null,
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
    grant: row.password_hash === null ? undefined : grants.makeOwner({ kind: "file", ...row }),
  });
}
