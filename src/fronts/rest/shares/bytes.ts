import { Failure } from "#contract/failures";
import { files as api } from "#contract/files";
import type { House } from "../../../house.ts";
import { disposition, servedType } from "../../../lib/mime.ts";
import type { FileRow } from "../../../shares/files-table.ts";
import type { Spend, Visitor } from "../../../shares/gate.ts";
import { isUploading } from "../../../shares/share-state.ts";
import { type ServedFile, serveFile } from "../../bytes.ts";
import type { RequestContext } from "../../context.ts";
import { clientOf, logDownload } from "../../downloads.ts";
import type { Bind } from "../bind.ts";
import { refuseUnreadSvg } from "../svg-guard.ts";
import { createEarlyBytes, type Kind, type Serving } from "./early-bytes.ts";

type Rooms = Pick<House, "shares" | "activity" | "clock">;

interface BytesInput {
  readonly params: { readonly slug: string };
  readonly query: {
    readonly password?: string | undefined;
    readonly grant?: string | undefined;
    readonly proxy?: boolean | undefined;
  };
  readonly request: Request;
  readonly context: RequestContext;
}

/** Answers with the bytes of shared files. A visitor who has opened a share fetches it by a grant; any other answer with bytes costs a view. */
export function createFileBytes(rooms: Rooms) {
  const { files } = rooms.shares;
  const { answer, serveHere, redirectToGrant } = createAnswers(rooms);

  const get = async ({ params: { slug }, query, request, context }: BytesInput, kind: Kind): Promise<Response> => {
    const visitor = visitorOf(query, request, context);
    const serving = { request, context, kind, proxied: query.proxy === true };
    const readmitted = await files.readmit(slug, visitor, { early: true });
    if (readmitted) return await answer({ ...serving, share: readmitted }, spendNothing);
    const opening = await files.openFor(
      slug,
      visitor,
      (share, spend) =>
        asksAgain(request) ? redirectToGrant({ ...serving, share }, spend) : answer({ ...serving, share }, spend),
      { early: true },
    );
    if (!opening.open) throw new Failure("password.missing");
    return opening.opened;
  };

  const head = async ({ params: { slug }, query, request, context }: BytesInput, kind: Kind): Promise<Response> => {
    const { share, admitted } = await files.look(slug, visitorOf(query, request, context), { early: true });
    if (!admitted) throw new Failure("password.missing");
    const serving = { request, context, share, kind, proxied: true };
    return await serveHere(serving, spendNothing);
  };

  return { get, head };
}

/** The bytes of shared files, over REST. */
export function bindFileBytes(bind: Bind, rooms: Rooms): void {
  const { get, head } = createFileBytes(rooms);

  /** As `get`; a browser navigation that fails for a missing password or a void grant is redirected to the share's page. */
  const getOrRedirect = async (input: BytesInput, kind: Kind): Promise<Response> => {
    try {
      return await get(input, kind);
    } catch (error) {
      const isRefused = error instanceof Failure && (error.code === "password.missing" || error.code === "grant.void");
      if (isRefused && isNavigation(input.request)) return redirect(input.context.pathTo(`/file/${input.params.slug}`));
      throw error;
    }
  };

  bind(api.view, (input) => getOrRedirect(input, "inline"));
  bind(api.viewHead, (input) => head(input, "inline"));
  bind(api.download, (input) => getOrRedirect(input, "attachment"));
  bind(api.downloadHead, (input) => head(input, "attachment"));
}

/** How often a file may change between the question what it is and the one for its bytes. */
const TRIES = 3;

