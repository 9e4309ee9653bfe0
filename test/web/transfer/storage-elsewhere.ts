import { freePort } from "../../support/servers/free-port.ts";

/** What a storage lets pages of other origins do. */
export interface CorsRules {
  readonly preflight: boolean;
  readonly answers: boolean;
  readonly exposesEtags: boolean;
}

type Take = (request: Request) => Promise<Response>;

/** Listens on this port. */
export const listen = (port: number, fetch: Take) =>
  Bun.serve({ port, hostname: "127.0.0.1", maxRequestBodySize: 1024 ** 3, idleTimeout: 0, fetch });

/** A storage of another origin: it takes what is put as `take` does, and tells pages as much as its rules allow. */
export function storageElsewhere(take: Take) {
  let rules: CorsRules = { preflight: true, answers: true, exposesEtags: true };
  let requests = 0;
  const fetch = async (request: Request): Promise<Response> => {
    requests += 1;
    const asked = request.method === "OPTIONS";
    const response = asked ? new Response() : await take(request);
    if (asked ? rules.preflight : rules.answers) response.headers.set("access-control-allow-origin", "*");
    if (rules.exposesEtags) response.headers.set("access-control-expose-headers", "ETag");
    return response;
  };
  const port = freePort();
  let server = listen(port, fetch);
  return {
    base: `http://127.0.0.1:${port}`,
    /** How many requests have come, the questions of browsers included. */
    requests: () => requests,
    setRules(next: Partial<CorsRules>) {
      rules = { ...rules, ...next };
    },
    cutOff: () => server.stop(true),
    comeBack() {
      server = listen(port, fetch);
    },
  };
}
