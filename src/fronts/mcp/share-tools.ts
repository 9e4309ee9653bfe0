import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import type { House } from "../../house.ts";
import { isoOrNull } from "../../lib/clock.ts";
import { decodedSegment } from "../context.ts";
import { expiryOf } from "../drop/options.ts";
import { createUploadAnswers } from "../rest/shares/upload-answers.ts";
import { type Tools, uploadWay } from "./call.ts";
import { pieceOf } from "./pieces.ts";

type Rooms = Pick<House, "shares" | "transfers" | "clock">;
type Names = "share_text" | "read_text" | "share_file" | "finish_file_share";

/** The slug of a shared text that somebody names by its link. 404 share.missing. */
function slugIn(named: string): string {
  const written = /\/paste\/([^/?#]+)/.exec(named)?.[1] ?? named.trim();
  if (written.includes("/")) throw new Failure("share.missing");
  return decodedSegment(written);
}

/** How many times its bytes a text takes: as it is read, in bytes, and what of it is answered. */
const COPIES = 3;

/** Tools that share texts and files. */
export function createShareTools(rooms: Rooms): Tools<Names> {
  const { shares, clock } = rooms;
  const { pastes, files } = shares;
  const answers = createUploadAnswers(rooms);

  return {
    async share_text({ content, expire, views, plain, slug, remark, password }, { caller, context }) {
      const expiresAt = expiryOf(expire, clock());
      const paste = { content, slug, remark, password, plain, expiresAt, maxViews: views };
      const row = await pastes.create(caller, paste);
      const link = `${context.base()}/paste/${row.slug}`;
      const { expires_at, max_views } = row;
      return { link, raw: `${link}?raw`, slug: row.slug, expires: isoOrNull(expires_at), views: max_views || null };
    },

    async read_text({ text, offset, length }, { caller, context }) {
      const prepare = ({ size }: { readonly size: number }) =>
        context.memory.take(COPIES * Math.min(size, MAX_CONTENT_BYTES));
      const { row, content } = await pastes.read(caller, slugIn(text), prepare);
      const bytes = Buffer.from(content).subarray(offset);
      const { slug, remark, size } = row;
      const link = `${context.base()}/paste/${slug}`;
      return { link, remark, size, ...pieceOf(bytes, { offset, length, size }) };
    },

    async share_file({ name, size, type, folder, expire, views, ...options }, { caller, context }) {
      const file = {
        ...{ ...options, filename: name, size, mimetype: type, path: folder },
        ...{ expires_at: expiryOf(expire, clock()), max_views: views },
      };
      const start = await files.begin(caller, file);
      const { upload_url: url, relay_url: relay, contentType } = await answers.presigned(start, context);
      const { id, slug, expires_at, max_views } = start.file;
      return {
        // A storage elsewhere takes any number of bytes at an address without a length.
        ...uploadWay(name, size === undefined ? relay : url, contentType),
        ...{ upload_id: id, link: `${context.base()}/file/${slug}`, slug },
        ...{ expires: isoOrNull(expires_at), views: max_views || null },
      };
    },

    async finish_file_share({ upload_id: id }, { caller, context }) {
      const { file } = await files.commit(caller, id);
      return { link: `${context.base()}/file/${file.slug}`, size: file.size };
    },
  };
}