/** How requests for the bytes are answered. */
function createAnswers({ shares: { files, grants }, activity, clock }: Rooms) {
  const early = createEarlyBytes({ files, activity });

  /** 410 file.gone. */
  const checkThere = async (share: FileRow): Promise<void> => {
    if (!(await files.headOf(share))) throw new Failure("file.gone");
  };

  /**
   * Answers with the share's file as stored, which may have changed since. Calls `spend` just before the bytes are
   * sent, and not for an answer without bytes: conditions, an invalid range, a missing file. 410 file.gone, 503 server.busy.
   */
  const serve = async ({ request, context, share, kind }: Serving, spend: Spend<unknown>): Promise<Response> => {
    for (let tries = 0; tries < TRIES; tries++) {
      // Conditions and ranges refer to the stored file of now, or a browser would keep an old copy.
      const found = await files.fileOf(share);
      if (!found) throw new Failure("file.gone");
      const response = await serveFile(request, servedFile(share, kind, found.head), async (range) => {
        const bytes = await found.bytes(range);
        if (bytes) await spend();
        return bytes;
      });
      if (!response) continue;
      if (kind === "inline" || !response.ok) return response;
      const client = clientOf(request, context);
      return logDownload(response, { activity, subject: { kind: "file", id: share.id }, client });
    }
    throw new Failure("server.busy");
  };

  /** Sends a person on to an address that costs nothing more. */
  const redirectToGrant = async (
    { request, share, context, kind, proxied }: Serving,
    spend: Spend<unknown>,
  ): Promise<Response> => {
    if (isUploading(share)) (await early.open({ request, share, context })).leave();
    else await checkThere(share);
    await spend();
    const grant = grants.makeVisitor({ kind: "file", ...share }, clock());
    const query = new URLSearchParams({ grant, ...(proxied && { proxy: "1" }) });
    return redirect(context.pathTo(`/api/file-${kind === "inline" ? "view" : "download"}/${share.slug}?${query}`));
  };

  /** Redirects to the share's storage; returns undefined if the file has to pass through this server. */
  const direct = async (serving: Serving, spend: Spend<unknown>): Promise<Response | undefined> => {
    const { request, context, share, kind, proxied } = serving;
    const url = proxied || share.use_proxy ? undefined : await files.directUrl(share, kind);
    if (url === undefined) return undefined;
    await checkThere(share);
    await spend();
    // How much of it the storage sends, and to whom, it tells nobody.
    if (kind === "attachment")
      activity.note({ kind: "file", id: share.id }, clientOf(request, context), {
        event: "downloaded",
        outcome: "whole",
        bytes: null,
      });
    return redirect(url, 302);
  };

  /** The bytes through this server, also while they arrive. */
  const serveHere = async (serving: Serving, spend: Spend<unknown>): Promise<Response> => {
    const { share, request } = serving;
    const response = isUploading(share) ? await early.serve(serving, spend) : await serve(serving, spend);
    // Of a limited share with the bytes alone, which spend a view: a password can be guessed by the names as well.
    const isTold = share.max_views === 0 || (response.ok && request.method !== "HEAD");
    if (share.sealed !== null && isTold) response.headers.set("x-share-sealed", share.sealed);
    return response;
  };

  const answer = async (serving: Serving, spend: Spend<unknown>): Promise<Response> => {
    refuseUnreadSvg(serving.request, servedType(serving.share.content_type));
    const sentOn = isUploading(serving.share) ? undefined : await direct(serving, spend);
    return sentOn ?? (await serveHere(serving, spend));
  };

  return { answer, serveHere, redirectToGrant };
}

/** For requests with a grant, and for HEAD. */
const spendNothing = async (): Promise<void> => undefined;

const visitorOf = ({ password, grant }: BytesInput["query"], request: Request, context: RequestContext): Visitor => ({
  ...clientOf(request, context),
  password,
  grant,
});

/** Reports whether a browser navigates (Fetch Metadata). */
const isNavigation = ({ headers }: Request): boolean => headers.get("sec-fetch-mode") === "navigate";

/** Reports whether a browser will ask for more of the same: who navigates may reload, and a player requests ranges. */
const asksAgain = (request: Request): boolean =>
  isNavigation(request) || ["video", "audio"].includes(request.headers.get("sec-fetch-dest") ?? "");

const redirect = (location: string, status: 302 | 303 = 303): Response =>
  new Response(null, { status, headers: { location, "cache-control": "no-store" } });

type Found = Pick<ServedFile, "size" | "etag" | "modified">;

const servedFile = (share: FileRow, kind: Kind, { size, etag, modified }: Found): ServedFile => ({
  size,
  etag,
  // A file that belongs to the tree has a time of its own.
  modified: etag === share.etag && share.upload !== null ? share.created_at : modified,
  type: servedType(share.content_type),
  disposition: disposition(kind, share.filename),
  cache: share.password_hash === null && share.max_views === 0 ? "no-cache" : "no-store",
});
