import type { AddressPolicy } from "../../../src/lib/addresses.ts";

/** What a test's own sources are allowed to be: on this machine, and nowhere else. */
export const onlyHere: AddressPolicy = { forbids: (address) => address !== "127.0.0.1" };

/** A web server with files, some of which pages of other sites may read. */
export function openWebSource(answer: (request: Request, url: URL) => Response | Promise<Response>) {
  const requests: { readonly method: string; readonly headers: Headers }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      // The server forgets them with the request.
      requests.push({ method: request.method, headers: new Headers(request.headers) });
      return answer(request, new URL(request.url));
    },
  });
  return {
    url: (path: string) => new URL(path, server.url).href,
    requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
