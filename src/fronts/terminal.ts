/**
 * Shares for programs at a terminal: `curl https://host/s/slug` answers a list of what is in the link, and the addresses in that list the
 * files; a text and a file are answered as they are. Browsers, and what draws previews of links, have the pages of the site at the same addresses.
 */

import { Failure } from "#contract/failures";
import { nameOf, parentOf } from "#contract/paths";
import { basicPassword } from "../access/identify.ts";
import type { LinkCaller } from "../access/principal.ts";
import { BOT, programOf } from "../activity/programs.ts";
import type { House } from "../house.ts";
import { unforeseen } from "../lib/log.ts";
import { disposition, servedType } from "../lib/mime.ts";
import { streamedText } from "../lib/streamed-text.ts";
import { shownName } from "../lib/unseen.ts";
import type { Entry, Found } from "../vfs/entry.ts";
import type { Listing, Node } from "../vfs/node.ts";
import { isOneFile } from "../vfs/vfs.ts";
import type { View } from "../vfs/view.ts";
import { serveFile } from "./bytes.ts";
import { decodedSegment, type RequestContext } from "./context.ts";
import { clientOf, logDownload } from "./downloads.ts";
import { createFileBytes } from "./rest/shares/bytes.ts";
import { createRawTexts } from "./rest/shares/pastes.ts";
import { decodedPath, encodedPath, memberOf } from "./tree-paths.ts";

type Rooms = Pick<House, "links" | "vfs" | "activity" | "log" | "shares" | "clock">;

/** One request of whoever has opened the link. */
interface Call {
  readonly rooms: Rooms;
  readonly request: Request;
  readonly context: RequestContext;
  readonly caller: LinkCaller;
  readonly view: View;
  readonly slug: string;
}

/** The root of a link, or something in it. */
const linkPath = /^\/s(\/[^/]+(?:\/.*)?)$/;

/** A shared text or file. */
const sharePath = /^\/(paste|file)\/([^/]+)\/?$/;

/** Families of programs by which people look at an address in a terminal (programOf). */
const terminals: ReadonlySet<string> = new Set(["curl", "Wget", "aria2", "HTTPie", "xh", "PowerShell"]);

/** Of what is written in Python only what says so itself: others draw previews, and look for pages. */
const isTerminalProgram = (agent: string | null): boolean =>
  terminals.has(programOf(agent)) || /^python-requests\//i.test(agent ?? "");

/** Whether a browser sends a request. Over plain HTTP browsers say nothing of pages, and PowerShell calls itself Mozilla as well. */
export const isBrowser = ({ headers }: Request): boolean => {
  const agent = headers.get("user-agent");
  return headers.has("sec-fetch-mode") || (/^Mozilla\//.test(agent ?? "") && !isTerminalProgram(agent));
};

/**
 * Whether a request is one of a terminal: `?page` and `?raw` say so by hand, a page where both are said. What draws previews gets the page
 * at every address that somebody pastes into a chat, because a list or a file would spend an opening.
 */
export function isTerminal({ path, query }: RequestContext, request: Request): boolean {
  const { method, headers } = request;
  const isLink = linkPath.test(path);
  if ((method !== "GET" && method !== "HEAD") || !(isLink || sharePath.test(path)) || "page" in query.values)
    return false;
  const agent = headers.get("user-agent");
  if (isTerminalProgram(agent)) return true;
  // Of a text or a file the page leads browsers to the bytes.
  return "raw" in query.values && programOf(agent) !== BOT && (isLink || !isBrowser(request));
}

/** The slug of an address, and a path in the tree of its link. 400 path.invalid. */
function askedBy({ path }: RequestContext): { readonly slug: string; readonly path: string } {
  const [, slug = "", ...names] = decodedPath(linkPath.exec(path)?.[1] ?? "").split("/");
  return { slug, path: `/${names.join("/")}` };
}

/** Answers whoever looks at a link without a page. 400 link.passwordShown; 401, 403, 404, 410, 429 as the link says. */
export function createTerminal(rooms: Rooms) {
  const { links, vfs, shares } = rooms;
  const shared = createShared(rooms);
  return async (request: Request, context: RequestContext): Promise<Response> => {
    const share = sharePath.exec(context.path);
    if (share) return await shared(request, context, share[1], decodedSegment(share[2] ?? ""));
    const { slug, path } = askedBy(context);
    if (path === "/" && (await shares.files.isSealed(slug))) return await shared(request, context, "file", slug);
    if ("password" in context.query.values) throw new Failure("link.passwordShown");
    const credentials = { username: slug, password: basicPassword(request.headers) };
    const caller = await links.basic.visit(credentials, clientOf(request, context));
    const view = await vfs.as(caller, "mount", { signal: request.signal });
    const call = { rooms, request, context, caller, view, slug };
    const isRawRoot = path === "/" && "raw" in context.query.values;
    const node = view.at(isRawRoot ? await rawOf(call) : path);
    return await answer(call, node);
  };
}

/** Makes the function that answers a shared text or file; its password comes by HTTP Basic, as that of a link does. */
function createShared(rooms: Rooms) {
  const texts = createRawTexts(rooms);
  const files = createFileBytes(rooms);
  return async (
    request: Request,
    context: RequestContext,
    kind: string | undefined,
    slug: string,
  ): Promise<Response> => {
    const { grant } = context.query.values;
    const given = {
      password: basicPassword(request.headers) || undefined,
      grant: typeof grant === "string" ? grant : undefined,
    };
    const isHead = request.method === "HEAD";
    if (kind === "paste") return await (isHead ? texts.head : texts.get)(slug, given, { request, context });
    // Through this server: a redirect to the storage would be another answer than the one that was asked for.
    const asked = { params: { slug }, query: { ...given, proxy: true }, request, context };
    return await (isHead ? files.head : files.get)(asked, "attachment");
  };
}

/** What the link as a whole is, for who wants bytes: its file where it has been made of one, else its root. 404 path.missing. */
async function rawOf({ view, caller }: Call): Promise<string> {
  if (caller.items.length !== 1) return "/";
  const { entries, troubles } = await view.at("/").list({ limit: 1 });
  const [only] = entries;
  // A list without a line would be kept as the file.
  if (!only) throw troubles[0]?.failure ?? new Failure("path.missing");
  return only.kind === "file" ? only.path : "/";
}

/** How often a file may change between the question what it is and the one for its bytes. */
const TRIES = 3;

/** The bytes of a file under conditions and ranges, or the list of a folder. 404 path.missing, 410 link.spent, 503 server.busy. */
async function answer(call: Call, node: Node): Promise<Response> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await node.stat();
    if (!found.head) return await listOf(call, found);
    const answered = await bytesOf(call, node, found, found.head);
    if (answered) return answered;
  }
  throw new Failure("server.busy");
}

