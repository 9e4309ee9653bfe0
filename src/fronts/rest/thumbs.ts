import { Failure } from "#contract/failures";
import { files } from "#contract/files";
import { fsBytes } from "#contract/fs/bytes";
import { MAX_OFFERED_THUMB, type ThumbWidth } from "#contract/limits";
import { ownerName, type Principal } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { limitedAddress } from "../../lib/addresses.ts";
import { evaluateConditions } from "../../lib/conditional.ts";
import { sized } from "../../lib/counting.ts";
import type { FileRow } from "../../shares/files-table.ts";
import type { Visitor } from "../../shares/gate.ts";
import { type ThumbSource, thumbName } from "../../thumbs/names.ts";
import type { Asker } from "../../thumbs/queue.ts";
import type { Node } from "../../vfs/node.ts";
import { readBytes } from "../body.ts";
import { untrustedHeaders } from "../bytes.ts";
import type { RequestContext } from "../context.ts";
import type { Bind } from "./bind.ts";

/** How an answer may be kept: until it is asked again, for good under its address, or not at all. */
const CACHE = {
  asking: "private, no-cache",
  forGood: "private, max-age=31536000, immutable",
  never: "no-store",
} as const;

/** How often a file that changes meanwhile is looked at anew. */
const TRIES = 4;

interface Asked {
  readonly request: Request;
  readonly asker: Asker;
  readonly width: ThumbWidth;
  readonly cache: keyof typeof CACHE;
  /** The file as whoever asks may see it at this moment; throws otherwise. */
  readonly find: () => Promise<ThumbSource>;
}

/** Who has left reads no answer, and nothing is wrong here. */
async function unlessLeft<Result>({ signal }: Request, done: Promise<Result>): Promise<Result> {
  try {
    return await done;
  } catch (error) {
    throw signal.aborted ? new Failure("server.busy") : error;
  }
}

/** The file at a path, whose caller may write it and see it. 403, 404, 412 path.changed, 423. */
async function writable(node: Node, etag: string): Promise<ThumbSource> {
  node.requireWritable("write", false);
  const { location, head, read } = await node.open();
  if (head.etag !== etag) throw new Failure("path.changed");
  return { storage: location.mount.storage, head, read };
}

/** Thumbnails of the tree and of shares, for whoever may see the file. */
export function bindThumbs(bind: Bind, { thumbs, vfs, shares }: Pick<House, "thumbs" | "vfs" | "shares">): void {
  /** Looks again at what the caller may see when the picture is there: to make it may have taken its time. */
  const answer = async (asked: Asked, triesLeft = TRIES): Promise<Response> => {
    const { request, asker, width, cache, find } = asked;
    const source = await find();
    const name = thumbName(source, width);
    const etag = `"${name.slice(0, 32)}"`;
    const headers = { ...untrustedHeaders, "content-type": "image/webp", "cache-control": CACHE[cache], etag };
    const outcome = evaluateConditions(request.method, request.headers, { etag });
    if (outcome === "not modified") return new Response(null, { status: 304, headers });
    if (outcome === "failed") return new Response(null, { status: 412, headers });
    if (request.method === "HEAD")
      return new Response(null, { headers: { ...headers, "transfer-encoding": "chunked" } });
    const bytes = await unlessLeft(request, thumbs.of(source, width, asker));
    if (bytes === undefined || thumbName(await find(), width) !== name) {
      if (triesLeft <= 1) throw new Failure("server.busy");
      return await answer(asked, triesLeft - 1);
    }
    return sized(new Response(bytes, { headers }), bytes.length);
  };

  bind(fsBytes.thumb, async ({ query: { path, w, v }, principal, request, context }) => {
    const find = async (): Promise<ThumbSource> => {
      const view = await vfs.as(principal, "mount");
      const { location, head, read } = await view.at(path).open();
      return { storage: location.mount.storage, head, read };
    };
    const { head } = await find();
    const asker = askerOf(principal, context, request);
    return await answer({ request, asker, width: widthOf(w), cache: v === head.etag ? "forGood" : "asking", find });
  });

  bind(fsBytes.offerThumb, async ({ query: { path, w, v }, principal, request, context }) => {
    const view = await vfs.as(principal, "mount");
    const node = view.at(path);
    const [source, width] = [await writable(node, v), widthOf(w)];
    const bytes = await readBytes(request, context, MAX_OFFERED_THUMB);
    const recheck = async () => {
      const now = await writable(await node.again(), v);
      if (thumbName(now, width) !== thumbName(source, width) || now.head.key !== source.head.key)
        throw new Failure("path.changed");
    };
    await unlessLeft(
      request,
      thumbs.offer(source, { width, bytes, recheck, asker: askerOf(principal, context, request) }),
    );
    return {};
  });

  /** The share of a visitor who may see its file without a view. 401, 403 picture.limited, 404, 409 sealed.unreadable, 410. */
  const shareOf = async (slug: string, visitor: Visitor): Promise<FileRow> => {
    const readmitted = await shares.files.readmit(slug, visitor);
    if (readmitted) return readable(readmitted);
    const { share, admitted } = await shares.files.look(slug, visitor);
    if (!admitted) throw new Failure("password.missing");
    if (share.max_views > 0) throw new Failure("picture.limited");
    return readable(share);
  };

  bind(files.thumb, async ({ params: { slug }, query: { w, password, grant }, principal, request, context }) => {
    const visitor = { address: context.address, password, grant };
    const find = async (): Promise<ThumbSource> => {
      const share = await shareOf(slug, visitor);
      const found = await shares.files.fileOf(share);
      if (!found) throw new Failure("file.gone");
      return { storage: share.storage, head: found.head, read: () => found.bytes() };
    };
    const { password_hash, max_views } = await shareOf(slug, visitor);
    const cache = password_hash === null && max_views === 0 ? "asking" : "never";
    const asker = askerOf(principal, context, request);
    return await answer({ request, asker, width: widthOf(w), cache, find });
  });
}

/** 409 sealed.unreadable. */
function readable(share: FileRow): FileRow {
  if (share.sealed !== null) throw new Failure("sealed.unreadable");
  return share;
}

const widthOf = (text: "320" | "1280"): ThumbWidth => (text === "320" ? 320 : 1280);

/** Who waits: the owner of a credential, or the address of a visitor, also of one of a link, who has another name with each opening. */
function askerOf(principal: Principal, { address }: Pick<RequestContext, "address">, { signal }: Request): Asker {
  const { kind } = principal;
  if (kind === "anonymous" || kind === "link" || (kind === "key" && principal.isVisitor))
    return { name: limitedAddress(address), isVisitor: true, signal };
  return { name: ownerName(principal), isVisitor: false, signal };
}
