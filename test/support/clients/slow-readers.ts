import { dlopen } from "bun:ffi";

/** Of Linux: netinet/in.h, netinet/tcp.h, bits/socket.h. */
const [AF_INET, SOCK_STREAM, IPPROTO_TCP, TCP_MAXSEG, SOL_SOCKET, SO_RCVBUF, MSG_PEEK] = [2, 1, 6, 2, 1, 8, 2];
/** "HTTP/1.1 200" */
const STATUS_LINE = 12;

const libc = () =>
  dlopen("libc.so.6", {
    socket: { args: ["int", "int", "int"], returns: "int" },
    setsockopt: { args: ["int", "int", "int", "ptr", "u32"], returns: "int" },
    connect: { args: ["int", "ptr", "u32"], returns: "int" },
    send: { args: ["int", "ptr", "u64", "int"], returns: "i64" },
    recv: { args: ["int", "ptr", "u64", "int"], returns: "i64" },
    close: { args: ["int"], returns: "int" },
  }).symbols;

/** A sockaddr_in of this machine. */
function addressOf(port: number): Buffer {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);
  return address;
}

/** A connection as it comes from far away: over the loopback device itself the system takes megabytes of an answer that nobody reads. */
function connectSlowly({ socket, setsockopt, connect }: ReturnType<typeof libc>, address: Buffer): number {
  const one = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(one, IPPROTO_TCP, TCP_MAXSEG, Int32Array.of(536), 4);
  setsockopt(one, SOL_SOCKET, SO_RCVBUF, Int32Array.of(4096), 4);
  if (connect(one, address, address.byteLength) !== 0) throw new Error("A connection was refused.");
  return one;
}

/** How many bytes of an answer that nobody reads the system of this machine takes, up to 4 MiB: as many wait nowhere else. */
export async function bytesTakenUnread(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const open = (connection: Bun.Socket) => resolve(connection.write(new Uint8Array(4 * 1024 ** 2)));
  using server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open, data: () => undefined } });
  const system = libc();
  const one = connectSlowly(system, addressOf(server.port));
  const taken = await promise;
  system.close(one);
  return taken;
}

/** Sends a request over as many connections, and reads of each answer no more than its status. */
export function askAndNotRead(port: number, head: string, count: number) {
  const system = libc();
  const { send, recv, close } = system;
  const address = addressOf(port);
  const bytes = Buffer.from(head);
  const open = () => {
    const one = connectSlowly(system, address);
    send(one, bytes, bytes.byteLength, 0);
    return one;
  };
  const statusOf = (one: number): string => {
    const line = Buffer.alloc(STATUS_LINE);
    let length = 0;
    do length = Number(recv(one, line, STATUS_LINE, MSG_PEEK));
    while (length > 0 && length < STATUS_LINE);
    return line.toString("latin1", 9, STATUS_LINE);
  };
  const sockets = Array.from({ length: count }, open);
  return {
    statuses: sockets.map(statusOf),
    [Symbol.dispose]: () => {
      for (const one of sockets) close(one);
    },
  };
}
