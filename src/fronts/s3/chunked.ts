import { createHash, createHmac } from "node:crypto";
import { sameText } from "../../lib/secret.ts";
import type { Signed } from "../../lib/signatures/sigv4-verify.ts";
import { S3Failure, say } from "./failures.ts";

/** How the chunks of a body are framed ("Transferring payload in multiple chunks" of the S3 API reference). */
interface Framing {
  /** What the chunks are signed with; undefined when they are not. */
  readonly signature: Pick<Signed, "signature" | "signingKey" | "timestamp" | "scope"> | undefined;
  /** Names of the headers that follow the last chunk, in lower case. */
  readonly trailers: readonly string[];
}

/** A body in chunks, taken apart. */
interface Decoded {
  readonly stream: ReadableStream<Uint8Array>;
  /** Headers behind the last chunk, once the stream has ended. */
  trailers(): ReadonlyMap<string, string>;
}

const LONGEST_LINE = 4096;
const MOST_TRAILERS = 8;
/** Signed chunks but the last have at least so many bytes: each costs a signature. */
const LEAST_SIGNED = 8192;
/** Small chunks that are passed on together, by bytes and number: each piece of a body costs as much as many of its bytes. */
const [BYTES_TOGETHER, PIECES_TOGETHER] = [64 * 1024, 1000];
const EMPTY_HASH = createHash("sha256").digest("hex");
const [CR, LF] = [13, 10];

const incomplete = () => say("IncompleteBody");

/** Reads lines and bytes of a stream; 400 IncompleteBody where it ends too early. */
function createInput(source: ReadableStream<Uint8Array>) {
  const reader = source.getReader();
  let rest = new Uint8Array();

  const more = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      if (value.byteLength > 0) return value;
    }
  };

  return {
    cancel: () => void reader.cancel().catch(() => undefined),

    /** Whether something is here already that was not taken. */
    holds: () => rest.byteLength > 0,

    /** Up to so many bytes. */
    async take(most: number): Promise<Uint8Array> {
      const bytes = rest.byteLength > 0 ? rest : await more();
      if (!bytes) throw incomplete();
      rest = bytes.subarray(most) as Uint8Array<ArrayBuffer>;
      return bytes.subarray(0, most);
    },

    /** A line without its end. */
    async line(): Promise<string> {
      let held: Uint8Array = new Uint8Array();
      for (;;) {
        const bytes = rest.byteLength > 0 ? rest : await more();
        if (!bytes) throw incomplete();
        const end = bytes.indexOf(LF);
        const own = end < 0 ? bytes : bytes.subarray(0, end + 1);
        held = held.byteLength === 0 ? own : Buffer.concat([held, own]);
        rest = end < 0 ? new Uint8Array() : (bytes.subarray(end + 1) as Uint8Array<ArrayBuffer>);
        if (held.byteLength > LONGEST_LINE) throw incomplete();
        if (end < 0) continue;
        if (held.at(-2) !== CR) throw incomplete();
        return Buffer.from(held.buffer, held.byteOffset, held.byteLength - 2).toString("latin1");
      }
    },

    /** Requires that nothing follows. */
    async end(): Promise<void> {
      if (rest.byteLength > 0 || (await more())) throw incomplete();
    },
  };
}

type Input = ReturnType<typeof createInput>;

/** Checks the chain of signatures, each over the one before. 403 SignatureDoesNotMatch. */
function createChain({ signature: seed, signingKey, timestamp, scope }: NonNullable<Framing["signature"]>) {
  let last = seed;
  const check = (kind: string, hashed: string, said: string): void => {
    const text = `${kind}\n${timestamp}\n${scope}\n${last}\n${hashed}`;
    const expected = createHmac("sha256", signingKey).update(text).digest("hex");
    if (!sameText(expected, said)) throw say("SignatureDoesNotMatch");
    last = expected;
  };
  return {
    chunk: (hash: string, said: string) => check("AWS4-HMAC-SHA256-PAYLOAD", `${EMPTY_HASH}\n${hash}`, said),
    trailer: (text: string, said: string) =>
      check("AWS4-HMAC-SHA256-TRAILER", createHash("sha256").update(text, "latin1").digest("hex"), said),
  };
}

