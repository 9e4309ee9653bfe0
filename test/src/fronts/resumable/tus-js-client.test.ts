import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type HttpResponse, Upload, type UploadOptions } from "tus-js-client";
import { bytesOf, MiB } from "../../../suites/store-bodies.ts";
import { basic } from "../../../support/clients/basic.ts";
import { sha256At } from "../../../support/clients/cut-uploads.ts";
import { startServer, type TestServer } from "../../../support/server.ts";

/** The client of the makers of tus, in both of the protocols that it speaks. Of the draft it knows interop version 6 at most, whose requests are those of 8. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Source = Buffer | Readable;

/** Runs an upload to its end, or until so many bytes were taken; answers the last response. */
async function upload(source: Source, options: UploadOptions, stopAt = Number.POSITIVE_INFINITY) {
  const over = Promise.withResolvers<HttpResponse | undefined>();
  const own = new Upload(source, {
    headers: basic("admin", server.adminPassword),
    retryDelays: null,
    storeFingerprintForResuming: false,
    ...options,
    onSuccess: ({ lastResponse }) => over.resolve(lastResponse),
    onError: (error) => over.reject(error),
    onChunkComplete(_, taken) {
      if (taken >= stopAt) void own.abort().then(() => over.resolve(undefined));
    },
  });
  own.start();
  return { response: await over.promise, url: own.url ?? "" };
}

const bytes = Buffer.from(bytesOf(13 * MiB + 5));
const digest = createHash("sha256").update(bytes).digest("hex");
const pageOf = (response: HttpResponse | undefined, header: string) => response?.getHeader(header) ?? "";

describe("tus-v1", () => {
  const options = () => ({
    endpoint: `${server.address}/api/tus`,
    metadata: { filename: "文 1.bin", filetype: "application/x-odd", expire: "1d" },
  });

  test.each([
    ["in one piece", {}],
    ["in chunks", { chunkSize: MiB }],
    ["with bytes in the request that creates it", { chunkSize: 3 * MiB, uploadDataDuringCreation: true }],
    ["by POST in place of PATCH", { chunkSize: 6 * MiB, overridePatchMethod: true }],
  ] satisfies [string, Partial<UploadOptions>][])("sends a file %s", async (_, more) => {
    const { response } = await upload(bytes, { ...options(), ...more });
    const page = pageOf(response, "x-share-url");
    expect(await sha256At(page)).toBe(digest);
    const got = await fetch(`${page}?raw`, { method: "HEAD" });
    expect(got.headers.get("content-type")).toBe("application/x-odd");
    expect(got.headers.get("content-disposition")).toContain(encodeURIComponent("文 1.bin"));
  });

  test("sends a stream whose length nobody knows", async () => {
    const stream = Readable.from([bytes.subarray(0, 5), bytes.subarray(5, 7 * MiB), bytes.subarray(7 * MiB)], {
      objectMode: false,
    });
    const { response } = await upload(stream, { ...options(), uploadLengthDeferred: true, chunkSize: 2 * MiB });
    expect(await sha256At(pageOf(response, "x-share-url"))).toBe(digest);
  });

  test("goes on where it was stopped", async () => {
    const { url } = await upload(bytes, { ...options(), chunkSize: MiB }, 3 * MiB);
    const { response } = await upload(bytes, { ...options(), uploadUrl: url });
    expect(await sha256At(pageOf(response, "x-share-url"))).toBe(digest);
  });

  test("sends an empty file, and gives one up", async () => {
    const { response } = await upload(Buffer.alloc(0), options());
    expect(await (await fetch(`${pageOf(response, "x-share-url")}?raw`)).bytes()).toHaveLength(0);
    const { url } = await upload(bytes, { ...options(), chunkSize: MiB }, 2 * MiB);
    await Upload.terminate(url, { headers: basic("admin", server.adminPassword) });
    expect(
      (
        await fetch(url, {
          method: "HEAD",
          headers: { ...basic("admin", server.adminPassword), "tus-resumable": "1.0.0" },
        })
      ).status,
    ).toBe(404);
  });
});

describe("ietf-draft-05", () => {
  const options = () => ({ endpoint: `${server.address}/?name=draft.bin`, protocol: "ietf-draft-05" }) as const;

  test.each([
    ["in one piece", {}],
    ["in chunks", { chunkSize: MiB }],
  ] satisfies [string, Partial<UploadOptions>][])("sends a file %s", async (_, more) => {
    const { response } = await upload(bytes, { ...options(), ...more });
    expect(await sha256At(pageOf(response, "location"))).toBe(digest);
  });

  test("goes on where it was stopped", async () => {
    const { url } = await upload(bytes, { ...options(), chunkSize: MiB }, 3 * MiB);
    const { response } = await upload(bytes, { ...options(), uploadUrl: url });
    expect(await sha256At(pageOf(response, "location"))).toBe(digest);
  });
});
