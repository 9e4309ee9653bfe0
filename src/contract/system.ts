import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

export const system = {
  health: endpoint({
    method: "GET",
    path: "/health",
    access: "anyone",
    summary:
      "Whether the server and its database answer: `ok`, or `degraded` (still 200) with what is wrong and what to do about it. Free disk and quotas are read at most every 5 seconds",
    response: z.object({
      status: z.enum(["ok", "degraded"]),
      timestamp: z.string(),
      /** Only of `degraded`. `problem` is stable: disk, database, texts.total, texts.visitors, texts.key, storage or folder. */
      problems: z.optional(z.array(z.object({ problem: z.string(), advice: z.string() }))),
    }),
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
  maxUploadSize: endpoint({
    method: "GET",
    path: "/system/max-upload-size",
    access: "anyone",
    summary: "The largest file that may be uploaded, in megabytes of 1,048,576 bytes",
    response: z.object({ data: z.object({ max_upload_size: z.number() }) }),
  }),
  visitors: endpoint({
    method: "GET",
    path: "/system/visitors",
    access: "anyone",
    summary:
      "What somebody without any credential may do here, as the bits of a key; 0 unless there is a visitors' key",
    response: z.object({ data: z.object({ permissions: z.int(), basic_path: z.string() }) }),
  }),
};
