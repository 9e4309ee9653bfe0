import { describe, expect, test } from "bun:test";
import type { Fetch } from "../../src/lib/pinned-fetch.ts";
import type { Limits } from "../../src/stores/doctor/storage-test.ts";
import { type ProxyFault, s3Answer, s3Error } from "../support/proxies/faulty-proxy.ts";
import { examine } from "../support/stores/examine.ts";
import { runDoctor } from "../support/stores/run-doctor.ts";
import { openS3House, type S3House } from "../support/stores/s3-house.ts";
import { allow, openHealthy, visit } from "../support/stores/s3-visit.ts";

/** What the doctor finds at a storage that fails at one thing, is slow, or is spoken to in the wrong style. */

describe("a storage that fails at one thing", () => {
  const MULTIPART = /^POST \S*uploadId=/;
  const page = /^PUT \S*-page/;
  const preflight = (headers: Record<string, string>): ProxyFault => ({
    on: /^OPTIONS/,
    answer: s3Answer("200 OK", "", headers),
  });
  const open = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET, PUT" };

  test.each<[string, ProxyFault, string[], string[], RegExp]>([
    [
      "reading",
      { on: /^GET/, times: 2, answer: s3Error("403 Forbidden", "AccessDenied") },
      ["read", "range"],
      [],
      /denies access/,
    ],
    [
      "ranges",
      { on: /^GET /, head: (head) => head.replace("206 Partial Content", "200 OK") },
      ["range"],
      [],
      /invalid answer/,
    ],
    [
      "listing",
      { on: /^GET \S*list-type/, answer: s3Error("403 Forbidden", "AccessDenied") },
      ["list"],
      [],
      /denies access/,
    ],
    [
      "copying",
      { on: /^PUT \S*-copy/, answer: s3Error("501 Not Implemented", "NotImplemented") },
      ["copy"],
      [],
      /NotImplemented/,
    ],
    [
      "completing",
      { on: MULTIPART, answer: s3Error("403 Forbidden", "AccessDenied") },
      ["multipart"],
      [],
      /denies access/,
    ],
    ["a part", { on: /partNumber=2/, answer: s3Error("507 Full", "StorageQuotaExceeded") }, ["multipart"], [], /full/],
    [
      "deleting many",
      { on: /^POST \S*\?delete/, answer: s3Error("501 Not Implemented", "NotImplemented") },
      ["delete"],
      [],
      /NotImplemented/,
    ],
    ["deleting one", { on: /^DELETE/, times: 1, answer: s3Answer("204 No Content") }, ["delete"], [], /still exists/],
    ["preflights", preflight({}), ["cors"], ["etag_exposed"], /without Access-Control-Allow-Origin/],
    [
      "our origin",
      preflight({ ...open, "Access-Control-Allow-Origin": "https://other.example" }),
      ["cors"],
      ["etag_exposed"],
      /another origin/,
    ],
    ["the method", preflight({ ...open, "Access-Control-Allow-Methods": "GET" }), ["cors"], ["etag_exposed"], /PUT/],
    [
      "the header",
      preflight({ ...open, "Access-Control-Allow-Headers": "range" }),
      ["cors"],
      ["etag_exposed"],
      /Content-Type/,
    ],
    [
      "redirects",
      { on: /^OPTIONS/, answer: s3Answer("302 Found", "", { ...open, Location: "http://127.0.0.1:9/" }) },
      ["cors"],
      ["etag_exposed"],
      /HTTP 302/,
    ],
    [
      "showing ETags",
      { on: page, head: (head) => head.replace(/expose-headers: [^\r]*/i, "expose-headers: Date") },
      ["etag_exposed"],
      [],
      /cannot read the ETag/,
    ],
    [
      "the upload of a page",
      { on: page, answer: s3Error("403 Forbidden", "AccessDenied") },
      ["etag_exposed"],
      [],
      /HTTP 403/,
    ],
    [
      "showing the upload of a page",
      { on: page, head: (head) => head.replace(/allow-origin: [^\r]*/i, "x: y") },
      ["etag_exposed"],
      [],
      /does not allow them to read/,
    ],
  ])("%s: tells that and nothing else", async (_, fault, ill, untried, says) => {
    await using here = await openHealthy();
    here.proxy.inject(fault);
    const examined = await visit(here);
    expect({ failed: examined.failed, untried: examined.untried }).toEqual({ failed: ill, untried } as never);
    const [first] = examined.data.result.steps.filter(({ success }) => !success);
    expect(first?.message).toMatch(says);
  });

  test("everything that deletes: tells that a file is left", async () => {
    await using here = await openHealthy();
    here.proxy.inject({ on: /^DELETE|^POST \S*\?delete/, answer: s3Error("403 Forbidden", "AccessDenied") });
    const { failed, message, data } = await examine(here.house, here.storage.id);
    expect(failed).toEqual(["delete"]);
    const { testFile, cleaned } = data.result.write;
    expect([cleaned, message]).toEqual([false, `These checks failed: Delete. The test could not remove ${testFile}*.`]);
    expect(here.house.log()).toContain("could not be cleaned up");
  });
});

