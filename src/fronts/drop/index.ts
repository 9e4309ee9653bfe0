/**
 * Drops: `curl -T file https://host/` and its kin share a file or a text in one request, and answer its link in one line.
 * What is dropped at an address that leads to a page or to another front is theirs to answer.
 */

import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES, MAX_CONTENT_JSON_BYTES } from "#contract/limits";
import type { Permission } from "#contract/permissions";
import type { NewFile } from "#contract/uploads";
import { countCreation } from "../../access/limiter.ts";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import type { Incoming } from "../../stores/store.ts";
import { readBytes } from "../body.ts";
import { type RequestContext, requireWhole } from "../context.ts";
import { isForm, readForm } from "../form.ts";
import { type Fields, readFields } from "../rest/request/fields.ts";
import { subjectOf } from "../rest/shares/url-uploads.ts";
import { type Admits, withKeyRefusals } from "./admits.ts";
import { type Dropped, dropAnswer } from "./answer.ts";
import { createCli, isCli } from "./cli.ts";
import { type DropOptions, optionNamed, optionsOf } from "./options.ts";
import { createRemoval, isRemoval, removalAddress } from "./removal.ts";
import { createSharing, hasFields, isDropTarget, isFileBody, nameIn, newFile, typeOf, UNNAMED } from "./share.ts";

type Rooms = Pick<House, "shares" | "clock"> & { readonly access: Pick<House["access"], "limiter"> };

/** One request that drops something. */
interface Drop {
  readonly request: Request;
  readonly context: RequestContext;
  readonly admit: (...rights: [Permission, ...Permission[]]) => Promise<Caller>;
}

/** Whether a request drops something, deletes what was dropped, or asks for the program that does both. */
export const isDrop = (context: RequestContext, request: Request): boolean =>
  isDropTarget(context, request) || isRemoval(context, request) || isCli(context, request);

/** Fields of a form that are what is shared. `oneshot` is rustypaste's: a file that is opened once. */
const contents = ["file", "text", "url", "oneshot"] as const;
const isContent = (name: string | undefined): boolean => contents.some((content) => content === name);

/** Makes the functions that take what the body of a request is. */
function createTakes({ shares, clock }: Rooms) {
  const { sources } = shares;
  const sharing = createSharing(shares);
  const noFields: ReadonlyMap<string, string> = new Map();

  const options = ({ request, context }: Drop, fields = noFields) => optionsOf(request, context, fields, clock());

  /** The right is asked for again: while the text was on its way, its sender may have lost it. */
  const text = async (drop: Drop, content: string, asked = options(drop)): Promise<Dropped> =>
    await sharing.text(await drop.admit("text"), content, asked, drop);

  const url = async (drop: Drop, address: string, asked: DropOptions): Promise<Dropped> => {
    const { request, context, admit } = drop;
    const caller = await admit("file_share");
    const found = await sources.open(address.trim(), {
      subject: subjectOf(caller, context),
      signal: request.signal,
    });
    context.hold();
    const { encoding } = found;
    const body = new Response(encoding === undefined ? found.body : undone(found.body, encoding));
    const length = encoding === undefined ? (found.size ?? undefined) : undefined;
    const sent = { name: asked.name ?? found.filename, type: found.contentType, size: length };
    return await sharing.file(caller, { body, length, file: newFile(asked, sent) });
  };

  return {
    text,

    /** The body is a file. */
    async body(drop: Drop, named: string): Promise<Dropped> {
      const { request, context, admit } = drop;
      const caller = await admit("file_share");
      requireWhole(request);
      const { length } = context;
      if (!request.body && length === undefined) throw new Failure("drop.empty");
      const asked = options(drop);
      context.hold();
      const sent = { name: asked.name ?? named, type: request.headers.get("content-type"), size: length };
      return await sharing.file(caller, { body: request, length, file: newFile(asked, sent) });
    },

    /** The body is a form with a file, a text or an address as one of its parts, and options before and after it. */
    async form(drop: Drop): Promise<Dropped> {
      const { request, context, admit } = drop;
      // What is in a form is not known before it is read: whoever may share neither has nothing of it read.
      await admit("file_share", "text");
      const missing = new Failure("drop.empty");
      const form = await readForm(request, { known: optionNamed, isPartAFile: isContent, missing });
      const asked = () => ({ ...options(drop, form.fields), ...(form.name === "oneshot" && { views: 1 }) });
      if (form.name === "text" || form.name === "url") {
        const said = await textOf(new Response(form.file), context);
        await form.ended;
        return await (form.name === "text" ? text : url)(drop, said, asked());
      }
      const caller = await admit("file_share");
      context.hold();
      const file = (): NewFile => {
        const said = asked();
        const name = said.name ?? (form.filename || UNNAMED);
        return newFile(said, { name, type: form.mimetype, size: undefined });
      };
      const last = async () => {
        await form.ended;
        return file();
      };
      return await sharing.file(caller, { body: new Response(form.file), file: file(), last });
    },

    /** The body is fields as `curl -d` sends them: `text=` or `url=`, and options. */
    async fields(drop: Drop): Promise<Dropped> {
      await drop.admit("file_share", "text");
      const sent = readDrop(await readFields(drop.request, drop.context, MAX_CONTENT_JSON_BYTES));
      const asked = options(drop, sent.fields);
      if (sent.text !== undefined) return await text(drop, sent.text, asked);
      if (sent.url !== undefined) return await url(drop, sent.url, asked);
      throw new Failure("drop.empty");
    },
  };
}

