import { connect, createServer } from "node:net";

/** A way to a server that breaks some connections off once so many bytes have come by them; the paths of the address stay. */
export async function breakingWay(
  server: string,
  { after, times }: { readonly after: number; readonly times: number },
): Promise<Disposable & { readonly address: string; broken(): number }> {
  const { hostname, port, pathname } = new URL(server);
  let broken = 0;
  const way = createServer((client) => {
    const inner = connect(Number(port), hostname);
    let sent = 0;
    const pair = [client, inner];
    for (const one of pair)
      one.on("error", () => undefined).on("close", () => pair.forEach((other) => void other.destroy()));
    client.on("data", (bytes) => {
      sent += bytes.length;
      inner.write(bytes);
      if (sent < after || broken === times) return;
      broken += 1;
      client.destroy();
    });
    inner.pipe(client);
  });
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
  const at = way.address();
  if (at === null || typeof at === "string") throw new Error("The way has no port.");
  return {
    address: `http://127.0.0.1:${at.port}${pathname === "/" ? "" : pathname}`,
    broken: () => broken,
    [Symbol.dispose]: () => void way.close(),
  };
}
