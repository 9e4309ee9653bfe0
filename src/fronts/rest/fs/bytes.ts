import { Failure } from "#contract/failures";
import { fsBytes as api } from "#contract/fs/bytes";
import { MAX_BATCH } from "#contract/limits";
import { nameOf } from "#contract/paths";
import type { Caller, TreeCaller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import { unforeseen } from "../../../lib/log.ts";
import { disposition, servedType } from "../../../lib/mime.ts";
import type { FoundFile } from "../../../vfs/entry.ts";
import type { Kind, Node } from "../../../vfs/node.ts";
import { serveFile, untrustedHeaders } from "../../bytes.ts";
import type { RequestContext } from "../../context.ts";
import { clientOf, logDownload } from "../../downloads.ts";
import type { Bind } from "../bind.ts";
import { refuseUnreadSvg } from "../svg-guard.ts";

/** A request for a file of the tree. */
interface FileRequest {
  readonly node: Node;
  readonly request: Request;
  readonly kind: Kind;
  /** Called before bytes are sent that somebody wants to keep. */
  readonly keeps?: ((file: FoundFile) => Promise<void>) | undefined;
}

interface ZipRequest {
  readonly paths: readonly string[];
  /** The name of the archive; that of its contents otherwise. */
  readonly name: string | undefined;
  readonly principal: TreeCaller;
  readonly request: Request;
  readonly context: RequestContext;
}

interface ProxyInput {
  readonly params: { readonly path: string };
  readonly query: { readonly sign?: string | undefined; readonly download?: boolean | undefined };
  readonly request: Request;
}

/**
 * What an archive takes of the memory while it is read: for a page of a folder, small files on their way and what is left of those
 * before, 3 MB as measured; and for each path that was chosen.
 */
const [ZIP_BYTES, ZIP_PATH_BYTES] = [4 * 1024 * 1024, 1024];
/** How often a file may change between its attributes and its bytes. */
const TRIES = 3;

/** The holder of a public address sees what the administrator sees. */
const admin: Caller = { kind: "admin", sessionId: null };

type Rooms = Pick<House, "vfs" | "links" | "activity" | "clock" | "log">;

/** The bytes of the tree over REST: files, archives, public addresses and links. */
export function bindFsBytes(bind: Bind, rooms: Rooms): void {
  bindTree(bind, rooms);
  bindArchives(bind, rooms);
  bindProxy(bind, rooms);
}

/** Files for those who may see them. */
function bindTree(bind: Bind, { vfs, links, activity, clock }: Rooms): void {
  bind(api.download, async ({ query: { path, inline }, principal, request, context }) => {
    const view = await vfs.as(principal, "mount");
    const node = view.at(path);
    if (inline) return await serve({ node, request, kind: "inline" });
    if (principal.kind !== "link") return await serve({ node, request, kind: "attachment" });
    const keeps = (file: FoundFile) => links.download(principal, file);
    const response = await serve({ node, request, kind: "attachment", keeps });
    const name = nameOf(node.location.path);
    const download = { activity, subject: principal, client: clientOf(request, context), name };
    return response.ok ? logDownload(response, download) : response;
  });

  bind(api.fileLink, async ({ query: { path, expires_in, force_download = false }, principal: caller, context }) => {
    const view = await vfs.as(caller, "mount");
    const node = view.at(path);
    const kind = force_download ? "attachment" : "inline";
    const { url, seconds } = await node.link({ base: context.base(), kind, seconds: expires_in });
    return {
      data: {
        success: true,
        presignedUrl: url,
        name: nameOf(node.location.path),
        expiresIn: seconds,
        expiresAt: iso(clock() + seconds * 1000),
        forceDownload: force_download,
      },
    };
  });
}

/** Archives for those who may see what is in them. */
function bindArchives(bind: Bind, { vfs, links, activity, clock, log }: Rooms): void {
  const archive = async ({ paths, name: wanted, principal, request, context }: ZipRequest): Promise<Response> => {
    const { signal } = request;
    using stack = new DisposableStack();
    const stopping = new AbortController();
    const bytes = ZIP_BYTES + paths.length * ZIP_PATH_BYTES;
    const { take: keep, release: ended, sent } = await context.memory.hold(bytes, signal, () => stopping.abort());
    stack.defer(ended);
    const view = await vfs.as(principal, "mount");
    const zip = await view.zip({ paths, signal });
    const name = wanted || zip.name || `satchel-${iso(clock()).slice(0, 10)}`;
    const headers = {
      ...untrustedHeaders,
      "content-type": "application/zip",
      "content-disposition": disposition("attachment", zipName(name)),
      "cache-control": "no-store",
    };
    // Without a transfer encoding, an answer without a body would declare an empty archive.
    if (request.method === "HEAD")
      return new Response(null, { headers: { ...headers, "transfer-encoding": "chunked" } });
    if (principal.kind === "link") await links.download(principal, undefined);
    context.hold();
    const broken = (error: unknown) =>
      log.warn("archive broken off", {
        request: context.requestId,
        ...(error instanceof Failure ? { error: error.code } : unforeseen(error)),
      });
    stack.move();
    const stream = zip.stream({ broken, keep, ended, sent, stopping: stopping.signal });
    const answer = new Response(stream, { headers });
    if (principal.kind !== "link") return answer;
    return logDownload(answer, {
      activity,
      subject: principal,
      client: clientOf(request, context),
      name: zipName(name),
    });
  };

  bind(api.zip, async ({ query: { path, name }, ...input }) => {
    const paths = [path].flat();
    if (paths.length > MAX_BATCH) throw new Failure("query.invalid", { field: "path" });
    return await archive({ ...input, paths, name });
  });

  bind(api.zipByForm, ({ body: { path, name }, ...input }) => archive({ ...input, paths: [path].flat(), name }));

  bind(api.grant, async ({ body: { paths }, principal }) => {
    const { grant, until } = await vfs.grants.make(principal, paths, { opens: "archive" });
    return { data: { grant, expires_at: iso(until) } };
  });
}

/** Public addresses of files. */
function bindProxy(bind: Bind, { vfs }: Pick<Rooms, "vfs">): void {
  const proxy = async ({ params, query: { sign, download }, request }: ProxyInput): Promise<Response> => {
    const view = await vfs.as(admin, "mount");
    const node = view.at(`/${params.path}`);
    const { mount, path } = node.location;
    if (mount?.web_proxy !== 1) throw new Failure("mount.none");
    vfs.links.check(mount, path, sign);
    return await serve({ node, request, kind: download ? "attachment" : "inline" });
  };
  bind(api.proxy, proxy);
  bind(api.proxyHead, proxy);
}

/** A file under the request's conditions and range. 404 path.missing, 400 path.isFolder, 406 drawing.unread, 503 server.busy. */
async function serve({ node, request, kind, keeps }: FileRequest): Promise<Response> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await node.open(kind === "attachment" ? "download" : "read");
    const { size, etag, modified, type } = found.head;
    refuseUnreadSvg(request, servedType(type));
    const file = {
      ...{ size, etag, modified },
      type: servedType(type),
      disposition: disposition(kind, nameOf(found.entry.path)),
      cache: "no-cache",
    } as const;
    const response = await serveFile(request, file, async (range) => {
      await keeps?.(found);
      return await found.read(range);
    });
    if (response) return response;
  }
  throw new Failure("server.busy");
}

/** Returns the file name of an archive. */
function zipName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced.
  const plain = name.replace(/[\u0000-\u001f\u007f/\\]/g, "_");
  return /\.zip$/i.test(plain) ? plain : `${plain}.zip`;
}
