/** Makes shares of what is dropped, by the same verbs as the API. */

import { isReserved } from "#contract/paths";
import type { NewFile } from "#contract/uploads";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { isoOrNull } from "../../lib/clock.ts";
import { withSha256 } from "../../lib/digests/digests.ts";
import type { Incoming } from "../../stores/store.ts";
import { decodedSegment, type RequestContext } from "../context.ts";
import { isForm } from "../form.ts";
import { pagePathOf, requestKey } from "../rest/shares/shares.ts";
import type { Dropped } from "./answer.ts";
import type { DropOptions } from "./options.ts";

/** Pages and fronts that no slug is kept from. */
const places = new Set([
  "assets",
  "cli",
  "config.js",
  "in",
  "mcp",
  "metrics",
  "mount-explorer",
  "s",
  "share-pages",
  "sw.js",
]);

const isTaken = (name: string): boolean => places.has(name) || isReserved(name);

const rootName = /^\/([^/]*)$/;

/** Whether a request drops something: `PUT /`, `PUT /NAME`, `POST /`. */
export function isDropTarget({ path }: Pick<RequestContext, "path">, { method }: Request): boolean {
  if (method === "POST") return path === "/";
  const name = method === "PUT" ? rootName.exec(path)?.[1] : undefined;
  return name !== undefined && !isTaken(name);
}

/** The media type of what is dropped. */
export const typeOf = ({ headers }: Request): string => headers.get("content-type") ?? "";

/** Whether the body of a drop is fields, as `curl -d` sends them. */
export const hasFields = (request: Request): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(typeOf(request));

/** Whether the body of a drop is a file as it comes. */
export const isFileBody = (request: Request): boolean =>
  request.method === "PUT" ||
  !(isForm(typeOf(request)) || hasFields(request) || /^text\/(?:plain|markdown)\s*(;|$)/i.test(typeOf(request)));

/** What a file is called of which nobody says it, as curl has it for what comes from a pipe. */
export const UNNAMED = "file";

/** What the address calls a file that is dropped at it. 400 target.invalid. */
export const nameIn = ({ path }: Pick<RequestContext, "path">): string =>
  decodedSegment(rootName.exec(path)?.[1] ?? "") || UNNAMED;

/** A file that is dropped. */
interface Passing {
  readonly body: Incoming;
  /** Bytes, where its sender says so. */
  readonly length?: number | undefined;
  /** What it is, as far as that is known when its bytes begin. */
  readonly file: NewFile;
  /** What it is when they have come, where fields of a form may follow them. */
  readonly last?: (() => Promise<NewFile>) | undefined;
}

/** Makes shares. Failures are those of the shares themselves: 400 slug.*, expiry.past; 409 slug.taken; 413; 507 and others. */
export function createSharing({ files, pastes }: Pick<House["shares"], "files" | "pastes">) {
  return {
    async text(
      caller: Caller,
      content: string,
      asked: DropOptions,
      { request, context }: { readonly request: Request; readonly context: RequestContext },
    ): Promise<Dropped> {
      const { expires, views, slug, remark, password, plain } = asked;
      const paste = { content, slug, remark, password, expiresAt: expires, maxViews: views, plain };
      const row = await pastes.create(caller, paste, requestKey(request, caller, context));
      return {
        ...{ kind: "paste", id: row.id, slug: row.slug, page: `/paste/${row.slug}`, name: null, size: row.size },
        ...{ expires: isoOrNull(row.expires_at), views: row.max_views },
      };
    },

    async file(caller: Caller, { body, length, file, last }: Passing): Promise<Dropped> {
      const { digesting, sha256 } = withSha256();
      const arrived = last ?? (async () => file);
      const passing = { body, length, digesting, arrived, isOpenToChange: last !== undefined };
      const row = await files.receive(caller, file, passing);
      return {
        ...{ kind: "file", id: row.id, slug: row.slug, page: pagePathOf(row), name: row.filename, size: row.size },
        ...{ sha256: sha256(), expires: isoOrNull(row.expires_at), views: row.max_views },
      };
    },
  };
}

interface Sent {
  readonly name: string;
  readonly type: string | null;
  /** Bytes. */
  readonly size: number | undefined;
}

/** A file as the API has it. */
export const newFile = (asked: DropOptions, { name, type, size }: Sent): NewFile => ({
  filename: name,
  mimetype: type?.slice(0, 200) ?? null,
  size,
  slug: asked.slug,
  remark: asked.remark,
  password: asked.password,
  sealed: asked.sealed,
  path: asked.path,
  s3_config_id: asked.storage,
  expires_at: asked.expires,
  max_views: asked.views,
});
