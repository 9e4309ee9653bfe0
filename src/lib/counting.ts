/** How many bytes of bodies come in and go out, for who reads the metrics. */

/** Told of bytes that have passed. */
type Count = (bytes: number) => void;

/** Bytes of a request up to which its body is read in one go: a stream around it would cost more than reading it does. */
const SMALL = 64 * 1024;

/** What is known of the body of an answer. */
interface KnownBody {
  readonly bytes: number;
  /** Until it was taken. */
  text?: HeldText | undefined;
}

const bodies = new WeakMap<Response, KnownBody>();

/** Notes how many bytes the body of an answer has; one of which nobody says so is counted while it is sent. */
export function sized(response: Response, bytes: number): Response {
  bodies.set(response, { bytes });
  return response;
}

/** How many bytes the body of an answer has; undefined where nobody said so. */
export const sizeOf = (response: Response): number | undefined => bodies.get(response)?.bytes;

/** A text in memory, and its bytes in UTF-8. */
interface HeldText {
  readonly text: string;
  readonly bytes: number;
  /** It may be compressed on its way. */
  readonly isPackable: boolean;
}

/** An answer that is a text; compressed on its way only where it is said that it may be. */
export function textAnswer(text: string, init: ResponseInit, isPackable = false): Response {
  const response = new Response(text, init);
  const bytes = Buffer.byteLength(text);
  bodies.set(response, { bytes, text: { text, bytes, isPackable } });
  return response;
}

/** The text that `textAnswer` made an answer of, once; undefined for any other answer. */
export function takeText(response: Response): HeldText | undefined {
  const known = bodies.get(response);
  const text = known?.text;
  if (known) known.text = undefined;
  return text;
}

/** A request whose body is counted as it is read, and what is called once the request was answered. */
interface CountedRequest {
  readonly request: Request;
  readonly answered: () => void;
}

/** `declared` is how long its sender says that the body is. */
export function countRead(request: Request, declared: number | undefined, count: Count): CountedRequest {
  const length = declared ?? (request.headers.has("transfer-encoding") ? Number.POSITIVE_INFINITY : 0);
  // Of GET and HEAD nobody reads a body, and a request that is made anew must not have one.
  const isLarge = length > SMALL && request.method !== "GET" && request.method !== "HEAD";
  if (!isLarge) return { request, answered: () => length <= SMALL && request.bodyUsed && count(length) };
  const body = counted(() => request.body, count);
  return { request: new Request(request, { body }), answered: () => undefined };
}

/** The answer to a request; its bytes are counted at once where they are known. */
export function countSent(response: Response, { method }: Request, count: Count): Response {
  if (method === "HEAD") return response;
  const size = sizeOf(response);
  if (size !== undefined) count(size);
  if (size !== undefined || response.body === null) return response;
  return new Response(
    counted(() => response.body, count),
    response,
  );
}

/** The answer, and its end told: how many bytes of it were read, and whether those were all. */
export function countUntilEnd(response: Response, ended: (bytes: number, isWhole: boolean) => void): Response {
  let sent = 0;
  const count = (bytes: number): void => {
    sent += bytes;
  };
  return new Response(
    counted(
      () => response.body,
      count,
      (isWhole) => ended(sent, isWhole),
    ),
    response,
  );
}

/** What comes from a source, which is opened when somebody begins to read. */
function counted(
  open: () => ReadableStream<Uint8Array> | null,
  count: Count,
  ended: (isWhole: boolean) => void = () => undefined,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const opened = () => (reader ??= (open() ?? new Blob().stream()).getReader());
  const read = async () => {
    try {
      return await opened().read();
    } catch (error) {
      ended(false);
      throw error;
    }
  };
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await read();
        if (done) {
          ended(true);
          return controller.close();
        }
        count(value.byteLength);
        controller.enqueue(value);
      },
      cancel(reason) {
        ended(false);
        return opened().cancel(reason);
      },
    },
    // Nothing is read ahead of who asks.
    { highWaterMark: 0 },
  );
}
