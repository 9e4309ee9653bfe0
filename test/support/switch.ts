import { afterAll } from "bun:test";

/** A way to a server that can be cut: the browser takes itself for connected, and nobody answers. */
export function startSwitch(target: string) {
  const way = (port: number) =>
    Bun.serve({
      port,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const headers = new Headers(request.headers);
        headers.set("accept-encoding", "identity");
        headers.delete("host");
        const { method } = request;
        const body = request.body === null ? null : await request.bytes();
        return await fetch(target + pathname + search, { method, headers, body, redirect: "manual" });
      },
    });
  let proxy = way(0);
  const port = Number(proxy.port);
  afterAll(() => proxy.stop(true));
  return {
    address: proxy.url.origin,
    cut: () => void proxy.stop(true),
    join: () => {
      proxy = way(port);
    },
  };
}
