import { afterAll } from "bun:test";
import { passOn, serveProxy } from "./proxy.ts";

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
  const proxy = serveProxy(async (request) => {
    if (request.method !== "POST" || new URL(request.url).pathname !== "/api/paste")
      return await passOn(target, request);
    const { headers } = request;
    const { content } = (await request.clone().json()) as { content: string };
    texts.push({ authorization: headers.get("authorization"), key: headers.get("idempotency-key"), content });
    await held;
    const answer = await passOn(target, request);
    if (losing === 0) return answer;
    losing -= 1;
    await answer.arrayBuffer();
    return new Response("The answer was lost.", { status: 502 });
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
