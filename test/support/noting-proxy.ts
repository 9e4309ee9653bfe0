import { afterAll } from "bun:test";

/** A text that somebody sent, as it came to the server. */
export interface SentText {
  readonly authorization: string | null;
  readonly key: string | null;
  readonly content: string;
}

/** A proxy before a server that notes the texts that are shared through it, and can let them wait. */
export function startNotingProxy(target: string) {
  const texts: SentText[] = [];
  let held = Promise.resolve();
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("accept-encoding", "identity");
      headers.delete("host");
      const body = request.body === null ? null : await request.bytes();
      if (request.method === "POST" && pathname === "/api/paste") {
        const { content } = JSON.parse(Buffer.from(body ?? []).toString()) as { content: string };
        texts.push({ authorization: headers.get("authorization"), key: headers.get("idempotency-key"), content });
        await held;
      }
      return await fetch(target + pathname + search, { method: request.method, headers, body, redirect: "manual" });
    },
  });
  afterAll(() => proxy.stop(true));
  return {
    address: proxy.url.origin,
    /** The texts, in the order in which they came. */
    texts,
    /** Keeps every text before the server until the function that it returns is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
}
