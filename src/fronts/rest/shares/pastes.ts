import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { sentence } from "#contract/messages/sentence";
import { pastes as api, type ListedPaste, type OpenedPaste, type WholePaste } from "#contract/pastes";
import type { Client } from "../../../activity/activity.ts";
import type { House } from "../../../house.ts";
import { iso, isoOrNull } from "../../../lib/clock.ts";
import { textAnswer } from "../../../lib/counting.ts";
import { disposition } from "../../../lib/mime.ts";
import type { Opening, Visitor } from "../../../shares/gate.ts";
import type { OpenedText, PasteRow } from "../../../shares/pastes-table.ts";
import { untrustedHeaders } from "../../bytes.ts";
import { sharedHeaders } from "../../common-headers.ts";
import type { RequestContext } from "../../context.ts";
import { clientOf } from "../../downloads.ts";
import type { Bind } from "../bind.ts";
import { batchFields, languageOf } from "../failures.ts";
import { createReloads } from "./reloads.ts";
import { creatorNames, keyInfo, listFilter, owning, requestKey } from "./shares.ts";

type Rooms = Pick<House, "shares" | "access" | "clock">;

/** Text shares over REST: the wire's names on one side, the room's verbs on the other. */
export function bindPastes(bind: Bind, rooms: Rooms): void {
  bindOpening(bind, rooms);
  bindReading(bind, rooms);
  bindChanges(bind, rooms);
}

/** Makes the function that writes the grant with which an owner opens a text that has a password. */
const granting =
  ({ grants }: Rooms["shares"]) =>
  (row: PasteRow): string | undefined =>
    row.password_hash === null ? undefined : grants.makeOwner({ kind: "paste", id: row.id, version: row.version });

/** What visitors of a text call. */
function bindOpening(bind: Bind, { shares: { pastes, grants }, clock }: Rooms): void {
  const reloads = createReloads({ grants, clock, kind: "paste", path: "/paste" });

  bind(api.open, async ({ params: { slug }, query: { peek, grant }, request, context, signedIn, setCookie }) => {
    const owns = owning(signedIn, "text");
    const visitor = { ...clientOf(request, context), grant, reload: reloads.tokenOf(request), owns };
    if (request.method === "HEAD")
      return opened({ open: false, share: (await pastes.look(slug, visitor)).share }, true);
    const again = peek ? await pastes.reload(slug, visitor, roomIn(context)) : undefined;
    if (again) {
      const { share, content, left } = again;
      return opened({ open: true, share, opened: { views: share.views, content } }, true, Math.ceil(left / 1000));
    }
    const opening = await (peek ? pastes.peek : pastes.open)(slug, visitor, roomIn(context));
    return opened(opening, peek === true, reloads.remember(opening, { context, setCookie }));
  });

  bind(api.unlock, async ({ params: { slug }, body: { password }, request, context, signedIn, setCookie }) => {
    const visitor = { ...clientOf(request, context), password, owns: owning(signedIn, "text") };
    const opening = await pastes.unlock(slug, visitor, { prepare: roomIn(context) });
    return opened(opening, false, reloads.remember(opening, { context, setCookie }));
  });

  const raw = createRawTexts({ shares: { pastes } });
  bind(api.raw, ({ params: { slug }, query, request, context }) => raw.get(slug, query, { request, context }));
  bind(api.rawHead, ({ params: { slug }, query, request, context }) => raw.head(slug, query, { request, context }));
}

/** Answers with texts as they are. */
export function createRawTexts({ shares: { pastes } }: { readonly shares: Pick<House["shares"], "pastes"> }) {
  return {
    /** Spends a view. 401 password.missing, password.wrong; 404, 410, 429. */
    async get(slug: string, query: RawQuery, { request, context }: Asking): Promise<Response> {
      const opening = await pastes.open(slug, visitorOf(query, clientOf(request, context)), roomIn(context));
      if (!opening.open) throw new Failure("password.missing");
      const { opened, share } = opening;
      return named(share, textAnswer(opened.content, { headers: rawHeaders(share) }));
    },

    async head(slug: string, query: RawQuery, { request, context }: Asking): Promise<Response> {
      const { share, admitted } = await pastes.look(slug, visitorOf(query, clientOf(request, context)));
      if (!admitted) throw new Failure("password.missing");
      const bare = new Response(null, { headers: rawHeaders(share) });
      bare.headers.set("content-length", String(share.size));
      return named(share, bare);
    },
  };
}

interface Asking {
  readonly request: Request;
  readonly context: RequestContext;
}

/** Texts as their owners see them. */
function bindReading(bind: Bind, { shares, access: { keys } }: Rooms): void {
  const { pastes } = shares;
  const grantOf = granting(shares);

  bind(api.list, async ({ query, principal, context }) => {
    const { limit, page, sort, order } = query;
    const offset = query.offset ?? ((page ?? 1) - 1) * limit;
    const { rows, total, exact, hasMore } = await pastes.list({
      ...listFilter(principal, query),
      sort,
      order,
      limit,
      offset,
    });
    const nameOf = await creatorNames(principal, keys);
    const bare = query.content === "false" || query.content === "0";
    const withTexts = principal.kind === "key" && !bare;
    if (withTexts) await roomIn(context)({ size: rows.reduce((bytes, { size }) => bytes + size, 0) });
    const texts = withTexts ? await pastes.texts(rows) : undefined;
    const totalPages = Math.ceil(total / limit);
    const place = { total, total_exact: exact, limit, offset, totalPages, page: Math.floor(offset / limit) + 1 };
    return {
      data: rows.map((row) => ({
        ...listed(row, grantOf(row)),
        key_name: nameOf(row.created_by),
        content: texts?.get(row.id),
      })),
      pagination: { ...place, hasMore },
      key_info: await keyInfo(principal, keys),
    };
  });

  bind(api.read, async ({ params: { id }, principal, context }) => {
    const { row, content } = await pastes.read(principal, id, roomIn(context));
    const nameOf = await creatorNames(principal, keys);
    return { data: { ...whole(row, content, grantOf(row)), key_name: nameOf(row.created_by) } };
  });
}

