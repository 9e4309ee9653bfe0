import type { FileRecord } from "#contract/files";
import { PART_URLS } from "#contract/limits";
import { freePort } from "../../support/servers/free-port.ts";
import { listen, storageElsewhere } from "../../web/transfer/storage-elsewhere.ts";
import { answer, refusal } from "./fake-server.ts";

/** One file share in the fake server, finished or not. */
interface Stored {
  readonly id: string;
  readonly slug: string;
  readonly filename: string;
  readonly size: number;
  readonly partSize: number;
  readonly parts: Map<number, Uint8Array>;
  readonly multipart: boolean;
  body: Uint8Array | undefined;
  ready: boolean;
}

interface NewFile {
  readonly filename: string;
  readonly size?: number;
  readonly slug?: string;
  readonly part_size?: number;
  /** What a file on the web calls its size. */
  readonly total_size?: number;
}

interface CallBody extends NewFile {
  readonly file_id: string;
  readonly ids: readonly string[];
  readonly part_numbers?: readonly number[];
  readonly list?: boolean;
  readonly relay?: boolean;
  readonly parts: readonly { readonly partNumber: number; readonly etag: string }[];
}

/** One PUT as it arrives: part 0 is a whole file. */
export interface ArrivingPut {
  readonly filename: string;
  readonly part: number;
  readonly headers: Headers;
  /** Whether it came to the server, and not to a storage elsewhere. */
  readonly here: boolean;
}

/** Answers in place of the fake server, or lets it answer when nothing comes back. */
type Intercept<Input> = (input: Input) => Response | Promise<Response | undefined> | undefined;

const etagOf = (bytes: Uint8Array): string => Bun.hash(bytes).toString(16);

const recordOf = ({ id, slug, filename, size }: Stored): FileRecord => ({
  id,
  slug,
  filename,
  url: `/file/${slug}`,
  storage_config_id: "store",
  storage_config_name: "Built-in storage",
  storage_provider_type: "Built-in disk",
  storage_type: "S3",
  storage_path: filename,
  file_path: null,
  mimetype: "application/octet-stream",
  size,
  etag: null,
  remark: null,
  has_password: false,
  expires_at: null,
  max_views: 0,
  views: 0,
  use_proxy: 0,
  created_by: "admin",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  type: 0,
  typeName: "unknown",
});

/**
 * A small server in memory that takes uploads as Satchel's does, those of visitors too, who delete nothing. It can be cut off
 * and comes back with what it had.
 */
