/**
 * A server that passes on what it is asked. The one behind it may have stopped and a page may have closed while a request is under
 * way: what is thrown then must not fail a run in which every test has passed, so whoever still listens is told.
 */
export const serveProxy = (fetch: (request: Request) => Promise<Response>, port = 0) =>
  Bun.serve({
    ...{ port, hostname: "127.0.0.1", fetch },
    error: () => new Response("The server is away.", { status: 502 }),
  });

/** What the server at this origin answers to a request. */
export async function passOn(origin: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("accept-encoding", "identity");
  headers.delete("host");
  const { method } = request;
  const body = request.body === null ? null : await request.bytes();
  return await fetch(origin + pathname + search, { method, headers, body, redirect: "manual" });
}
