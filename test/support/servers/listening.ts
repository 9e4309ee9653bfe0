import { connect } from "node:net";
import { sending } from "../../../src/lib/open-file.ts";
import type { TestHouse } from "../test-house.ts";
import { noConnections } from "./connections.ts";

/** A test's house behind a real port: framing, lengths, ranges and broken connections exist only there. */
export function listen(house: TestHouse, { tellsConnections = false } = {}) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 255,
    maxRequestBodySize: 1024 ** 4,
    fetch: (request, own) =>
      house.app.fetch(request, "127.0.0.1", tellsConnections ? own : noConnections).then(sending),
    error: house.app.broken,
  });
  const port = server.port ?? 0;
  return {
    address: server.url.origin,
    port,
    host: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A connection on which a test writes what it likes, byte by byte. */
export async function openConnection(port: number) {
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let received = "";
  const answered = Promise.withResolvers<void>();
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
    if (received.includes("\r\n\r\n")) answered.resolve();
  });
  // Whoever cuts a connection meets its errors too; what matters is what the server makes of it.
  socket.on("error", () => answered.resolve());
  socket.once("close", () => answered.resolve());
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return {
    /** Settles when the system has taken the bytes. */
    send: (bytes: string | Uint8Array) => new Promise<void>((resolve) => void socket.write(bytes, () => resolve())),
    /** What has come back, its head at least; empty when the connection was closed without one. */
    async answer(): Promise<string> {
      await answered.promise;
      return received;
    },
    /** Ends it without a word, as a machine does that loses its power. */
    async cut(): Promise<void> {
      socket.resetAndDestroy();
      await closed;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** The head of a PUT to a presigned address, as it stands on the wire. */
export function putHead(url: string, headers: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, "content-type": "text/plain", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `PUT ${pathname}${search} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}
