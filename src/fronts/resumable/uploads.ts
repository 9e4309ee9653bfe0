/** What the two protocols of resumable uploads have in common: who sends, what becomes of it, and where it is. */

import { Failure } from "#contract/failures";
import { countCreation } from "../../access/limiter.ts";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { isoOrNull } from "../../lib/clock.ts";
import type { ResumableFile } from "../../shares/resumable-files.ts";
import type { Append } from "../../transfers/appends.ts";
import type { RequestContext } from "../context.ts";
import type { Admits } from "../drop/admits.ts";
import type { Dropped } from "../drop/answer.ts";
import { optionsOf } from "../drop/options.ts";
import { removalAddress } from "../drop/removal.ts";
import { newFile } from "../drop/share.ts";
import { pagePathOf } from "../rest/shares/shares.ts";

export type Rooms = Pick<House, "shares" | "clock" | "transfers"> & {
  readonly access: Pick<House["access"], "limiter">;
};

/** One request to a resumable upload, or for one. */
export interface UploadCall {
  readonly request: Request;
  readonly context: RequestContext;
}

export const ROOT = "/api/tus";
const path = /^\/api\/tus\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The id of the upload at an address. 404 upload.missing. */
export function idIn({ context }: UploadCall): string {
  const [, id] = path.exec(context.path) ?? [];
  if (id === undefined) throw new Failure("upload.missing");
  return id;
}

/** The address of an upload. */
export const addressOf = ({ context }: UploadCall, { id }: ResumableFile): string => `${context.base()}${ROOT}/${id}`;

type Sent = Omit<Append, "body" | "length">;

/** A file that is about to be sent. */
interface Announced {
  readonly name: string;
  readonly type: string | null;
  /** Bytes; undefined where nobody has said. */
  readonly size: number | undefined;
  /** Options beside those of headers and query. */
  readonly fields: ReadonlyMap<string, string>;
  /** To be told again to who asks how far the upload is. */
  readonly metadata?: string;
}

/** Leads to what a finished upload has become. 409 upload.incomplete. */
export async function pageOf(verbs: UploadVerbs, asked: UploadCall): Promise<Response> {
  const upload = await verbs.progressNow(asked, idIn(asked));
  const { isDone, offset, total } = upload;
  if (!isDone) throw new Failure("upload.incomplete", { arrived: offset, size: total ?? "?" });
  const headers = { location: verbs.linksOf(asked, upload).page, "cache-control": "no-store" };
  return new Response(null, { status: 303, headers });
}

/** A share that was made of an upload. */
export const droppedOf = ({ file }: ResumableFile): Dropped => ({
  ...{ kind: "file", id: file.id, slug: file.slug, page: pagePathOf(file), name: file.filename, size: file.size },
  ...{ expires: isoOrNull(file.expires_at), views: file.max_views },
});

/** The verbs of both protocols. Each asks whose request it is; an upload is of whoever began it. 401, 403. */
export function createUploadVerbs({ shares, clock, access, transfers }: Rooms, admits: Admits) {
  const { resumable } = shares.files;
  const admit = ({ request, context }: UploadCall): Promise<Caller> => admits(request, context, "file_share");

  const begin = async (asked: UploadCall, caller: Caller, { fields, metadata, ...sent }: Announced) => {
    const { request, context } = asked;
    const options = optionsOf(request, context, fields, clock());
    await countCreation(access.limiter, caller);
    return await resumable.begin(caller, newFile(options, { ...sent, name: options.name ?? sent.name }), metadata);
  };

  const append = async ({ request, context }: UploadCall, caller: Caller, id: string, sent: Sent) => {
    context.hold();
    // Without a body there is no length either.
    const length = context.length ?? (request.body ? undefined : 0);
    return await resumable.append(caller, id, { ...sent, body: request, length });
  };

  return {
    /**
     * Begins an upload, with what the request brings of it already. Failures are those of a drop; after one nothing is left, because its sender
     * does not know the address.
     */
    async begin(asked: UploadCall, announced: Announced, sent: Sent | undefined): Promise<ResumableFile> {
      const caller = await admit(asked);
      const begun = await begin(asked, caller, announced);
      if (!sent) return begun;
      const { id } = begun;
      try {
        return await append(asked, caller, id, sent);
      } catch (error) {
        // What cannot be removed now goes when nothing has come for a day, and the first failure is the one to report.
        await resumable.abort(caller, id).catch((trouble: unknown) => {
          if (!(trouble instanceof Failure)) throw trouble;
        });
        throw error;
      }
    },

    append: async (asked: UploadCall, id: string, sent: Sent): Promise<ResumableFile> =>
      await append(asked, await admit(asked), id, sent),

    progressWhenIdle: async (
      asked: UploadCall,
      id: string,
      how: { readonly finish: boolean },
    ): Promise<ResumableFile> => await resumable.progressWhenIdle(await admit(asked), id, how),

    progressNow: async (asked: UploadCall, id: string): Promise<ResumableFile> =>
      await resumable.progressNow(await admit(asked), id),

    abort: async (asked: UploadCall, id: string): Promise<void> => await resumable.abort(await admit(asked), id),

    /** The page of a share, and the address that deletes it. */
    linksOf({ context }: UploadCall, upload: ResumableFile) {
      const dropped = droppedOf(upload);
      return {
        page: context.base() + dropped.page,
        removal: removalAddress(shares.grants, dropped, context),
      };
    },

    /** Bytes that a file may have. */
    largest: transfers.largest,
    now: clock,
  };
}

export type UploadVerbs = ReturnType<typeof createUploadVerbs>;
