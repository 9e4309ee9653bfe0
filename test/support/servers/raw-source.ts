import { createServer, type Socket } from "node:net";

/** A source that writes its answer byte by byte, well-formed or not, and keeps what it was asked. */
export async function openRawSource(answer: (socket: Socket, request: string) => void) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
    socket.once("data", (bytes) => {
      const request = bytes.toString("latin1");
      requests.push(request);
      answer(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The source has no port.");
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/`,
    /** The heads of all requests. */
    requests,
    /** Connections that are open. */
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Writes as long as the other side takes it. */
export function writeWithoutEnd(socket: Socket, chunk: Uint8Array | string): void {
  const go = () => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once("drain", go);
  };
  go();
}