type Chain = ReturnType<typeof createChain>;

/** Gathers pieces of a body for as long as nobody need be waited for; others have their turn between many tiny ones. */
async function* gathered(input: Input, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.byteLength;
    if (input.holds() && bytes < BYTES_TOGETHER && held.length < PIECES_TOGETHER) continue;
    if (held.length === PIECES_TOGETHER) await new Promise(setImmediate);
    yield held.length === 1 ? piece : Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** The bytes of the chunks, each of them checked once it has passed. */
async function* chunksOf(input: Input, chain: Chain | undefined): AsyncGenerator<Uint8Array> {
  for (let before = LEAST_SIGNED; ; ) {
    const [, digits = "", said = ""] =
      /^([\da-f]{1,8})(?:;chunk-signature=([\da-f]{64}))?$/i.exec(await input.line()) ?? [];
    if (digits === "" || (chain !== undefined && said === "")) throw incomplete();
    const size = Number.parseInt(digits, 16);
    if (chain && size > 0 && before < LEAST_SIGNED)
      throw new S3Failure(403, "InvalidChunkSizeError", `A chunk before the last has less than ${LEAST_SIGNED} bytes.`);
    before = size;
    const hash = chain && createHash("sha256");
    for (let left = size; left > 0; ) {
      const bytes = await input.take(left);
      hash?.update(bytes);
      left -= bytes.byteLength;
      yield bytes;
    }
    if (size > 0 && (await input.line()) !== "") throw incomplete();
    if (hash) chain?.chunk(hash.digest("hex"), said);
    if (size === 0) return;
  }
}

const malformedTrailer = (message: string) => new S3Failure(400, "MalformedTrailerError", message);

/** What a field of a header may have (RFC 9110, section 5.5): no control character but the tab. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const isBlank = (character: string | undefined): boolean => character === " " || character === "\t";

/** A text without the blanks around it (OWS of RFC 9110), in one pass. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

/** Name, in lower case, and value of a trailing header. 400 MalformedTrailerError. */
function trailerIn(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0));
  if (!/^[\w-]{1,100}$/.test(name) || !FIELD_VALUE.test(line))
    throw malformedTrailer("A trailing header is not well-formed.");
  return [name.toLowerCase(), withoutBlanks(line.slice(colon + 1))];
}

/** The headers behind the last chunk, each of them once. 400 MalformedTrailerError for others than were announced. */
async function trailersOf(input: Input, chain: Chain | undefined, wanted: readonly string[]) {
  const found = new Map<string, string>();
  let signed = "";
  for (let line = await input.line(); line !== ""; line = await input.line()) {
    const [name, value] = trailerIn(line);
    if (found.has(name) || found.size === MOST_TRAILERS) throw incomplete();
    found.set(name, value);
    if (name !== "x-amz-trailer-signature") signed += `${name}:${value}\n`;
  }
  const said = found.get("x-amz-trailer-signature");
  found.delete("x-amz-trailer-signature");
  if (found.size !== wanted.length || !wanted.every((name) => found.has(name)))
    throw malformedTrailer("The trailing headers are not those that were announced.");
  if (chain && wanted.length > 0) chain.trailer(signed, said ?? "");
  return found;
}

/** Takes a body apart that is sent in chunks (Content-Encoding aws-chunked). It ends with an error unless all of it is right. */
export function decodeChunked(source: ReadableStream<Uint8Array>, { signature, trailers }: Framing): Decoded {
  const input = createInput(source);
  const chain = signature && createChain(signature);
  const chunks = gathered(input, chunksOf(input, chain));
  let found: ReadonlyMap<string, string> = new Map();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (!done) return controller.enqueue(value);
        found = await trailersOf(input, chain, trailers);
        await input.end();
        controller.close();
      },
      cancel: input.cancel,
    },
    { highWaterMark: 0 },
  );
  return { stream, trailers: () => found };
}