export function uploadServer({
  provider = "Built-in disk",
  exposesEtags = true,
  visitors = false,
  elsewhere = false,
} = {}) {
  const stored = new Map<string, Stored>();
  const calls: { readonly line: string; readonly body: CallBody; readonly headers: Headers }[] = [];
  /** What was begun under which Idempotency-Key. */
  const begunUnder = new Map<string, string>();
  const puts: ArrivingPut[] = [];
  /** Addresses carry the generation they were made in; older ones are refused. */
  let generation = 1;
  let made = 0;
  let inFlight = 0;
  let widest = 0;
  let loseAnswerTo: string | undefined;
  let onPut: Intercept<ArrivingPut> = () => undefined;
  let onCall: Intercept<string> = () => undefined;

  const addressOf = (id: string, part: number, relay = false) =>
    `${relay ? base() : (storage?.base ?? base())}/put/${id}/${part}?generation=${generation}`;
  const partsAsked = (one: Stored, numbers: readonly number[], relay = false) =>
    numbers.map((partNumber) => ({ partNumber, url: addressOf(one.id, partNumber, relay) }));
  const countOf = ({ size, partSize }: Stored) => Math.max(1, Math.ceil(size / partSize));

  const create = (body: NewFile, multipart: boolean, key: string): Stored | undefined => {
    const before = stored.get(begunUnder.get(key) ?? "");
    if (before) return before;
    made += 1;
    const slug = body.slug ?? `random${made}`;
    if ([...stored.values()].some((other) => other.slug === slug)) return undefined;
    const { filename, total_size, size = total_size ?? 0, part_size: partSize = size } = body;
    const id = `file-${made}`;
    const one = { id, slug, filename, size, partSize, parts: new Map(), multipart, body: undefined, ready: false };
    stored.set(id, one);
    if (key) begunUnder.set(key, id);
    return one;
  };

  const begun = (one: Stored) => ({
    file_id: one.id,
    slug: one.slug,
    url: `/file/${one.slug}`,
    provider_type: provider,
    contentType: "text/x-told",
    hasPassword: false,
    expiresAt: null,
    maxViews: 0,
  });

  const presign = (body: CallBody, key: string) => {
    const one = create(body, false, key);
    if (!one) return refusal("slug.taken");
    const addresses = { upload_url: addressOf(one.id, 0), relay_url: addressOf(one.id, 0, true) };
    return answer({ data: { ...begun(one), ...addresses, storage_path: "", s3_url: "" } });
  };

  const begin = (body: CallBody, key: string) => {
    const one = create(body, true, key);
    if (!one) return refusal("slug.taken");
    const partCount = countOf(one);
    const first = Array.from({ length: Math.min(partCount, PART_URLS) }, (_, index) => index + 1);
    const counts = { partSize: one.partSize, partCount, totalSize: one.size };
    const where = { upload_id: `upload-${one.id}`, storagePath: "", s3Url: "" };
    return answer({ data: { ...begun(one), ...where, ...counts, presigned_urls: partsAsked(one, first) } });
  };

  const parts = (one: Stored, body: CallBody) => {
    if (one.ready) return refusal("upload.finished");
    const there = [...one.parts].map(([partNumber, bytes]) => ({
      partNumber,
      etag: etagOf(bytes),
      size: bytes.length,
    }));
    const listed = body.list === false ? [] : there;
    const counts = { partSize: one.partSize, partCount: countOf(one), totalSize: one.size };
    const presigned_urls = partsAsked(one, body.part_numbers ?? [], body.relay);
    return answer({ data: { ...counts, parts: listed, presigned_urls } });
  };

  const complete = (one: Stored, body: CallBody) => {
    if (one.ready) return answer({ data: recordOf(one) });
    const named = body.parts.map(({ partNumber, etag }) => ({ etag, bytes: one.parts.get(partNumber) }));
    if (named.length !== countOf(one)) return refusal("upload.parts");
    if (named.some(({ etag, bytes }) => !bytes || etagOf(bytes) !== etag)) return refusal("upload.parts");
    one.body = Buffer.concat(named.flatMap(({ bytes }) => (bytes ? [bytes] : [])));
    one.ready = true;
    return answer({ data: recordOf(one) });
  };

  const commit = (one: Stored) => {
    if (one.body?.length !== one.size) return refusal("upload.incomplete");
    one.ready = true;
    return answer({ data: recordOf(one) });
  };

  const abort = (one: Stored) => {
    if (one.ready) return refusal("upload.finished");
    stored.delete(one.id);
    return answer({ data: { fileId: one.id } });
  };

  const remove = ({ ids }: CallBody) => {
    if (visitors) return refusal("auth.required");
    const found = ids.filter((id) => stored.delete(id));
    return answer({ data: { success: found.length, failed: [] } });
  };

  const reply = (asked: string, body: CallBody, key: string): Response => {
    // A file on the web goes the same way, by calls of its own.
    const line = asked.replace(/^POST \/url\//, "POST /s3/").replace(/\/cancel$/, "/multipart/abort");
    if (line === "GET /health") return Response.json({ status: "ok", timestamp: "" });
    if (line === "POST /s3/presign") return presign(body, key);
    if (line === "POST /s3/multipart/init") return begin(body, key);
    if (line === "DELETE /files/batch-delete") return remove(body);
    const one = stored.get(body.file_id);
    if (!one) return refusal("upload.missing");
    if (line === "POST /s3/commit") return commit(one);
    if (line === "POST /s3/multipart/parts") return parts(one, body);
    if (line === "POST /s3/multipart/complete") return complete(one, body);
    if (line === "POST /s3/multipart/abort") return abort(one);
    return refusal("route.missing");
  };

  const take = async (request: Request, url: URL, here = true): Promise<Response> => {
    const [, , id = "", number = ""] = url.pathname.split("/");
    const part = Number(number);
    const one = stored.get(id);
    const arriving = { filename: one?.filename ?? "", part, headers: request.headers, here };
    puts.push(arriving);
    inFlight += 1;
    widest = Math.max(widest, inFlight);
    try {
      const instead = await onPut(arriving);
      const bytes = await request.bytes();
      if (instead) return instead;
      if (!one) return new Response("NoSuchUpload", { status: 404 });
      if (Number(url.searchParams.get("generation")) < generation) return new Response("Expired", { status: 403 });
      if (part > 0) one.parts.set(part, bytes);
      else one.body = bytes;
      return new Response(null, { headers: exposesEtags ? { etag: `"${etagOf(bytes)}"` } : {} });
    } finally {
      inFlight -= 1;
    }
  };

  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.pathname.startsWith("/put/")) return take(request, url);
    const line = `${request.method} ${url.pathname.replace(/^\/api/, "")}`;
    const text = await request.text();
    const body = (text ? JSON.parse(text) : {}) as CallBody;
    const { headers } = request;
    calls.push({ line, body, headers });
    if (loseAnswerTo === line) {
      loseAnswerTo = undefined;
      reply(line, body, headers.get("idempotency-key") ?? "");
      return new Response(null, { status: 504 });
    }
    return (await onCall(line)) ?? reply(line, body, headers.get("idempotency-key") ?? "");
  };

  const port = freePort();
  let server = listen(port, fetch);
  const base = () => `http://127.0.0.1:${port}`;
  const storage = elsewhere ? storageElsewhere((request) => take(request, new URL(request.url), false)) : undefined;

  return {
    base: base(),
    calls,
    /** The calls as METHOD /path, without the questions whether it is there. */
    lines: () => calls.map(({ line }) => line).filter((line) => line !== "GET /health"),
    puts,
    /** The storage elsewhere, if there is one. */
    storage,
    /** The numbers of the parts in the order of their arrival. */
    parts: () => puts.map(({ part }) => part),
    widest: () => widest,
    inFlight: () => inFlight,
    stored: () => [...stored.values()],
    /** The bytes of a finished share. */
    bytes: (slug: string) => [...stored.values()].find((one) => one.slug === slug && one.ready)?.body,
    onPut(next: Intercept<ArrivingPut>) {
      onPut = next;
    },
    onCall(next: Intercept<string>) {
      onCall = next;
    },
    /** Does what the next such call asks for, and nobody hears of it. */
    loseAnswer(line: string) {
      loseAnswerTo = line;
    },
    /** Makes all addresses that were given out too old. */
    expireAddresses() {
      generation += 1;
    },
    /** Forgets everything, as the sweeper does a day later. */
    forget: () => stored.clear(),
    cutOff: () => server.stop(true),
    comeBack() {
      server = listen(port, fetch);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([server.stop(true), storage?.cutOff()]);
    },
  };
}

export type UploadServer = ReturnType<typeof uploadServer>;
