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
  let losing = 0;
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
      const init = { method: request.method, headers, body, redirect: "manual" } as const;
      // A page that is closed last may ask for something while the server behind has stopped.
      const answer = await fetch(target + pathname + search, init).catch(() => undefined);
      if (!answer) return new Response("The server is away.", { status: 502 });
      if (request.method !== "POST" || pathname !== "/api/paste" || losing === 0) return answer;
      losing -= 1;
      await answer.arrayBuffer();
      return new Response("The answer was lost.", { status: 502 });
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
    /** Lets the server have the next text, and keeps its answer from whoever sent it. */
    loseAnswer(): void {
      losing += 1;
    },
  };
}