/** New texts, and changes and removals of others. */
function bindChanges(bind: Bind, { shares }: Rooms): void {
  const { pastes } = shares;
  const grantOf = granting(shares);

  bind(api.create, async ({ body, principal, request, context }) => {
    const row = await pastes.create(principal, body, requestKey(request, principal, context));
    return {
      id: row.id,
      slug: row.slug,
      url: `${context.base()}/paste/${row.slug}`,
      remark: row.remark,
      expiresAt: isoOrNull(row.expires_at),
      maxViews: row.max_views,
      hasPassword: row.password_hash !== null,
      createdAt: iso(row.created_at),
      authorizedBy: principal.kind === "admin" ? ("admin" as const) : ("apikey" as const),
      grant: grantOf(row),
    };
  });

  bind(api.update, async ({ params: { id }, body, principal, request, context }) => ({
    data: await pastes.update(principal, id, body, {
      repeatable: requestKey(request, principal, context),
      signal: request.signal,
    }),
  }));

  bind(api.remove, async ({ body: { ids }, principal, request }) => {
    const language = languageOf(request.headers);
    const { removed, missing } = await pastes.remove(principal, ids);
    const failure = new Failure("share.missing");
    const failed = missing.map((id) => ({ id, error: sentence(failure, language) }));
    const batch = { succeeded: removed > 0, failed, first: failure };
    return { ...batchFields(batch, language), data: { deleted: removed, failed } };
  });

  const clearExpired = async () => ({ data: { deleted: await pastes.clearGone() } });
  bind(api.clearExpired, clearExpired);
  bind(api.clearExpiredAlias, clearExpired);
}

/** Bytes up to which a text is no matter of memory. */
const SMALL_TEXT = 128 * 1024;
/** How many times its bytes a text takes until it lies in its answer's file: as it is read, as JSON, and as bytes. */
const COPIES = 4;

/** Takes the memory for a large text before it is read. 503 server.busy. */
const roomIn =
  ({ memory }: Pick<RequestContext, "memory">) =>
  ({ size }: Pick<PasteRow, "size">): Promise<void> | undefined =>
    size <= SMALL_TEXT ? undefined : memory.take(COPIES * Math.min(size, MAX_CONTENT_BYTES));

interface RawQuery {
  readonly password?: string | undefined;
  readonly grant?: string | undefined;
}

const visitorOf = ({ password, grant }: RawQuery, { address, agent }: Client): Visitor => ({
  address,
  agent,
  password,
  grant,
});

const textHeaders = (cache: "no-cache" | "no-store"): Headers =>
  sharedHeaders({ ...untrustedHeaders, "content-type": "text/plain; charset=utf-8", "cache-control": cache });

const [freeHeaders, closedHeaders] = [textHeaders("no-cache"), textHeaders("no-store")];

const rawHeaders = ({ password_hash, max_views }: PasteRow): Headers =>
  password_hash === null && max_views === 0 ? freeHeaders : closedHeaders;

/** The answer with the name under which a browser saves the text. */
function named({ slug }: PasteRow, response: Response): Response {
  response.headers.set("content-disposition", disposition("inline", `${slug}.txt`));
  return response;
}

const viewsLeft = (maxViews: number, views: number) => (maxViews === 0 ? null : Math.max(0, maxViews - views));

/** A text as its visitor sees it. Each field by its name, because a copy of a part costs more and this is asked for most. */
function opened(opening: Opening<PasteRow, OpenedText>, peek: boolean, reloadSeconds?: number): OpenedPaste {
  const { share } = opening;
  const { slug, max_views: maxViews } = share;
  const hasPassword = share.password_hash !== null;
  const views = opening.open ? opening.opened.views : share.views;
  const left = viewsLeft(maxViews, views);
  const [expiresAt, createdAt, updatedAt] = [isoOrNull(share.expires_at), iso(share.created_at), iso(share.updated_at)];
  if (!opening.open) {
    const asks = { slug, hasPassword, maxViews, views, viewsLeft: left, requiresPassword: hasPassword };
    return peek ? asks : { ...asks, expiresAt, createdAt, updatedAt };
  }
  const { id, version, remark, created_by } = share;
  const { content, own } = opening.opened;
  return {
    slug,
    hasPassword,
    maxViews,
    views,
    viewsLeft: left,
    expiresAt,
    createdAt,
    updatedAt,
    id,
    version,
    remark,
    created_by,
    content,
    plain: share.plain === 1,
    isLastView: maxViews > 0 && views >= maxViews,
    own,
    reloadSeconds,
  };
}

function listed(row: PasteRow, grant: string | undefined): ListedPaste {
  return {
    ...record(row),
    content_preview: row.preview,
    plain: row.plain === 1,
    size: row.size,
    has_password: row.password_hash === null ? 0 : 1,
    view_count: row.views,
    grant,
  };
}

const whole = (row: PasteRow, content: string, grant: string | undefined): WholePaste => ({
  ...record(row),
  content,
  plain: row.plain === 1,
  has_password: row.password_hash !== null,
  version: row.version,
  grant,
});

const record = (row: PasteRow) => ({
  id: row.id,
  slug: row.slug,
  remark: row.remark,
  expires_at: isoOrNull(row.expires_at),
  max_views: row.max_views,
  views: row.views,
  created_by: row.created_by,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});
