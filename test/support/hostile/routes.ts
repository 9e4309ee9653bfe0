import type { Endpoint } from "#contract/endpoint";
import { api } from "../contract.ts";
import type { TestRoute } from "./draft.ts";

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));

const beside = (method: string, path: string): TestRoute => ({ name: `${method} ${path}`, method, path });

/** Every endpoint of the contract, then the fronts beside it. The route `(signed)` stands for all signed addresses. */
export const testRoutes: readonly TestRoute[] = [
  ...endpoints.map((endpoint) => ({
    name: `${endpoint.method} /api${endpoint.path}`,
    method: endpoint.method,
    path: `/api${endpoint.path}`,
    endpoint,
  })),
  beside("PUT", "(signed)"),
  beside("GET", "(signed)"),
  beside("GET", "/"),
  beside("GET", "/docs/json"),
  beside("GET", "/paste/:slug"),
  beside("GET", "/config.js"),
  beside("PROPFIND", "/dav/"),
  beside("PUT", "/dav/drive/dav"),
  beside("PROPPATCH", "/dav/drive/dav"),
  beside("LOCK", "/dav/drive/dav"),
  beside("MOVE", "/dav/drive/dav"),
];
