import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

export const system = {
  health: endpoint({
    method: "GET",
    path: "/health",
    access: "anyone",
    summary: "Whether the server and its database answer",
    response: z.object({ status: z.literal("ok"), timestamp: z.string() }),
    reply: "bare",
  }),
  version: endpoint({
    method: "GET",
    path: "/version",
    access: "anyone",
    summary: "What runs here",
    response: z.object({
      data: z.object({
        version: z.string(),
        name: z.string(),
        environment: z.string(),
        storage: z.string(),
        nodeVersion: z.string(),
        /** Seconds. */
        uptime: z.number(),
      }),
    }),
  }),
};