/** The bytes of a file, counted as a download; undefined where it has changed meanwhile. */
async function bytesOf(
  { rooms, request, context, caller }: Call,
  node: Node,
  found: Found,
  { size, etag, modified, type }: NonNullable<Found["head"]>,
): Promise<Response | undefined> {
  const { links, activity } = rooms;
  const name = nameOf(found.entry.path);
  const opened = await node.open("download", found);
  const file = {
    ...{ size, etag, modified, type: servedType(type) },
    disposition: disposition("attachment", name),
    // A cache of others would hand it out without counting.
    cache: "no-store",
  } as const;
  const response = await serveFile(request, file, async (range) => {
    await links.download(caller, opened);
    return await opened.read(range);
  });
  if (!response?.ok) return response;
  return logDownload(response, { activity, subject: caller, client: clientOf(request, context), name });
}

/** Lines that an answer holds while its reader takes its time. */
const PAGE = 1000;

const listHeaders = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  vary: "user-agent",
  // A link is for whoever was given it, wherever its address comes to stand.
  "x-robots-tag": "noindex",
};

/**
 * What is in a folder at this moment, a line for each: name, tab, address. A folder ends in a slash. Of an item whose storage does not answer
 * nobody knows whether it is there: it has a line, so that nobody takes the list for less than the link, and its address says why.
 */
async function listOf({ rooms, context, view, slug }: Call, { location }: Found): Promise<Response> {
  const { path } = location;
  const page = async (cursor?: string): Promise<Listing> => {
    const listing = await view.at(path).list({ limit: PAGE, cursor, more: cursor === undefined });
    const own = listing.troubles.find(({ mount }) => parentOf(mount.path) !== path);
    if (own) throw own.failure;
    return listing;
  };
  const first = await page();
  const base = `${context.base()}/s${encodedPath(`/${slug}`)}${encodedPath(path)}/`;
  // Also for HEAD, whose answer would else be said to have no bytes.
  return streamedText(linesOf(base, first, page), { headers: listHeaders }, (error) =>
    rooms.log.warn("listing broken off", {
      request: context.requestId,
      ...(error instanceof Failure ? { error: error.code } : unforeseen(error)),
    }),
  );
}

async function* linesOf(
  base: string,
  first: Listing,
  page: (cursor: string) => Promise<Listing>,
): AsyncGenerator<string> {
  for (let listing: Listing | undefined = first; listing; ) {
    const { entries, troubles, next }: Listing = listing;
    for (const entry of entries) yield lineOf(base, entry);
    for (const { mount } of troubles)
      yield lineOf(base, { name: nameOf(mount.path), kind: isOneFile(mount) ? "file" : "folder" });
    listing = next === undefined ? undefined : await page(next);
  }
}

const lineOf = (base: string, item: Pick<Entry, "name" | "kind">): string =>
  `${shownName(item.name)}${item.kind === "folder" ? "/" : ""}\t${base}${memberOf(item)}\n`;
