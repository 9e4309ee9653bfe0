import { connect, createServer, type Socket } from "node:net";

/** A way to PostgreSQL that a test can cut, or lead to another: whatever passes on the way is passed on until then. */
export async function openCuttingProxy(server: string) {
  let { hostname, port } = new URL(server);
  const pairs = new Set<readonly [Socket, Socket]>();
  let [isCut, word, held, count] = [false, "", "", 0];
  let swap: { readonly from: string; readonly to: string } | undefined;

  const cut = () => {
    for (const [client, inner] of pairs) {
      client.destroy();
      inner.destroy();
    }
  };

  const swapped = (bytes: string | Buffer): string | Buffer => {
    if (typeof bytes === "string" || !swap || !bytes.includes(swap.from)) return bytes;
    const { from, to } = swap;
    swap = undefined;
    bytes.write(to, bytes.indexOf(from));
    return bytes;
  };

  const proxy = createServer((client) => {
    if (isCut) return void client.destroy();
    count += 1;
    const inner = connect(Number(port), hostname);
    const pair = [client, inner] as const;
    pairs.add(pair);
    let isSilent = false;
    for (const socket of pair)
      socket.on("error", () => undefined).on("close", () => pair.forEach((one) => void one.destroy()));
    client.on("close", () => pairs.delete(pair));
    client.on("data", (bytes) => {
      inner.write(swapped(bytes));
      if (held !== "" && bytes.includes(held)) {
        held = "";
        isSilent = true;
      }
      if (word === "" || !bytes.includes(word)) return;
      // PostgreSQL hears it, and its answer gets lost.
      word = "";
      isSilent = true;
      inner.once("data", () => client.destroy());
    });
    inner.on("data", (bytes) => isSilent || client.write(bytes));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");

  return {
    url: Object.assign(new URL(server), { port: `${address.port}` }).href,
    /** Loses the answer to the next message with this word, and the connection with it. */
    loseAnswerTo(next: string): void {
      word = next;
    },
    /** Keeps back whatever a connection answers from the next message with this word on; the connection stands. */
    silenceAt(next: string): void {
      held = next;
    },
    /** Sends another word of the same length in the next message with this one. */
    swapNext(from: string, to: string): void {
      swap = { from, to };
    },
    /** Ends all connections and refuses others. */
    cut(): void {
      isCut = true;
      cut();
    },
    /** How many connections were passed on so far. */
    count: () => count,
    mend(): void {
      isCut = false;
    },
    /** Leads new connections to another server. */
    lead(other: string): void {
      ({ hostname, port } = new URL(other));
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}
