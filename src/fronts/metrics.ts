import { bearsToken } from "../access/identify.ts";
import { textAnswer } from "../lib/counting.ts";
import { METRICS_TYPE } from "../lib/prometheus.ts";
import type { Metrics } from "../system/metrics.ts";

export const isMetrics = (path: string): boolean => path === "/metrics";

/** The answer where there are none: a page of the app would be taken for numbers. */
export const noMetrics = (): Response => said("There are no metrics at this address.", 404, {});

/** Answers with the numbers of this server for Prometheus, to those who send the token where there is one: else 401. */
export function createMetricsFront(metrics: Pick<Metrics, "text">, token: string | undefined) {
  return async (request: Request): Promise<Response> => {
    if (token !== undefined && !bearsToken(request.headers, token))
      return said("The token is missing or wrong.", 401, { "www-authenticate": "Bearer" });
    if (request.method !== "GET") return said("There is only GET.", 405, { allow: "GET" });
    return textAnswer(await metrics.text(), { headers: { ...headers, "content-type": METRICS_TYPE } });
  };
}

const headers = { "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" };

const said = (sentence: string, status: number, more: Readonly<Record<string, string>>): Response =>
  textAnswer(`${sentence}\n`, { status, headers: { ...headers, ...more } });
