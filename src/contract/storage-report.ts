import * as z from "./schemas.ts";

/** The report of the storage test. */

/** The checks of the storage test, in this order. */
export const examinations = [
  "write",
  "head",
  "read",
  "range",
  "list",
  "copy",
  "multipart",
  "delete",
  "cors",
  "etag_exposed",
  "clock_skew",
  "path_style",
  "public",
] as const;

const examination = z.object({
  id: z.enum(examinations),
  name: z.string(),
  success: z.boolean(),
  /** Not tried, because a check that it depends on failed or it does not apply to this storage. */
  skipped: z.boolean(),
  /** Milliseconds. */
  duration: z.number(),
  /** The finding. */
  message: z.string(),
  /** What to do about it; null when there is nothing to do. */
  advice: z.nullable(z.string()),
});

/** A part of the report in the shape that existing clients show. */
const finding = { success: z.boolean(), error: z.nullable(z.string()), note: z.string() };
const simulated = z.object({ name: z.string(), success: z.boolean(), duration: z.number(), note: z.string() });

/** What the test of a storage found. */
export const storageReport = z.object({
  success: z.boolean(),
  result: z.object({
    steps: z.array(examination),
    read: z.object({ ...finding, objectCount: z.int(), prefix: z.string() }),
    write: z.object({ ...finding, uploadTime: z.number(), testFile: z.string(), cleaned: z.boolean() }),
    cors: z.object({
      ...finding,
      allowOrigin: z.nullable(z.string()),
      allowMethods: z.nullable(z.string()),
      allowHeaders: z.nullable(z.string()),
      maxAge: z.nullable(z.string()),
      statusCode: z.nullable(z.int()),
      detail: z.string(),
      uploadSupported: z.boolean(),
    }),
    frontendSim: z.object({
      ...finding,
      steps: z.object({ step1: simulated, step2: simulated, step3: simulated }),
      totalDuration: z.number(),
      testFile: z.string(),
      failedAt: z.nullable(z.string()),
    }),
    connectionInfo: z.object({
      bucket: z.string(),
      endpoint: z.string(),
      region: z.string(),
      pathStyle: z.boolean(),
      provider: z.string(),
      defaultFolder: z.string(),
      customHost: z.nullable(z.string()),
      signatureExpiresIn: z.int(),
    }),
    globalNote: z.string(),
  }),
});

export type StorageReport = z.output<typeof storageReport>;
export type Examination = (typeof examinations)[number];
