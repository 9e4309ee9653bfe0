import { describe, expect, test } from "bun:test";
import { s3Answer, s3Error } from "../support/proxies/faulty-proxy.ts";
import { examine, PAGE } from "../support/stores/examine.ts";
import { openFaultyHouse } from "../support/stores/faulty-house.ts";
import { openS3House } from "../support/stores/s3-house.ts";
import { allow, change, visit } from "../support/stores/s3-visit.ts";
import { minutes } from "../support/test-clock.ts";

/** What the doctor finds at a real storage that is healthy or wrongly configured. Whatever happens, nothing of a test is left. */

describe("a healthy bucket", () => {
  test("fails without CORS rules only, and passes once they are set", async () => {
    await using here = await openS3House();
    const before = await visit(here);
    expect([before.data.success, before.failed, before.untried]).toEqual([false, ["cors"], ["etag_exposed"]]);
    expect(before.message).toBe("These checks failed: Uploads from the browser (CORS).");
    expect(before.step("cors").message).toContain(`uploads from pages of ${PAGE} (HTTP 403`);
    expect(before.data.result.frontendSim).toMatchObject({ success: false, failedAt: "step1" });

    expect((await allow(here, PAGE, "https://other.example/", PAGE)).status).toBe(200);
    const after = await visit(here);
    expect([after.data.success, after.failed, after.untried]).toEqual([true, [], []]);
    expect(after.data.result.cors).toMatchObject({
      success: true,
      allowOrigin: PAGE,
      allowMethods: "PUT",
      maxAge: "3600",
      statusCode: 200,
      uploadSupported: true,
    });
    expect(after.data.result.frontendSim).toMatchObject({ success: true, failedAt: null });
    expect(after.data.result.write.cleaned).toBe(true);
  });

  test("lets in the pages that were named, and takes the place of older rules", async () => {
    await using here = await openS3House();
    await allow(here, "https://other.example");
    expect((await visit(here)).failed).toEqual(["cors"]);
    await allow(here, "*");
    expect((await visit(here)).failed).toEqual([]);
  });

  test("is counted without the test's own files", async () => {
    await using here = await openS3House();
    await here.s3.store.put("shares/a", new Response("a"), { type: "text/plain" });
    await here.s3.store.put("elsewhere", new Response("b"), { type: "text/plain" });
    const { data } = await examine(here.house, here.storage.id);
    expect(data.result.read).toMatchObject({ success: true, objectCount: 1, prefix: "shares/" });
    expect(await here.s3.keys()).toEqual(["elsewhere", "shares/a"]);
  });

  test("is told to be out of reach for browsers elsewhere, which is no failure", async () => {
    await using here = await openS3House();
    await allow(here, PAGE);
    const { step, data } = await visit(here);
    expect(step("public")).toMatchObject({ success: true, message: "127.0.0.1 is this machine itself." });
    expect(step("public").advice).toContain("New file shares go through this server");
    expect(data.result.globalNote).toBe("Everything works. Please review: Reachable by browsers.");
  });
});

describe("clocks", () => {
  test.each([
    [0, true, null],
    [-5, true, expect.stringContaining("NTP")],
    [14, true, expect.stringContaining("NTP")],
    [-40, false, expect.stringContaining("NTP")],
    [40, false, expect.stringContaining("NTP")],
  ])("that are %p minutes off", async (off, success, advice) => {
    await using here = await openS3House({}, { now: Date.now() + minutes(off) });
    const { step, data } = await examine(here.house, here.storage.id);
    expect(step("clock_skew")).toMatchObject({ success, skipped: false, advice });
    if (!success) expect([data.success, step("multipart").success]).toEqual([false, false]);
  });
});

describe("a wrong configuration", () => {
  test("with another secret is refused, and says which key to look at", async () => {
    await using here = await openS3House();
    await change(here, { secret_access_key: "not-the-right-secret" });
    const { failed, untried, step, data } = await visit(here);
    expect(failed).toEqual(["write", "list", "cors"]);
    expect(untried).toEqual(["head", "read", "range", "copy", "multipart", "delete", "etag_exposed"]);
    expect(step("write").message).toContain("denies access to this server");
    expect(step("write").advice).toStartWith("Check the access key and the secret key");
    expect(JSON.stringify(data)).not.toContain("not-the-right-secret");
    expect(data.result).toMatchObject({ write: { success: false }, read: { success: false, objectCount: 0 } });
  });

  test("with a bucket that is not there", async () => {
    await using here = await openS3House();
    await change(here, { bucket_name: "no-such-bucket" });
    const { failed, step } = await visit(here);
    expect(failed).toEqual(["write", "list", "cors"]);
    expect(step("write").message).toBe("The bucket does not exist in the storage.");
    expect(step("write").advice).toStartWith("Create the bucket");
  });

  test("with another region", async () => {
    await using here = await openFaultyHouse();
    here.proxy.inject({ answer: s3Error("400 Bad Request", "AuthorizationHeaderMalformed") });
    const { step } = await visit(here);
    expect(step("write").message).toContain("a different region");
    expect(step("write").advice).toStartWith("Set the region and the endpoint");
  });

  test("with an endpoint where nobody listens does not wait for every step", async () => {
    await using here = await openFaultyHouse();
    await here.proxy[Symbol.asyncDispose]();
    const { failed, untried, step } = await visit(here);
    expect(failed).toEqual(["write"]);
    expect(untried).toContain("list");
    expect(step("write").advice).toStartWith("Check the endpoint");
    expect(step("clock_skew")).toMatchObject({ skipped: true, success: true });
  });

  test("with a website as its endpoint", async () => {
    await using here = await openFaultyHouse();
    here.proxy.inject({ answer: s3Answer("200 OK", "<html>secret words</html>", { "Content-Type": "text/html" }) });
    const { failed, step } = await visit(here);
    expect(failed).toEqual(["write", "list", "cors"]);
    expect(step("write").advice).toStartWith("Check that the endpoint is the S3 endpoint");
  });

  test("with something as its endpoint that speaks no HTTP", async () => {
    await using here = await openFaultyHouse();
    here.proxy.inject({ answer: "220 secret words ESMTP\r\n" });
    const { step } = await visit(here);
    expect(step("write")).toMatchObject({ success: false, skipped: false });
    expect(here.house.log()).not.toContain('"unhandled error"');
  });
});

describe("setting CORS rules", () => {
  test.each([
    ["403 Forbidden", "AccessDenied", "storage.corsRefused"],
    ["501 Not Implemented", "NotImplemented", "storage.corsUnsupported"],
    ["405 Method Not Allowed", "MethodNotAllowed", "storage.corsUnsupported"],
    ["403 Forbidden", "SignatureDoesNotMatch", "storage.refused"],
    ["404 Not Found", "NoSuchBucket", "storage.bucketMissing"],
    ["503 Slow Down", "SlowDown", "storage.busy"],
  ])("is answered by %s %s", async (status, code, error) => {
    await using here = await openFaultyHouse();
    here.proxy.inject({ on: /^PUT \S*\?cors/, answer: s3Error(status, code) });
    const answer = await allow(here, "*");
    expect([answer.error, answer.message.includes("secret words")]).toEqual([error, false]);
  });

  test("is written down, with no more than the field's name", async () => {
    await using here = await openS3House();
    await allow(here, PAGE);
    const { entries } = await here.house.house.access.audit.list({ limit: 1, offset: 0 });
    expect(entries).toMatchObject([{ action: "storage.cors", fields: ["origins"] }]);
  });
});
