import { Failure } from "#contract/failures";
import { files as api } from "#contract/files";
import type { House } from "../../house.ts";
import { disposition } from "../../lib/disposition.ts";
import type { FileRow } from "../../shares/files-table.ts";
import type { Visitor } from "../../shares/gate.ts";
import type { Arrival } from "../arrival.ts";
import { type ServedFile, serveFile } from "../bytes.ts";
import type { Bind } from "./route.ts";

interface BytesInput {
  readonly params: { readonly slug: string };
  readonly query: { readonly password?: string | undefined; readonly grant?: string | undefined };
  readonly request: Request;
  readonly arrival: Arrival;
}

type Kind = "inline" | "attachment";

/** The bytes of shared files. Whoever has opened a share fetches it by a grant; any other request spends a view. */
export function bindFileBytes(bind: Bind, { shares: { files, grants }, clock }: Pick<House, "shares" | "clock">): void {
  /** Answers with the share's file as it lies in its storage, where somebody may have changed it; 410 file.gone. */
  const serve = async (request: Request, share: FileRow, kind: Kind): Promise<Response> => {
    // Conditions and ranges are judged by what is there now, or a browser would be told that it still has it.
    const object = await files.bytes(share);
    if (!object) throw new Failure("file.gone");
    const file = asFound(share, kind, object.head);
    const response = await serveFile(request, file, async (range) => {
      if (!range) return object.body;
      const part = await files.bytes(share, range);
      return part?.head.etag === file.etag ? part.body : undefined;
    });
    if (!response) throw new Failure("file.gone");
    return response;
  };

  const get = async ({ params: { slug }, query, request, arrival }: BytesInput, kind: Kind): Promise<Response> => {
    const visitor = visitorOf(query, arrival);
    const again = await files.readmit(slug, visitor);
    if (again) return await serve(request, again, kind);
    const opening = await files.open(slug, visitor);
    if (!opening.open) throw new Failure("password.missing");
    const { share } = opening;
    if (!isNavigation(request)) return await serve(request, share, kind);
    const grant = grants.visitor({ kind: "file", ...share }, clock());
    const name = kind === "inline" ? "view" : "download";
    return elsewhere(`/api/file-${name}/${slug}?grant=${encodeURIComponent(grant)}`);
  };

  const head = async ({ params: { slug }, query, request, arrival }: BytesInput, kind: Kind): Promise<Response> => {
    const { share, admitted } = await files.look(slug, visitorOf(query, arrival));
    if (!admitted) throw new Failure("password.missing");
    return await serve(request, share, kind);
  };

  /** As `get`; a person who follows a link that asks for something is led to the page that can ask. */
  const lead = async (input: BytesInput, kind: Kind): Promise<Response> => {
    try {
      return await get(input, kind);
    } catch (error) {
      const asks = error instanceof Failure && (error.code === "password.missing" || error.code === "grant.void");
      if (asks && isNavigation(input.request)) return elsewhere(`/file/${input.params.slug}`);
      throw error;
    }
  };

  bind(api.view, (input) => lead(input, "inline"));
  bind(api.viewHead, (input) => head(input, "inline"));
  bind(api.download, (input) => lead(input, "attachment"));
  bind(api.downloadHead, (input) => head(input, "attachment"));
}

const visitorOf = ({ password, grant }: BytesInput["query"], { address }: Arrival): Visitor => ({
  address,
  password,
  grant,
});

/** Whether a person follows a link in a browser (Fetch Metadata), who may reload and whose player asks in ranges. */
const isNavigation = ({ headers }: Request): boolean => headers.get("sec-fetch-mode") === "navigate";

const elsewhere = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });

type Found = Pick<ServedFile, "size" | "etag" | "modified">;

const asFound = (share: FileRow, kind: Kind, { size, etag, modified }: Found): ServedFile => ({
  size,
  etag,
  modified: etag === share.etag ? share.created_at : modified,
  // Texts are nearly always UTF-8; without a word a browser would take them for something older.
  type: share.content_type.startsWith("text/") ? `${share.content_type}; charset=utf-8` : share.content_type,
  disposition: disposition(kind, share.filename),
  cache: share.password_hash === null && share.max_views === 0 ? "no-cache" : "no-store",
});
