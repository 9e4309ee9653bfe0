import { Readable } from "node:stream";
import Busboy from "@fastify/busboy";
import { Failure } from "#contract/failures";

/** A form as it comes in: what stands before the file, and the file while it arrives. */
export interface IncomingForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly filename: string;
  readonly mimetype: string;
  readonly file: ReadableStream<Uint8Array>;
  /** Settles when the whole form has been read, and with it the fields behind the file. 400 form.malformed, form.order. */
  readonly ended: Promise<void>;
}

const LIMITS = { fields: 50, fieldNameSize: 100, fieldSize: 10_000, files: 1, headerPairs: 50, parts: 60 };

/** Whether a field may come behind the file, when these came before it. */
export type MayBeLate = (name: string, before: Readonly<Record<string, string>>) => boolean;

/**
 * Reads a multipart/form-data body (RFC 7578) up to its file, which is left to be read as a stream. What decides where the
 * file goes must come first, unless `mayBeLate` says otherwise: then it is among the fields when all has been read.
 * 400 form.malformed.
 */
export async function readForm(request: Request, mayBeLate: MayBeLate = () => false): Promise<IncomingForm> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type) || !request.body) throw new Failure("form.malformed");
  const fields: Record<string, string> = {};
  const begun = Promise.withResolvers<IncomingForm>();
  const ended = Promise.withResolvers<void>();
  // Whoever has the form waits for this one; it may fail before anybody does.
  ended.promise.catch(() => undefined);
  let arriving: Readable | undefined;
  let before: Readonly<Record<string, string>> = {};
  const fail = (failure: Failure) => {
    begun.reject(failure);
    ended.reject(failure);
    // Else whoever reads the file would wait for the rest of it for ever.
    arriving?.destroy(failure);
  };

  const parser = createParser(type);
  parser.on("field", (name: string, value: string, ...[, cut]: boolean[]) => {
    if (cut) fail(new Failure("body.invalid", { field: name }));
    else if (arriving && !mayBeLate(name, before)) fail(new Failure("form.order", { field: name }));
    else fields[name] = value;
  });
  parser.on("file", (_name: string, file: Readable, filename: string, _encoding: string, mimetype: string) => {
    arriving = file;
    before = { ...fields };
    // Also when nobody reads any more: an error that nobody hears ends the process.
    file.on("error", () => fail(new Failure("form.malformed")));
    const stream = Readable.toWeb(Readable.from(whole(file))) as unknown as ReadableStream<Uint8Array>;
    begun.resolve({ fields, filename: unquoted(filename ?? ""), mimetype, file: stream, ended: ended.promise });
  });
  for (const beyond of ["filesLimit", "fieldsLimit", "partsLimit"])
    parser.on(beyond, () => fail(new Failure("form.malformed")));
  parser.on("error", () => fail(new Failure("form.malformed")));
  parser.on("finish", () => {
    ended.resolve();
    begun.reject(new Failure("form.malformed"));
  });
  const source = Readable.fromWeb(request.body as never);
  source.on("error", () => fail(new Failure("upload.length")));
  source.pipe(parser as never);
  return await begun.promise;
}

/** 400 form.malformed for a boundary that cannot be (RFC 2046 section 5.1.1). */
function createParser(type: string) {
  try {
    return new Busboy({ headers: { "content-type": type }, limits: LIMITS, defParamCharset: "utf8" } as never);
  } catch {
    throw new Failure("form.malformed");
  }
}

/** The file's bytes; when the form ends too early the parser breaks off with an error of its own. */
async function* whole(file: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (error) {
    throw error instanceof Failure ? error : new Failure("form.malformed");
  }
}

/** Browsers and curl write the quote of a file name so (HTML, "multipart/form-data encoding algorithm"). */
const unquoted = (filename: string): string => filename.replaceAll("%22", '"');
