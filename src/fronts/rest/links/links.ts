import {
  links as api,
  type LinkItem,
  type LinkRecord,
  type Receipt,
  type Received,
  type Taking,
} from "#contract/links";
import { type Caller, ownerNames } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { iso, isoOrNull } from "../../../lib/clock.ts";
import { isDigesting } from "../../../links/arrival-digests.ts";
import { networksOf } from "../../../links/kept-links.ts";
import { asksName, bitsOf, isShut, kindsOf, rightsOf, stateOf } from "../../../links/link-values.ts";
import type { LinkFilter, LinkRow } from "../../../links/links-table.ts";
import type { OwnedLink } from "../../../links/own-links.ts";
import { type SentFiles, takeBackUntil } from "../../../links/receipts.ts";
import { type LinkedItem, uploadFolders } from "../../../vfs/vfs.ts";
import { S3_REGION } from "../../bucket-names.ts";
import { linkForm, linkTexts } from "../../connect/links.ts";
import { davAddress } from "../../connect/tree.ts";
import type { RequestContext } from "../../context.ts";
import { clientOf } from "../../downloads.ts";
import type { Bind } from "../bind.ts";
import { creatorNames, ownersNamed, owning } from "../shares/shares.ts";
import { arrivedPaths } from "./arrived-paths.ts";
import { changeLink, folderKey, makeLink } from "./new-link.ts";

type Rooms = Pick<House, "links" | "vfs" | "access" | "clock" | "shares">;

/** Links to several things of the tree: for those who make them, and for whoever opens one. */
export function bindLinks(bind: Bind, rooms: Rooms): void {
  bindOwn(bind, rooms);
  bindPublic(bind, rooms);
  bindReceipts(bind, rooms);
}

/** Lists of links, and changes of single ones. */
function bindOwn(bind: Bind, rooms: Rooms): void {
  const { links, vfs, access } = rooms;

  const answer = async (caller: Caller, link: OwnedLink, { pathTo }: RequestContext) => {
    const nameOfCreator = await creatorNames(caller, access.keys);
    return { data: recordOf(link, { ...rooms, pathTo, nameOfCreator, items: await vfs.itemsOf(link) }) };
  };

  bind(api.list, async ({ query, principal, context: { pathTo } }) => {
    const { search = "", state, path, created_by, limit, offset } = query;
    const at = path === undefined ? undefined : await leadingTo(rooms, principal, path);
    if (at?.keys.length === 0) return { data: { links: [], total: 0 } };
    const owners = principal.kind === "key" ? ownerNames(principal) : ownersNamed(created_by);
    const filter = { owners, words: wordsIn(search), state, at };
    const found = await links.list(filter, { limit, offset });
    const nameOfCreator = await creatorNames(principal, access.keys);
    const records = found.links.map(async (link) =>
      recordOf(link, { ...rooms, pathTo, nameOfCreator, items: await vfs.itemsOf(link) }),
    );
    return { data: { links: await Promise.all(records), total: found.total } };
  });

  bind(api.create, async ({ body: { items, ...request }, principal, context }) =>
    answer(principal, await makeLink(rooms, principal, request, items), context),
  );

  bind(api.get, async ({ params: { id }, principal, context }) =>
    answer(principal, await links.read(principal, id), context),
  );

  bind(api.connect, async ({ params: { id }, principal, context }) => {
    const { row } = await links.read(principal, id);
    const server = context.base();
    const { slug } = row;
    const rights = rightsOf(row);
    const mayView = rights.includes("view");
    const names = { endpoint: server, region: S3_REGION, access_key_id: slug };
    const bucket = mayView ? { ...names, secret_access_key: links.signers.secretOf(row) } : null;
    const has = { mayView, maySend: rights.includes("upload"), hasPassword: row.password_hash !== null };
    const link = { slug, server, bucket, ...has };
    return {
      data: {
        s3: bucket,
        dav_address: mayView ? davAddress({ server, folder: "/" }) : null,
        texts: [...linkTexts(link)],
        form: linkForm(link),
      },
    };
  });

  bind(api.update, async ({ params: { id }, body, principal, context }) =>
    answer(principal, await changeLink(rooms, principal, id, body), context),
  );

  bind(api.remove, async ({ params: { id }, principal }) => {
    await links.remove(principal, id);
    return {};
  });
}

/** What anybody may ask of a link. */
function bindPublic(bind: Bind, { links, vfs, shares: { files } }: Rooms): void {
  /** Whether whoever is signed in may change a link whose openings are limited. */
  const isOwn = async (row: LinkRow, signedIn: () => Promise<Caller | undefined>): Promise<true | undefined> =>
    (row.max_opens > 0 && (await owning(signedIn, "mount_view")(row))) || undefined;

  bind(api.peek, async ({ params: { slug }, request, context, signedIn }) => {
    const client = clientOf(request, context);
    if (await files.isSealed(slug)) {
      const { max_views, views } = await files.find(slug, client);
      const limit = { max_opens: max_views, opens_left: left(max_views, views) };
      return { data: { slug, requires_password: false, ...limit, sealed: true } };
    }
    const row = await links.peek(slug, client);
    const { password_hash, max_opens, opens } = row;
    const limit = { max_opens, opens_left: left(max_opens, opens), own: await isOwn(row, signedIn) };
    return { data: { slug, requires_password: password_hash !== null, ...limit } };
  });

  bind(api.open, async ({ params: { slug }, body: { password, grant }, request, context, signedIn }) => {
    const owns = owning(signedIn, "mount_view");
    const visit = await links.open(slug, { ...clientOf(request, context), password, grant, owns });
    const { title, note, expires_at, max_downloads, downloads } = visit.row;
    return {
      data: {
        ...{ slug, title, note, rights: [...visit.caller.rights], expires_at: isoOrNull(expires_at) },
        downloads_left: left(max_downloads, downloads),
        upload_paths: visit.caller.rights.includes("upload") ? uploadFolders(await vfs.itemsOf(visit.caller)) : [],
        taking: visit.caller.rights.includes("upload") ? takingOf(visit.row) : null,
        own: await isOwn(visit.row, signedIn),
        grant: visit.grant,
        until: iso(visit.until),
      },
    };
  });
}

