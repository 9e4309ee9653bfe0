import { Failure } from "#contract/failures";
import { files } from "#contract/files";
import { fsBytes } from "#contract/fs-bytes";
import type { ThumbWidth } from "#contract/limits";
import type { House } from "../../house.ts";
import { evaluateConditions } from "../../lib/conditional.ts";
import { sized } from "../../lib/counting.ts";
import type { FileRow } from "../../shares/files-table.ts";
import type { Visitor } from "../../shares/gate.ts";
import { type ThumbSource, thumbName } from "../../thumbs/thumbs.ts";
import { untrustedHeaders } from "../bytes.ts";
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
  readonly width: ThumbWidth;
  readonly cache: keyof typeof CACHE;
  /** The file as whoever asks may see it at this moment; throws otherwise. */
  readonly find: () => Promise<ThumbSource>;
}

/** Thumbnails of the tree and of shares, for whoever may see the file. */
export function bindThumbs(bind: Bind, { thumbs, vfs, shares }: Pick<House, "thumbs" | "vfs" | "shares">): void {
  /** The picture of a file; undefined when the file has changed meanwhile. */
  const made = async (source: ThumbSource, width: ThumbWidth, { signal }: Request) => {
    try {
      return await thumbs.of(source, width, signal);
    } catch (error) {
      // Who has left reads no answer, and nothing is wrong here.
      throw signal.aborted ? new Failure("server.busy") : error;
    }
  };

  /** Looks again at what the caller may see when the picture is there: to make it may have taken its time. */
  const answer = async (asked: Asked, triesLeft = TRIES): Promise<Response> => {
    const { request, width, cache, find } = asked;
    const source = await find();
    const name = thumbName(source, width);
    const etag = `"${name.slice(0, 32)}"`;
    const headers = { ...untrustedHeaders, "content-type": "image/webp", "cache-control": CACHE[cache], etag };
    const outcome = evaluateConditions(request.method, request.headers, { etag });
    if (outcome === "not modified") return new Response(null, { status: 304, headers });
    if (outcome === "failed") return new Response(null, { status: 412, headers });
    if (request.method === "HEAD")
      return new Response(null, { headers: { ...headers, "transfer-encoding": "chunked" } });
    const bytes = await made(source, width, request);
    if (bytes === undefined || thumbName(await find(), width) !== name) {
      if (triesLeft <= 1) throw new Failure("server.busy");
      return await answer(asked, triesLeft - 1);
    }
    return sized(new Response(bytes, { headers }), bytes.length);
  };

  bind(fsBytes.thumb, async ({ query: { path, w, v }, principal, request }) => {
    const find = async (): Promise<ThumbSource> => {
      const view = await vfs.as(principal, "mount");
      const { location, head, read } = await view.at(path).open();
      return { storage: location.mount.storage, head, read };
    };
    const { head } = await find();
    return await answer({ request, width: widthOf(w), cache: v === head.etag ? "forGood" : "asking", find });
  });

  /** The share of a visitor who may see its file without a view. 401, 403 picture.limited, 404, 410. */
  const shareOf = async (slug: string, visitor: Visitor): Promise<FileRow> => {
    const readmitted = await shares.files.readmit(slug, visitor);
    if (readmitted) return readmitted;
    const { share, admitted } = await shares.files.look(slug, visitor);
    if (!admitted) throw new Failure("password.missing");
    if (share.max_views > 0) throw new Failure("picture.limited");
    return share;
  };

  bind(files.thumb, async ({ params: { slug }, query: { w, password, grant }, request, context }) => {
    const visitor = { address: context.address, password, grant };
    const find = async (): Promise<ThumbSource> => {
      const share = await shareOf(slug, visitor);
      const found = await shares.files.fileOf(share);
      if (!found) throw new Failure("file.gone");
      return { storage: share.storage, head: found.head, read: () => found.bytes() };
    };
    const { password_hash, max_views } = await shareOf(slug, visitor);
    const cache = password_hash === null && max_views === 0 ? "asking" : "never";
    return await answer({ request, width: widthOf(w), cache, find });
  });
}

const widthOf = (text: "320" | "1280"): ThumbWidth => (text === "320" ? 320 : 1280);
