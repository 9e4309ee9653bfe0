import { connect, createServer, type Socket } from "node:net";

/** What happens to a request on its way, or to its answer. Bytes are those of bodies. */
export interface ProxyFault {
  /** Requests by their first line, `PUT /bucket/key?query`; whatever comes when it is not given. */
  readonly on?: RegExp;
  /** How many of them; all when it is not given. */
  readonly times?: number;
  /** Says this itself, once the request has come: head and body as they go over the wire. */
  readonly answer?: string;
  /** Hands on so many bytes of the request and then breaks off, or waits for ever. Below 0 the storage does not hear of it. */
  readonly cutRequest?: number;
  readonly stallRequest?: number;
  /** Hands back so many bytes of the answer and then breaks off, or waits for ever. Below 0 there is not even a head. */
  readonly cutAnswer?: number;
  readonly stallAnswer?: number;
  /** Called when the request, or the answer to it, has come of which nothing is handed on. */
  readonly stalled?: () => void;
  /** Another head for the answer. */
  readonly head?: (head: string) => string;
}

/**
 * A proxy between a store and its storage that spoils what it is told to. It hands on byte for byte, but lets each connection
 * carry one request only, so that each can be told from the others. `decide` is asked first what happens to a request, of which it gets
 * the head, and the body too where that is a document.
 */
export async function openFaultyProxy(target: string, decide?: (request: string) => ProxyFault | undefined) {
  const { hostname, port } = new URL(target);
  const rules: { left: number; readonly fault: ProxyFault }[] = [];
  const requests: string[] = [];
  const sockets = new Set<Socket>();

  const keep = (socket: Socket) => {
    sockets.add(socket);
    // Whoever cuts connections meets their errors; what matters is what the store makes of it.
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
    return socket;
  };

  const ruleFor = (line: string): ProxyFault => {
    const rule = rules.find(({ left, fault }) => left > 0 && (fault.on?.test(line) ?? true));
    if (rule) rule.left -= 1;
    return rule?.fault ?? {};
  };

  const carry = (client: Socket, head: string, first: Buffer) => {
    const line = head.slice(0, head.indexOf(" HTTP/"));
    requests.push(line);
    const fault = decide?.(head + first.toString()) ?? ruleFor(line);
    if ((fault.stallRequest ?? 0) < 0) return fault.stalled?.();
    if (fault.answer !== undefined) return answerItself(client, head, first, fault.answer);
    const storage = keep(connect(Number(port), hostname));
    storage.write(closing(head));
    handOn(client, storage, { first, cut: fault.cutRequest, stall: fault.stallRequest });
    onHead(storage, (answer, rest) => {
      if ((fault.cutAnswer ?? 0) < 0) return client.resetAndDestroy();
      if ((fault.stallAnswer ?? 0) < 0) return fault.stalled?.();
      client.write(closing(fault.head?.(answer) ?? answer), "latin1");
      handOn(storage, client, { first: rest, cut: fault.cutAnswer, stall: fault.stallAnswer });
    });
    client.once("close", () => storage.destroy());
  };

  const server = createServer((client) =>
    onHead(
      keep(client),
      (head, rest) => carry(client, head, rest),
      (head) => (head.startsWith("POST ") ? lengthIn(head) : 0),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    /** First lines of all requests, in their order. */
    requests,
    /** Answers how to take the fault out again. */
    inject(fault: ProxyFault): () => void {
      const rule = { left: fault.times ?? Number.POSITIVE_INFINITY, fault };
      rules.push(rule);
      return () => {
        rule.left = 0;
      };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type FaultyProxy = Awaited<ReturnType<typeof openFaultyProxy>>;

const lengthIn = (head: string): number => Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);

/** Waits for the end of a head, and so many bytes, and hands over what came behind it. */
function onHead(
  socket: Socket,
  then: (head: string, rest: Buffer) => void,
  more: (head: string) => number = () => 0,
): void {
  let received = Buffer.alloc(0);
  const read = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    const end = received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = received.toString("latin1", 0, end + 4);
    if (received.length < head.length + more(head)) return;
    socket.off("data", read);
    socket.pause();
    then(head, received.subarray(head.length));
  };
  socket.on("data", read);
}

const closing = (head: string): string =>
  head.replace(/\r\nconnection:[^\r]*/i, "").replace(/\r\n\r\n$/, "\r\nConnection: close\r\n\r\n");

interface HandOn {
  readonly first: Buffer;
  readonly cut: number | undefined;
  readonly stall: number | undefined;
}

/** Hands bytes on as fast as they are taken, up to where it is to break off. */
function handOn(from: Socket, to: Socket, { first, cut, stall }: HandOn): void {
  let left = cut ?? stall ?? Number.POSITIVE_INFINITY;
  const give = (bytes: Buffer) => {
    if (bytes.length > 0 && !to.write(bytes.subarray(0, left)) && left > bytes.length) {
      from.pause();
      to.once("drain", () => from.resume());
    }
    left -= bytes.length;
    if (left > 0) return;
    from.off("data", give).pause();
    if (cut !== undefined) to.end(() => [from, to].map((socket) => socket.resetAndDestroy()));
  };
  from.on("data", give).once("end", () => left > 0 && to.end());
  give(first);
  if (left > 0) from.resume();
}

/** Takes the whole request, so that no connection breaks for another reason than the one that is meant. */
function answerItself(client: Socket, head: string, first: Buffer, answer: string): void {
  let left = lengthIn(head) - first.length;
  const take = (bytes: Buffer) => {
    left -= bytes.length;
    if (left <= 0) client.end(answer);
  };
  client.on("data", take).resume();
  take(Buffer.alloc(0));
}

/** An answer as S3 gives it. */
export const s3Answer = (status: string, body = "", headers: Readonly<Record<string, string>> = {}): string =>
  `HTTP/1.1 ${status}\r\n${Object.entries({
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
    ...headers,
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n${body}`;

/** S3's error document. */
export const s3Error = (status: string, code: string, headers: Readonly<Record<string, string>> = {}): string =>
  s3Answer(
    status,
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>secret words of the storage</Message></Error>`,
    headers,
  );
