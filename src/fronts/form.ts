import type { Readable } from "node:stream";
import Busboy from "@fastify/busboy";
import * as z from "zod/mini";
import { Failure } from "#contract/failures";

/** A form while it is read: its fields, and the file as a stream. */
interface IncomingForm {
  /** The known fields that have been read so far, also those that come after the file. */
  readonly fields: ReadonlyMap<string, string>;
  /** Names of the known fields before the file. */
  readonly before: ReadonlySet<string>;
  /** Of the part that is the file. */
  readonly name: string;
  readonly filename: string;
  readonly mimetype: string;
  readonly file: ReadableStream<Uint8Array>;
  /** Resolves when the whole form has been read. 400 form.malformed, form.repeated, body.invalid; upload.length. */
  readonly ended: Promise<void>;
}

interface FormOptions {
  /** The name under which a field is kept; undefined for one that is ignored. */
  readonly known: (name: string) => string | undefined;
  /** Whether a part is the file; one that says a file name, unless said. */
  readonly isPartAFile?: (name: string | undefined) => boolean;
  /** What a whole form without the file fails with, unless form.malformed. */
  readonly missing?: Failure;
  /** Bytes of one field. 400 body.invalid. */
  readonly fieldSize?: number;
  /** Bytes of the known fields before the file together with their names; what more of them fails with. */
  readonly together?: { readonly most: number; readonly beyond: Error };
}

const LIMITS = { fields: 50, fieldNameSize: 100, fieldSize: 10_000, files: 1, headerPairs: 50, parts: 60 };

/**
 * Reads a multipart/form-data body (RFC 7578) up to its file, which is left to be read as a stream. Fields come in any order,
 * but each of them once: 400 form.repeated. 400 form.malformed for anything but a whole form with exactly one file.
 */
export async function readForm(request: Request, options: FormOptions): Promise<IncomingForm> {
  const type = request.headers.get("content-type") ?? "";
  if (!isForm(type) || !request.body) throw new Failure("form.malformed");
  const fields = new Map<string, string>();
  const begun = Promise.withResolvers<IncomingForm>();
  const ended = Promise.withResolvers<void>();
  // Both are read in their turn; until then a failure has nobody who hears it.
  begun.promise.catch(() => undefined);
  ended.promise.catch(() => undefined);
  let before: ReadonlySet<string> | undefined;
  let left = options.together?.most ?? Number.POSITIVE_INFINITY;
  const fail = (failure: Error) => {
    begun.reject(failure);
    ended.reject(failure);
    body.stop(failure);
  };

  const parser = createParser(type, options);
  const body = createFeed(request.body.getReader(), parser, ended.promise);
  parser.on("field", (sent: string | undefined, value: string, ...[, cut]: boolean[]) => {
    // Each part has a name (RFC 7578 section 4.2).
    if (sent === undefined) return fail(new Failure("form.malformed"));
    const name = options.known(sent);
    if (name === undefined) return;
    if (!before) left -= Buffer.byteLength(name) + Buffer.byteLength(value);
    if (options.together && left < 0) fail(options.together.beyond);
    else if (cut) fail(new Failure("body.invalid", { field: name }));
    else if (fields.has(name)) fail(new Failure("form.repeated", { field: name }));
    else fields.set(name, value);
  });
  parser.on("file", (name: string, file: Readable, filename: string, _encoding: string, mimetype: string) => {
    before = new Set(fields.keys());
    // Also when nobody reads any more: an unhandled error ends the process.
    file.on("error", () => fail(new Failure("form.malformed")));
    const sent = { name: name ?? "", filename: unquoted(filename ?? ""), mimetype };
    begun.resolve({ fields, before, ...sent, file: body.streamOf(file), ended: ended.promise });
  });
  for (const beyond of ["filesLimit", "fieldsLimit", "partsLimit"])
    parser.on(beyond, () => fail(new Failure("form.malformed")));
  parser.on("error", () => fail(new Failure("form.malformed")));
  parser.on("finish", () => {
    ended.resolve();
    begun.reject(options.missing ?? new Failure("form.malformed"));
  });
  while (!before && (await body.more()));
  return await begun.promise;
}