describe("time", () => {
  const hurry = ({ house, s3, storage }: S3House, limits: Partial<Limits> = {}) => {
    const connection = { ...s3.server, endpoint: storage.endpoint_url ?? "", bucket: s3.bucket };
    return runDoctor(house, storage.id, { connection, limits });
  };

  test("a step that is not answered ends, and what does not stand on it goes on", async () => {
    await using here = await openHealthy();
    here.proxy.inject({ on: /partNumber=2/, stallRequest: 1 });
    here.proxy.inject({ on: /^PUT \S*-copy/, stallAnswer: -1 });
    const { failed, untried, step } = await hurry(here);
    expect([failed, untried]).toEqual([["copy", "multipart"], []]);
    expect(step("copy").message).toContain("did not answer in time");
    expect([await here.s3.keys(), await here.s3.unfinished()]).toEqual([[], []]);
  });

  test("a storage that never answers costs little more than a step", async () => {
    await using here = await openHealthy();
    here.proxy.inject({ stallAnswer: -1 });
    const { failed } = await hurry(here);
    expect(failed).toEqual(["write"]);
    // One PUT, and what cleans up after it.
    expect(here.proxy.requests.slice(1).map((line) => line.split(" ")[0])).toEqual(["PUT", "DELETE"]);
  });

  test("the whole test ends too", async () => {
    await using here = await openHealthy();
    here.proxy.inject({ on: /^GET/, stallAnswer: 3 });
    const { failed, step, data } = await hurry(here, { step: 1500, whole: 5000 });
    expect(failed.slice(0, 3)).toEqual(["read", "range", "list"]);
    expect(step("public")).toMatchObject({ skipped: true, success: false });
    expect(step("public").message).toContain("took too long");
    expect(data.success).toBe(false);
    expect([await here.s3.keys(), await here.s3.unfinished()]).toEqual([[], []]);
  });
});

describe("where the bucket's name stands", () => {
  /** Names below localhost are not known everywhere, so the way there is taken by hand; other names lead nowhere. */
  const way =
    (target: string, known: RegExp): Fetch =>
    (url, init) => {
      const { host } = new URL(url);
      const headers = { ...(init.headers as Record<string, string>), host };
      return fetch(url.replace(host, known.test(host) ? new URL(target).host : "127.0.0.1:1"), { ...init, headers });
    };
  const inHost = /^test-/;
  const inPath = /^localhost/;

  test.each([
    [true, /./, "supports both styles", null],
    [false, /./, "supports both styles", null],
    [true, inPath, "supports path style only", null],
    [false, inHost, "supports virtual-hosted style only", null],
    [true, inHost, "supports virtual-hosted style, but not path style", "Turn path style off."],
    [false, inPath, "supports path style, but not virtual-hosted style", "Turn path style on."],
  ])("path style %p, where names like %p are known", async (pathStyle, known, says, advice) => {
    await using here = await openS3House();
    const { s3, storage, house } = here;
    await allow(here, "*");
    const { endpoint, ...server } = s3.server;
    const { port } = new URL(endpoint);
    const to = { endpoint: `http://localhost:${port}`, bucket: s3.bucket, pathStyle, fetch: way(endpoint, known) };
    const { step, data } = await runDoctor(house, storage.id, { connection: { ...server, ...to } });
    expect(step("path_style")).toMatchObject({ success: true, message: expect.stringContaining(says), advice });
    expect(data.success).toBe(!advice);
    expect([await s3.keys(), await s3.unfinished()]).toEqual([[], []]);
  });

  test("cannot be told while the storage refuses access", async () => {
    await using here = await openS3House();
    const { endpoint } = here.s3.server;
    const { port } = new URL(endpoint);
    const connection = { endpoint: `http://localhost:${port}`, bucket: here.s3.bucket, fetch: way(endpoint, /./) };
    const { step } = await runDoctor(here.house, here.storage.id, { connection });
    expect(step("path_style")).toMatchObject({ advice: null, message: expect.stringContaining("once the storage") });
  });
});