/** What a link takes from its visitors. */
const takingOf = (row: LinkRow): Taking => ({
  files_left: left(row.max_files, row.files),
  bytes_left: left(row.max_bytes, row.bytes),
  max_file_bytes: row.max_file_bytes || null,
  kinds: kindsOf(row),
  ask_name: asksName(row),
  ask_message: row.ask_message === 1,
  sealed: row.recipient !== null,
});

/** What one sender has sent, as they see it and the owner of the link. */
const receiptOf = ({ receipt, files }: SentFiles, now: number): Receipt => ({
  sender: receipt.sender,
  message: receipt.message,
  created_at: iso(receipt.created_at),
  files: files.map((file) => {
    const until = takeBackUntil(file) ?? 0;
    const { name, size, sha256, arrived_at } = file;
    return {
      ...{ name, size, sha256: (arrived_at !== null && sha256) || null, arrived_at: isoOrNull(arrived_at) },
      sha256_pending: isDigesting(file, now),
      take_back_until: until > now ? iso(until) : null,
    };
  }),
});

const receivedOf = (sent: SentFiles, paths: ReadonlyMap<string, string>, now: number): Received => {
  const receipt = receiptOf(sent, now);
  const files = receipt.files.map((file, index) => ({ ...file, path: paths.get(sent.files[index]?.id ?? "") ?? null }));
  return { ...receipt, files };
};

/** What senders have sent. */
function bindReceipts(bind: Bind, { links, vfs, clock }: Rooms): void {
  bind(api.received, async ({ params: { id }, query, principal }) => {
    const { items } = await links.read(principal, id);
    const { receipts, total } = await links.receipts.ofLink(id, query);
    const paths = await arrivedPaths(vfs, principal, { items, files: receipts.flatMap(({ files }) => files) });
    return { data: { receipts: receipts.map((one) => receivedOf(one, paths, clock())), total } };
  });

  bind(api.receipt, async ({ params: { receipt } }) => ({
    data: receiptOf(await links.receipts.read(receipt), clock()),
  }));

  bind(api.takeBack, async ({ params: { receipt }, context: { address } }) => {
    const left = await links.receipts.takeBack(receipt, address, async (sender, { path, etag, folder }) => {
      const view = await vfs.as(sender, "mount");
      return await view.at(path).takeBack({ etag, folder });
    });
    return { data: receiptOf(left, clock()) };
  });
}

/** null is without limit. */
const left = (most: number, used: number): number | null => (most === 0 ? null : Math.max(0, most - used));

const wordsIn = (search: string): string[] =>
  search
    .normalize("NFC")
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");

/** The keys of links that lead to a path: its own, as a file and as a folder, and those of the folders that hold it. */
async function leadingTo({ vfs }: Rooms, caller: Caller, path: string): Promise<NonNullable<LinkFilter["at"]>> {
  const view = await vfs.as(caller, "mount");
  const node = view.at(path);
  const location = (await node.find("list"))?.location ?? node.location;
  if (!location.mount) return { storage: "", keys: [] };
  const { key } = location;
  const above = [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index + 1));
  return { storage: location.mount.storage, keys: [...new Set(["", ...above, key, folderKey(key)])] };
}

interface Recording extends Pick<Rooms, "clock"> {
  readonly pathTo: RequestContext["pathTo"];
  readonly nameOfCreator: (createdBy: string) => string | undefined;
  readonly items: readonly LinkedItem[];
}

/** A link as its owner sees it. */
function recordOf(link: OwnedLink, { clock, pathTo, nameOfCreator, items }: Recording): LinkRecord {
  const { row, owner } = link;
  const { id, slug, title, note, label, max_opens, opens, max_downloads, downloads, created_by, item_count } = row;
  return {
    ...{ id, slug, title, note, label, max_opens, opens, max_downloads, downloads, created_by, item_count },
    // Who only brings something is shown another page than who looks at something.
    url:
      pathTo(`/${row.rights === bitsOf(["upload"]) ? "in" : "s"}/${slug}`) + (row.recipient ? `#${row.recipient}` : ""),
    rights: rightsOf(row),
    items: items.map((item, index) => ({ id: link.items[index]?.id ?? "", ...itemOf(item) })),
    has_password: row.password_hash !== null,
    expires_at: isoOrNull(row.expires_at),
    networks: networksOf(row),
    ...{ max_files: row.max_files, max_bytes: row.max_bytes, max_file_bytes: row.max_file_bytes, kinds: kindsOf(row) },
    ...{ ask_name: row.ask_name === 1, ask_message: row.ask_message === 1, sender_folders: row.sender_folders === 1 },
    recipient: row.recipient,
    ...{ files: row.files, bytes: row.bytes },
    is_active: row.is_active === 1,
    state: stateOf(row, owner !== undefined && !isShut(owner, row), clock()),
    closed_for: owner === undefined ? "owner" : isShut(owner, row) ? "right" : null,
    key_name: nameOfCreator(created_by),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

const itemOf = ({ name, isDirectory, path, place, text }: LinkedItem): Omit<LinkItem, "id"> => ({
  name,
  isDirectory,
  path: path === undefined ? null : isDirectory && path !== "/" ? `${path}/` : path,
  ...(text && { paste: { id: place.key, slug: text.slug } }),
});
