import { bearsToken } from "../access/identify.ts";
import { METRICS_TYPE } from "../lib/prometheus.ts";
import type { Metrics } from "../system/metrics.ts";

export const isMetrics = (path: string): boolean => path === "/metrics";

/** Answers with the numbers of this server for Prometheus, to those who send the token where there is one: else 401. */
export function createMetricsFront(metrics: Pick<Metrics, "text">, token: string | undefined) {
  return async (request: Request): Promise<Response> => {
    if (token !== undefined && !bearsToken(request.headers, token))
      return said("The token is missing or wrong.", 401, { "www-authenticate": "Bearer" });
    if (request.method !== "GET") return said("There is only GET.", 405, { allow: "GET" });
    return new Response(await metrics.text(), { headers: { ...headers, "content-type": METRICS_TYPE } });
  };
}

const headers = { "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" };

const said = (sentence: string, status: number, more: Readonly<Record<string, string>>): Response =>
  new Response(`${sentence}\n`, { status, headers: { ...headers, ...more } });
