import { createServer, type Socket } from "node:net";

/** A server that takes every connection and never says a word. */
export async function openSilentServer() {
  const sockets = new Set<Socket>();
  let [heard, asked] = [Promise.withResolvers<void>(), 0];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
    socket.once("data", () => {
      asked += 1;
      heard.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    /** Connections that said something. */
    asked: () => asked,
    /** Settles when a request has come since the last call. */
    async request(): Promise<void> {
      await heard.promise;
      heard = Promise.withResolvers<void>();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
