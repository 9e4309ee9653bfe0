import { describe, expect, test } from "bun:test";
import { failed } from "../../../web/transfer/failures.ts";
import type { Put } from "../../../web/transfer/ports.ts";
import { refusal } from "../../support/page-servers/fake-server.ts";
import { type UploadServer, uploadServer } from "../../support/page-servers/upload-server.ts";
import {
  isSameAs,
  largeFile,
  PARTS,
  putByFetch,
  reaches,
  row,
  uploadsAt,
} from "../../support/page-servers/uploads-at.ts";

const MiB = 1024 * 1024;
const refused = () => new Response(null, { status: 500 });
const all = Array.from({ length: PARTS }, (_, index) => index + 1);
const sorted = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);

/** The large file under way, with the slug "mine". */
function sending(server: UploadServer) {
  const here = uploadsAt(server.base);
  const file = largeFile();
  here.uploads.add([file]);
  here.uploads.start({ slug: "mine" });
  const item = () => row(here.uploads, file.name);
  return { ...here, file, item, reaches: (wanted: Parameters<typeof reaches>[2]) => reaches(here, file.name, wanted) };
}

describe("a large file", () => {
  test("goes up in parts, three at a time, in their order", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const here = sending(server);
    expect(here.item().multipart).toBe(true);
    await here.clock.until(() => server.inFlight() === 3);
    expect(sorted(server.parts())).toEqual([1, 2, 3]);
    gate.resolve(undefined);
    await here.reaches({ state: "completed" });
    expect(server.lines()).toEqual(["POST /s3/multipart/init", "POST /s3/multipart/complete"]);
    expect(server.calls[0]?.body).toMatchObject({ size: here.file.size, part_size: 5 * 1024 * 1024, slug: "mine" });
    expect(sorted(server.parts())).toEqual(all);
    expect(server.widest()).toBe(3);
    expect(server.puts[0]?.headers.get("content-type")).toBe("application/octet-stream");
    expect(await isSameAs(server.bytes("mine"), here.file)).toBe(true);
    expect(here.item()).toMatchObject({ sent: here.file.size, resumed: 0, continues: false, slug: "mine" });
  });

  test("goes up where the page may not read ETags", async () => {
    await using server = uploadServer({ exposesEtags: false });
    const here = sending(server);
    await here.reaches({ state: "completed" });
    expect(server.lines()).toEqual([
      "POST /s3/multipart/init",
      "POST /s3/multipart/parts",
      "POST /s3/multipart/complete",
    ]);
  });

  test("tries a part again three times, each time after a longer pause", async () => {
    await using server = uploadServer();
    const tries = () => server.parts().filter((part) => part === 2).length;
    server.onPut(({ part }) => (part === 2 && tries() <= 3 ? refused() : undefined));
    const here = sending(server);
    await here.reaches({ state: "completed" });
    expect(here.clock.slept).toEqual([1000, 2000, 3000]);
    expect(server.parts().length).toBe(PARTS + 3);
  });

  test("fails when a part stays missing, and a retry sends that one alone", async () => {
    await using server = uploadServer();
    server.onPut(({ part }) => (part === 2 ? refused() : undefined));
    const here = sending(server);
    await here.reaches({ state: "failed" });
    expect(here.item()).toMatchObject({ canRetry: true, sent: here.file.size - 5 * 1024 * 1024 });
    expect(here.item().failure).toMatchObject({ code: "partsFailed", status: 500 });
    expect(sorted(server.parts())).toEqual(sorted([...all, 2, 2, 2]));
    server.onPut(() => undefined);
    server.puts.length = 0;
    here.uploads.retry(here.item().id);
    await here.reaches({ state: "completed" });
    expect(server.parts()).toEqual([2]);
    expect(await isSameAs(server.bytes("mine"), here.file)).toBe(true);
  });

  test("stops early when part after part fails", async () => {
    await using server = uploadServer();
    server.onPut(() => new Response(null, { status: 400 }));
    const here = sending(server);
    await here.reaches({ state: "failed" });
    expect(here.item().failure).toMatchObject({ code: "partsFailed", status: 400 });
    expect(server.parts().length).toBeLessThan(PARTS);
  });

  test.each([
    [0, "network"],
    [409, "409"],
  ])("tells what its parts failed of: %d (%s)", async (status) => {
    await using server = uploadServer();
    server.onPut(({ part }) => (part === 2 && status > 0 ? new Response(null, { status }) : undefined));
    const put: Put = (request) =>
      status === 0 && request.url.includes("/2?") ? Promise.reject(failed("network")) : putByFetch(request);
    const here = uploadsAt(server.base, { put });
    here.uploads.add([largeFile()]);
    here.uploads.start({});
    await reaches(here, "large.bin", { state: "failed" });
    expect(row(here.uploads, "large.bin").failure).toMatchObject({ code: "partsFailed", status });
  });

  test("stops at once when the storage is full", async () => {
    await using server = uploadServer();
    const others = Promise.withResolvers<undefined>();
    server.onPut(({ part }) => (part === 1 ? new Response(null, { status: 507 }) : others.promise));
    const here = sending(server);
    await here.reaches({ state: "failed" });
    expect(here.item().failure).toMatchObject({ code: "storage.full", status: 507 });
    // Those that were on their way, and the one that stood in line.
    expect(server.parts().length).toBeLessThanOrEqual(4);
    others.resolve(undefined);
  });

  test("fetches fresh addresses when its own are too old", async () => {
    await using server = uploadServer();
    server.onPut(({ part }) => {
      if (part === 4 && server.parts().filter((number) => number === 4).length === 1) server.expireAddresses();
      return undefined;
    });
    const here = sending(server);
    await here.reaches({ state: "completed" });
    expect(here.clock.slept).toEqual([]);
    expect(server.lines().filter((line) => line === "POST /s3/multipart/parts").length).toBe(1);
    expect(await isSameAs(server.bytes("mine"), here.file)).toBe(true);
  });

  /** One of which two parts are there, and three on their way until the gate opens. */
  const onItsWay = async (server: UploadServer) => {
    const gate = Promise.withResolvers<Response | undefined>();
    let held = 0;
    server.onPut(({ part }) => {
      if (part < 3 || held === 3) return undefined;
      held += 1;
      return gate.promise;
    });
    const here = sending(server);
    await here.clock.until(() => held === 3);
    return { here, gate };
  };

  test("lets parts arrive that are on their way when it is paused, begins none, and sends none twice", async () => {
    await using server = uploadServer();
    const { here, gate } = await onItsWay(server);
    here.uploads.pauseAll();
    expect(here.item()).toMatchObject({ state: "paused", sent: 10 * MiB, speed: 0 });
    gate.resolve(undefined);
    await here.reaches({ state: "paused", sent: 25 * MiB });
    await here.clock.until(() => server.inFlight() === 0);
    expect(sorted(server.parts())).toEqual([1, 2, 3, 4, 5]);
    here.uploads.resumeAll();
    expect(here.item().state).toBe("uploading");
    await here.reaches({ state: "completed" });
    expect(sorted(server.parts())).toEqual(all);
    expect(await isSameAs(server.bytes("mine"), here.file)).toBe(true);
  });

  test("tries no part again that fails while it is paused", async () => {
    await using server = uploadServer();
    const { here, gate } = await onItsWay(server);
    here.uploads.pauseAll();
    gate.resolve(new Response(null, { status: 500 }));
    await here.clock.until(() => server.inFlight() === 0);
    here.uploads.resumeAll();
    await here.reaches({ state: "completed" });
    expect([sorted(server.parts()), here.clock.slept]).toEqual([[1, 2, 3, 3, 4, 4, 5, 5, 6, 7], []]);
  });

  test("goes on with parts on their way when it is resumed before they are there", async () => {
    await using server = uploadServer();
    const { here, gate } = await onItsWay(server);
    here.uploads.pauseAll();
    here.uploads.resumeAll();
    gate.resolve(undefined);
    await here.reaches({ state: "completed" });
    expect(sorted(server.parts())).toEqual(all);
  });

  test("that is cancelled while it is paused breaks off what is on its way", async () => {
    await using server = uploadServer();
    const { here, gate } = await onItsWay(server);
    here.uploads.pauseAll();
    // Resolves although no part is answered.
    await here.uploads.cancel(here.item().id);
    expect([here.item().state, server.stored()]).toEqual(["aborted", []]);
    gate.resolve(undefined);
  });

  test("may be paused and resumed while it begins", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onCall((line) => (line === "POST /s3/multipart/init" ? gate.promise : undefined));
    const here = sending(server);
    await here.clock.until(() => server.lines().length === 1);
    here.uploads.pause(here.item().id);
    here.uploads.resume(here.item().id);
    here.uploads.pause(here.item().id);
    here.uploads.resume(here.item().id);
    gate.resolve(undefined);
    await here.reaches({ state: "completed" });
    expect(server.lines()).toEqual(["POST /s3/multipart/init", "POST /s3/multipart/complete"]);
    expect(sorted(server.parts())).toEqual(all);
  });

  test("asks what is there when the completion is refused, and sends that", async () => {
    await using server = uploadServer();
    server.onCall((line) => {
      if (line !== "POST /s3/multipart/complete") return undefined;
      server.onCall(() => undefined);
      server.stored()[0]?.parts.delete(5);
      return undefined;
    });
    const here = sending(server);
    await here.reaches({ state: "failed" });
    expect(here.item().failure?.code).toBe("upload.parts");
    server.puts.length = 0;
    here.uploads.retry(here.item().id);
    await here.reaches({ state: "completed" });
    expect(server.parts()).toEqual([5]);
  });

  test("is complete though the first answer to that was lost", async () => {
    await using server = uploadServer();
    let asked = 0;
    server.onCall((line) => {
      if (line !== "POST /s3/multipart/complete") return undefined;
      asked += 1;
      if (asked > 1) return undefined;
      // It is done and nobody hears of it.
      const [one] = server.stored();
      if (one) one.ready = true;
      return new Response(null, { status: 504 });
    });
    const here = sending(server);
    await here.reaches({ state: "completed" });
    expect(asked).toBe(2);
    expect(here.item().result?.slug).toBe("mine");
  });

  test("begins anew when the server has forgotten it", async () => {
    await using server = uploadServer();
    server.onPut(({ part }) => (part === 2 ? refused() : undefined));
    const here = sending(server);
    await here.reaches({ state: "failed" });
    server.forget();
    server.onPut(() => undefined);
    here.uploads.retry(here.item().id);
    await here.reaches({ state: "completed" });
    expect(server.stored()).toMatchObject([{ slug: "mine", ready: true }]);
    expect(await isSameAs(server.bytes("mine"), here.file)).toBe(true);
  });

  test("fails with the server's reason when it may not begin", async () => {
    await using server = uploadServer();
    server.onCall((line) => (line === "POST /s3/multipart/init" ? refusal("storage.full", "No room") : undefined));
    const here = sending(server);
    await here.reaches({ state: "failed" });
    expect(here.item()).toMatchObject({ failure: { code: "storage.full", message: "No room" } });
    expect(here.clock.slept).toEqual([]);
  });
});