/** The values of fields as a schema has them. 400 body.invalid with the name of the first field that is wrong. */
export function fieldValues<Schema extends z.ZodMiniObject>(schema: Schema, fields: unknown): z.output<Schema> {
  const read = z.safeParse(schema, fields);
  if (!read.success) throw new Failure("body.invalid", { field: String(read.error.issues[0]?.path[0] ?? "") });
  return read.data;
}

/** Reports whether a Content-Type is that of a form with a file. */
export const isForm = (type: string): boolean => /^multipart\/form-data\s*;.*boundary=/i.test(type);

/** 400 form.malformed for a boundary that cannot be (RFC 2046 section 5.1.1). */
function createParser(type: string, { isPartAFile, fieldSize = LIMITS.fieldSize }: FormOptions) {
  const limits = { ...LIMITS, fieldSize };
  const options = {
    headers: { "content-type": type },
    limits,
    defParamCharset: "utf8",
    ...(isPartAFile && { isPartAFile }),
  };
  try {
    return new Busboy(options as never);
  } catch {
    throw new Failure("form.malformed");
  }
}

/**
 * Feeds a parser with a body, one chunk at a time and only when more is wanted: streams that pass it on to each other would each
 * hold some of it, for every upload.
 */
function createFeed(
  chunks: ReadableStreamDefaultReader<Uint8Array>,
  parser: ReturnType<typeof createParser>,
  ended: Promise<void>,
) {
  const memory = createChunkMemory();
  let over = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  const stop = (reason: Error): void => {
    failure ??= reason;
    wake?.();
  };

  /** Feeds one more chunk; reports whether it was one. Throws what stopped it, and what `ended` throws after the last chunk. */
  const more = async (): Promise<boolean> => {
    if (failure) throw failure;
    if (over) return false;
    const { done, value } = await chunks.read().catch((): never => {
      throw new Failure("upload.length");
    });
    if (done) {
      over = true;
      parser.end();
      await ended;
      return false;
    }
    memory.note(value);
    await new Promise<void>((resolve) => {
      wake = resolve;
      parser.write(value as never, () => resolve());
    });
    if (failure) throw failure;
    return true;
  };

  return {
    more,

    /** Feeds no more, because of a failure that whoever wants more is told. */
    stop,

    /** The bytes of a file that the parser has found. Ends when the whole body has been read. */
    streamOf(file: Readable): ReadableStream<Uint8Array> {
      const pieces: Uint8Array[] = [];
      file.on("data", (piece: Uint8Array) => pieces.push(piece));
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            while (pieces.length === 0 && (await more()));
            const piece = pieces.shift();
            if (piece) controller.enqueue(memory.copy(piece));
            else controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}

/** Browsers and curl write the quote of a file name so (HTML, "multipart/form-data encoding algorithm"). */
const unquoted = (filename: string): string => filename.replaceAll("%22", '"');

/**
 * Releases the memory of chunks of a body as soon as they have been copied. The collector does not see how much memory
 * Bun (1.4.5) holds for the chunks of a request: ten requests that are only read take 250 MB before it runs, and 100
 * MB if each chunk is released at once. Only for bodies whose chunks have no other owner.
 */
function createChunkMemory() {
  const own = new WeakSet<ArrayBufferLike>();
  let before: ArrayBufferLike | undefined;

  const free = (buffer: ArrayBufferLike): void => {
    if (own.delete(buffer) && buffer instanceof ArrayBuffer) buffer.transfer(0);
  };

  return {
    /** Records a chunk before it is cut into pieces; one that shares its memory is left alone. */
    note(chunk: Uint8Array): void {
      if (chunk.byteLength === chunk.buffer.byteLength) own.add(chunk.buffer);
    },

    /** Copies a piece of such a chunk. Pieces come in order, so the chunk before is free once a piece of the next arrives. */
    copy(piece: Uint8Array): Uint8Array<ArrayBuffer> {
      const copied = new Uint8Array(piece);
      if (before && before !== piece.buffer) free(before);
      before = piece.buffer;
      return copied;
    },
  };
}
