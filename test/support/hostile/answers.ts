/** One answer as it stood on the wire. */
export interface HostileAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** A stream of events, of which only the head is waited for. */
  readonly endless: boolean;
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** Reads the answers to one request off a connection (RFC 9112 section 6.3). */
export class Answers {
  readonly found: HostileAnswer[] = [];
  private bytes = Buffer.alloc(0);
  private head: Head | undefined;

  constructor(private readonly method: string) {}

  /** Whether an answer that is none of the passing 1xx has been read to its end. */
  get complete(): boolean {
    return this.found.length > 0;
  }

  /** How many bytes make no answer. */
  get rest(): number {
    return this.bytes.length;
  }

  take(bytes: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, bytes]);
    while (this.read());
  }

  /** The connection is over: a body that ends with it has ended. */
  end(): void {
    if (!this.head) return;
    const { headers } = this.head;
    if (headers.has("content-length") || headers.has("transfer-encoding")) return;
    this.keep(this.bytes.length, this.bytes);
  }

  private read(): boolean {
    this.head ??= this.readHead();
    const { head } = this;
    if (!head) return false;
    if (head.headers.get("content-type") === "text/event-stream") {
      this.keep(this.bytes.length, Buffer.alloc(0), true);
      return false;
    }
    if (this.method === "HEAD" || head.status === 204 || head.status === 304) return this.keep(0, Buffer.alloc(0));
    if (head.headers.get("transfer-encoding")?.includes("chunked")) return this.readChunks();
    const length = Number(head.headers.get("content-length") ?? Number.NaN);
    return this.bytes.length >= length && this.keep(length, this.bytes.subarray(0, length));
  }

  private readHead(): Head | undefined {
    const end = this.bytes.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [first = "", ...lines] = this.bytes.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) return undefined;
    this.bytes = this.bytes.subarray(end + 4);
    if (status < 200) return this.readHead();
    const entries = lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    return { status, headers: new Map(entries) };
  }

  private readChunks(): boolean {
    const parts: Buffer[] = [];
    let at = 0;
    for (;;) {
      const end = this.bytes.indexOf("\r\n", at);
      if (end < 0) return false;
      const length = Number.parseInt(this.bytes.subarray(at, end).toString("latin1"), 16);
      if (this.bytes.length < end + 2 + length + 2) return false;
      parts.push(this.bytes.subarray(end + 2, end + 2 + length));
      at = end + 2 + length + 2;
      if (length === 0) return this.keep(at, Buffer.concat(parts));
    }
  }

  private keep(length: number, body: Buffer, endless = false): boolean {
    if (!this.head) return false;
    this.found.push({ ...this.head, body: Buffer.from(body), endless });
    this.bytes = this.bytes.subarray(length);
    this.head = undefined;
    return this.bytes.length > 0;
  }
}
