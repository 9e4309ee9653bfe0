import { describe, expect, test } from "bun:test";
import { failed } from "../../../web/transfer/failures.ts";
import type { Put } from "../../../web/transfer/ports.ts";
import { refusal } from "../../support/page-servers/fake-server.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import { fileOf, isSameAs, reaches, row, uploadsAt } from "../../support/page-servers/uploads-at.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A line on which nothing is ever answered; `hanging` tells of each request how to let bytes of it leave. */
function stuckLine() {
  const hanging: ((sent: number) => void)[] = [];
  const put: Put = ({ signal, onProgress }) =>
    new Promise((_, reject) => {
      hanging.push(onProgress);
      signal.addEventListener("abort", () => reject(failed("aborted")));
    });
  return { hanging, put };
}

describe("a small file", () => {
  test("goes up in one piece, with the type the server told and the options of the person", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    const file = fileOf("名 🙂.bin", 5000);
    here.uploads.add([file]);
    expect(row(here.uploads, file.name)).toMatchObject({ state: "idle", multipart: false, canPause: false });
    here.uploads.start({ slug: "mine", password: "pw", maxViews: 3, expiresAt: "2030-01-01T00:00:00Z", path: "a/b" });
    expect(row(here.uploads, file.name)).toMatchObject({ state: "uploading", canPause: true });
    await reaches(here, file.name, { state: "completed" });
    expect(server.lines()).toEqual(["POST /s3/presign", "POST /s3/commit"]);
    expect(server.calls[0]?.body).toMatchObject({
      filename: file.name,
      size: 5000,
      mimetype: "application/x-test",
      slug: "mine",
      password: "pw",
      max_views: 3,
      expires_at: "2030-01-01T00:00:00Z",
      path: "a/b",
    });
    expect(server.puts[0]?.headers.get("content-type")).toBe("text/x-told");
    expect(server.puts[0]?.headers.has("x-bz-content-sha1")).toBe(false);
    expect(await isSameAs(server.bytes("mine"), file)).toBe(true);
    expect(row(here.uploads, file.name)).toMatchObject({ slug: "mine", sent: 5000, result: { slug: "mine" } });
  });

  test("may be empty", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("empty", 0)]);
    here.uploads.start({ slug: "nothing" });
    await reaches(here, "empty", { state: "completed" });
    expect(server.bytes("nothing")?.length).toBe(0);
  });

  test("carries what Backblaze wants to see", async () => {
    await using server = uploadServer({ provider: "Backblaze B2" });
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "completed" });
    expect(server.puts[0]?.headers.get("x-bz-content-sha1")).toBe("do_not_verify");
    expect(server.puts[0]?.headers.get("x-requested-with")).toBe("XMLHttpRequest");
  });

  test("is tried again three times, each time after a longer pause", async () => {
    await using server = uploadServer();
    server.onPut(() => (server.puts.length <= 3 ? new Response(null, { status: 500 }) : undefined));
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "completed" });
    expect(here.clock.slept).toEqual([1000, 2000, 3000]);
    expect(server.lines()).toEqual(["POST /s3/presign", "POST /s3/commit"]);
  });

  test("fails after that, and a retry brings it there", async () => {
    await using server = uploadServer();
    server.onPut(() => new Response(null, { status: 500 }));
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "failed" });
    expect(server.puts.length).toBe(4);
    const failed = row(here.uploads, "a");
    expect(failed).toMatchObject({ canRetry: true, sent: 0 });
    expect(failed.failure).toMatchObject({ code: "putRefused", status: 500 });
    expect(() => here.uploads.resume(failed.id)).toThrow(expect.objectContaining({ code: "notPaused" }));
    server.onPut(() => undefined);
    here.uploads.retry(failed.id);
    expect(row(here.uploads, "a").failure).toBeUndefined();
    await reaches(here, "a", { state: "completed" });
  });

  test.each([
    [400, "putRefused"],
    [413, "file.tooLarge"],
    [507, "storage.full"],
  ] as const)("is not tried again when the storage answers %d", async (status, code) => {
    await using server = uploadServer();
    server.onPut(() => new Response(null, { status }));
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "failed" });
    expect(server.puts.length).toBe(1);
    expect(row(here.uploads, "a").failure).toMatchObject({ code, status });
  });

  test.each([
    ["link.kind", false],
    ["link.fileBytes", false],
    ["link.full", true],
  ] as const)("that a link refuses with %s can be tried again: %p", async (code, canRetry) => {
    await using server = uploadServer();
    server.onCall(() => refusal(code));
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "failed" });
    expect(row(here.uploads, "a")).toMatchObject({ failure: { code }, canRetry });
  });

  test("gets a new address when its own is too old, and leaves nothing of the first", async () => {
    await using server = uploadServer();
    server.onPut(() => {
      if (server.puts.length === 1) server.expireAddresses();
      return undefined;
    });
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({ slug: "mine" });
    await reaches(here, "a", { state: "completed" });
    expect(server.lines()).toEqual([
      "POST /s3/presign",
      "POST /s3/multipart/abort",
      "POST /s3/presign",
      "POST /s3/commit",
    ]);
    expect(server.stored()).toMatchObject([{ slug: "mine", ready: true }]);
  });

  test("asks again when the commit gets no answer", async () => {
    await using server = uploadServer();
    let asked = 0;
    server.onCall((line) => {
      if (line !== "POST /s3/commit") return undefined;
      asked += 1;
      return asked < 3 ? new Response("bad gateway", { status: 502 }) : undefined;
    });
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "completed" });
    expect(server.puts.length).toBe(1);
  });

  test("is brought again when the server finds it incomplete at the commit", async () => {
    await using server = uploadServer();
    server.onCall((line) => (line === "POST /s3/commit" ? refusal("upload.incomplete") : undefined));
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({ slug: "mine" });
    await reaches(here, "a", { state: "failed" });
    server.onCall(() => undefined);
    here.uploads.retry(row(here.uploads, "a").id);
    await reaches(here, "a", { state: "completed" });
    expect(server.puts.length).toBe(2);
    expect(server.stored()).toMatchObject([{ slug: "mine", ready: true }]);
  });

  test("with a slug that is taken fails, and goes up under another one", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({ slug: "mine", remark: "kept" });
    await reaches(here, "a", { state: "completed" });
    here.uploads.add([fileOf("b", 10)]);
    here.uploads.start({ slug: "mine", remark: "kept" });
    await reaches(here, "b", { state: "failed" });
    expect(row(here.uploads, "b").failure).toMatchObject({ code: "slug.taken", status: 409 });
    here.uploads.retry(row(here.uploads, "b").id, { slug: "yours" });
    await reaches(here, "b", { state: "completed" });
    expect(row(here.uploads, "b").result?.slug).toBe("yours");
    expect(server.calls.findLast(({ line }) => line === "POST /s3/presign")?.body).toMatchObject({ remark: "kept" });
  });

  test("begins anew when other options are chosen after the storage refused it, and leaves nothing of the first", async () => {
    await using server = uploadServer();
    server.onPut(() => (server.puts.length === 1 ? new Response(null, { status: 507 }) : undefined));
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({ slug: "mine", storageId: "full" });
    await reaches(here, "a", { state: "failed" });
    here.uploads.retry(row(here.uploads, "a").id, { storageId: "empty", password: "now" });
    await reaches(here, "a", { state: "completed" });
    const begun = server.calls.filter(({ line }) => line === "POST /s3/presign").map(({ body }) => body);
    expect(begun).toMatchObject([{ s3_config_id: "full" }, { s3_config_id: "empty", password: "now", slug: "mine" }]);
    expect(server.stored()).toMatchObject([{ slug: "mine", ready: true }]);
  });

  test("of a visitor begins anew with other options, too, and leaves nothing of the first", async () => {
    await using server = uploadServer({ visitors: true });
    server.onPut(() => (server.puts.length === 1 ? new Response(null, { status: 507 }) : undefined));
    const here = uploadsAt(server.base, { account: () => undefined });
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({ slug: "mine" });
    await reaches(here, "a", { state: "failed" });
    here.uploads.retry(row(here.uploads, "a").id, { password: "now" });
    await reaches(here, "a", { state: "completed" });
    expect(server.stored()).toMatchObject([{ slug: "mine", ready: true }]);
  });

  test("whose session ended fails, and goes on after the next sign-in", async () => {
    await using server = uploadServer();
    server.onCall((line) => (line === "POST /s3/presign" ? refusal("auth.expired") : undefined));
    const here = uploadsAt(server.base);
    here.credential.signIn("old", "admin", 1);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "failed" });
    expect(row(here.uploads, "a").failure).toMatchObject({ code: "auth.expired", status: 401 });
    expect(here.clock.slept).toEqual([]);
    server.onCall(() => undefined);
    here.uploads.retry(row(here.uploads, "a").id);
    await reaches(here, "a", { state: "completed" });
  });

  test("that was paused starts its PUT anew", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => (server.puts.length === 1 ? gate.promise : undefined));
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await here.clock.until(() => server.inFlight() === 1);
    const { id } = row(here.uploads, "a");
    here.uploads.pause(id);
    expect(row(here.uploads, "a")).toMatchObject({ state: "paused", canPause: false, sent: 0 });
    expect(here.uploads.isBusy()).toBe(true);
    gate.resolve(undefined);
    here.uploads.resume(id);
    await reaches(here, "a", { state: "completed" });
    expect(server.lines()).toEqual(["POST /s3/presign", "POST /s3/commit"]);
    expect(here.uploads.isBusy()).toBe(false);
  });

  test("that can be read no more says so", async () => {
    await using server = uploadServer();
    const file = fileOf("a", 10);
    Object.assign(file, {
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")) }),
    });
    const here = uploadsAt(server.base, { put: () => Promise.reject(failed("network")) });
    here.uploads.add([file]);
    here.uploads.start({});
    await reaches(here, "a", { state: "failed" });
    expect(row(here.uploads, "a").failure?.code).toBe("fileUnreadable");
    expect(here.clock.slept).toEqual([]);
  });

  test("fails when nothing moves for five minutes, counted from the last byte that moved", async () => {
    await using server = uploadServer();
    const { hanging, put } = stuckLine();
    const here = uploadsAt(server.base, { put });
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    const seconds = async (count: number) => {
      for (let at = 0; at < count; at += 15) {
        here.clock.advance(15_000);
        await settle();
      }
    };
    await here.clock.until(() => hanging.length === 1);
    await seconds(240);
    hanging[0]?.(4);
    await seconds(270);
    expect(row(here.uploads, "a")).toMatchObject({ state: "uploading", sent: 4 });
    await seconds(60);
    // Three more attempts hang as the first one did.
    for (let attempt = 2; attempt <= 4; attempt += 1) {
      await here.clock.until(() => hanging.length === attempt);
      await seconds(330);
    }
    await reaches(here, "a", { state: "failed" });
    expect(row(here.uploads, "a").failure?.code).toBe("timeout");
    expect(hanging.length).toBe(4);
  });
});
