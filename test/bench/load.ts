/**
 * A load generator in a process of its own: `bun load.ts '{"url":…,"connections":32,"seconds":3}'` prints how many requests
 * were answered. It speaks just enough HTTP/1.1 to cost less than the servers it measures: every answer has a length.
 */
export interface Load {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface Answered {
  readonly requests: number;
  readonly failures: number;
  readonly seconds: number;
}

interface Connection {
  head: string;
  /** Bytes of the present answer's body that have not arrived. */
  missing: number;
}

async function run({ url, method = "GET", headers = {}, body = "", connections, seconds }: Load): Promise<Answered> {
  const { hostname, port, host, pathname } = new URL(url);
  const lines = Object.entries({
    host,
    ...headers,
    ...(body && { "content-length": String(Buffer.byteLength(body)) }),
  });
  const request = `${method} ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
  let requests = 0;
  let failures = 0;
  let running = true;

  const take = (connection: Connection, bytes: Buffer): boolean => {
    if (connection.missing > 0) {
      connection.missing -= bytes.length;
      return connection.missing === 0;
    }
    connection.head += bytes.toString("latin1");
    const end = connection.head.indexOf("\r\n\r\n");
    if (end < 0) return false;
    if (connection.head.charAt(9) !== "2") failures += 1;
    const length = Number(/content-length: (\d+)/i.exec(connection.head)?.[1] ?? 0);
    connection.missing = length - (connection.head.length - end - 4);
    connection.head = "";
    return connection.missing === 0;
  };

  const began = performance.now();
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => {
      const connection: Connection = { head: "", missing: 0 };
      return Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: (socket) => void socket.write(request),
          data(socket, bytes) {
            if (!take(connection, bytes)) return;
            requests += 1;
            if (running) socket.write(request);
          },
        },
      });
    }),
  );
  await Bun.sleep(seconds * 1000);
  running = false;
  const took = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.end();
  return { requests, failures, seconds: took };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] ?? "{}") as Load)));
