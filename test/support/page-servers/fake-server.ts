import type { FailureCode } from "#contract/failures";
import { failureStatus } from "#contract/failures";

/** One request as the fake server saw it. */
export interface Seen {
  readonly line: string;
  /** Path and query. */
  readonly address: string;
  readonly headers: Headers;
  readonly body: unknown;
}

type Answer = (seen: Seen, url: URL) => Response | Promise<Response>;

/** The envelope of success. */
export const answer = (fields: Record<string, unknown> = {}): Response =>
  Response.json({ code: 200, success: true, message: "ok", ...fields });

/** The envelope of a failure. */
export const refusal = (
  error: FailureCode,
  message = error as string,
  headers: Record<string, string> = {},
): Response => {
  const status = failureStatus[error];
  return Response.json({ code: status, success: false, error, message, data: null }, { status, headers });
};

/** A real server in the API's place, answering "METHOD /path" (below /api) as told; the page is pointed at it. */
export function fakeServer(routes: Record<string, Answer>) {
  const seen: Seen[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      const line = `${request.method} ${url.pathname.replace(/^\/api/, "")}`;
      const text = await request.text();
      const address = url.pathname + url.search;
      const one: Seen = { line, address, headers: request.headers, body: text ? JSON.parse(text) : undefined };
      seen.push(one);
      return (await routes[line]?.(one, url)) ?? refusal("route.missing");
    },
  });
  const base = `http://127.0.0.1:${server.port}`;
  Object.assign(window, { appConfig: { backendUrl: base } });
  return {
    base,
    seen,
    lines: () => seen.map(({ line }) => line),
    addresses: () => seen.map(({ address }) => address),
    async [Symbol.asyncDispose]() {
      Object.assign(window, { appConfig: undefined });
      await server.stop(true);
    },
  };
}