/** The front of drops. */
export function createDropFront(rooms: Rooms, anybody: Admits) {
  const admits = withKeyRefusals(anybody);
  const [drop, removal, cli] = [createDrop(rooms, admits), createRemoval(rooms, admits), createCli(rooms, admits)];
  return async (request: Request, context: RequestContext): Promise<Response> => {
    if (isRemoval(context, request)) return await removal(request, context);
    return await (isCli(context, request) ? cli : drop)(request, context);
  };
}

/** Answers drops. 400 drop.empty, drop.encoding, option.*; else as the shares that they make. */
function createDrop(rooms: Rooms, admits: Admits) {
  const { shares, access } = rooms;
  const takes = createTakes(rooms);

  const take = async (drop: Drop): Promise<Dropped> => {
    const { request, context, admit } = drop;
    if (isFileBody(request)) return await takes.body(drop, request.method === "PUT" ? nameIn(context) : UNNAMED);
    if (isForm(typeOf(request))) return await takes.form(drop);
    if (hasFields(request)) return await takes.fields(drop);
    await admit("text");
    return await takes.text(drop, await textOf(request, context));
  };

  return async (request: Request, context: RequestContext): Promise<Response> => {
    let isCounted = false;
    const admit: Drop["admit"] = async (...rights) => {
      const caller = await admits(request, context, ...rights);
      if (!isCounted) await countCreation(access.limiter, caller);
      isCounted = true;
      return caller;
    };
    const dropped = await take({ request, context, admit });
    return dropAnswer(request, context, dropped, removalAddress(shares.grants, dropped, context));
  };
}

/** A text of UTF-8, whose size the room bounds. 400 drop.encoding; 413 body.tooLarge. */
async function textOf(body: Incoming, context: RequestContext): Promise<string> {
  const { length } = context;
  const bounded = { memory: context.memory, length: body instanceof Request ? length : undefined };
  const bytes = await readBytes(body, bounded, MAX_CONTENT_BYTES);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Failure("drop.encoding");
  }
}

/** 400 form.repeated. */
function readDrop({ text, url, ...rest }: Fields) {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries({ ...rest, text, url })) {
    if (value === undefined || (optionNamed(name) === undefined && name !== "text" && name !== "url")) continue;
    if (typeof value !== "string") throw new Failure("form.repeated", { field: name });
    if (optionNamed(name) !== undefined) fields.set(name, value);
  }
  const single = (value: string | readonly string[] | undefined) => (typeof value === "string" ? value : undefined);
  return { text: single(text), url: single(url), fields };
}

/** What a server has compressed although nobody asked for it. 502 url.unreachable for a way that nobody here undoes. */
function undone(body: ReadableStream<Uint8Array>, encoding: string): ReadableStream {
  const ways: Readonly<Record<string, CompressionFormat>> = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate" };
  const way = ways[encoding];
  if (way) return body.pipeThrough(new DecompressionStream(way) as never);
  body.cancel().catch(() => undefined);
  throw new Failure("url.unreachable");
}
