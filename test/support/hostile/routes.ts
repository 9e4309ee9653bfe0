import * as z from "zod/mini";
import type { Endpoint } from "#contract/endpoint";
import { tools } from "#contract/mcp";
import { api } from "../contract.ts";
import type { TestRoute } from "./draft.ts";

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));

const beside = (method: string, path: string): TestRoute => ({ name: `${method} ${path}`, method, path });

/** A message of MCP: mostly a call of one of its tools. */
const message = z.union([
  ...Object.entries(tools).map(([name, { input }]) => rpc("tools/call", { name: z.literal(name), arguments: input })),
  rpc("tools/list", { cursor: z.optional(z.string()) }),
  rpc("initialize", { protocolVersion: z.string() }),
]);

function rpc(method: string, params: Readonly<Record<string, z.ZodMiniType>>) {
  const shape = { jsonrpc: z.literal("2.0"), id: z.int().check(z.minimum(0)), method: z.literal(method) };
  return z.object({ ...shape, params: z.object(params) });
}

/** As an endpoint, so that its body is broken as those of endpoints are. */
const mcp: Endpoint = { method: "POST", path: "/mcp", access: "caller", summary: "MCP", body: message };

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
  { ...beside("POST", "/mcp"), endpoint: mcp },
];
