import { describe, expect, test } from "bun:test";
import { PART_SIZE, TRANSFER_PATIENCE } from "#contract/limits";
import type { SourceFile } from "#contract/url-uploads";
import type { OpenUrl } from "../../../web/transfer/download.ts";
import { failed } from "../../../web/transfer/failures.ts";
import type { UrlTask, UrlUpload } from "../../../web/transfer/url-to-storage.ts";
import { type UploadServer, uploadServer } from "./upload-server.ts";
import { fileOf, isSameAs, putFrom, urlUploadAt } from "./uploads-at.ts";

const MiB = 1024 * 1024;

const sourceOf = (more: Partial<SourceFile> = {}): SourceFile => ({
  url: "https://files.test/report.bin",
  filename: "report.bin",
  contentType: "application/x-test",
  size: 5,
  lastModified: null,
  method: "HEAD",
  corsSupported: true,
  type: 0,
  typeName: "unknown",
  ...more,
});

const taskOf = ({
  source,
  ...more
}: Partial<Omit<UrlTask, "source">> & { source?: Partial<SourceFile> } = {}): UrlTask => ({
  source: sourceOf(source),
  name: "report.bin",
  method: "presigned",
  options: {},
  most: undefined,
  ...more,
});

/** Hands a file out in pieces, and breaks off after so many bytes when it is to. */
function answerOf(
  file: File,
  { breakAt = Number.POSITIVE_INFINITY, chunk = 64 * 1024, onChunk = (_bytes: number): void => undefined } = {},
): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at >= breakAt) throw new TypeError("network error");
        if (at >= file.size) return controller.close();
        const to = Math.min(at + chunk, file.size, breakAt);
        controller.enqueue(await file.slice(at, to).bytes());
        onChunk(to - at);
        at = to;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body);
}

const never: OpenUrl = () => Promise.reject(new TypeError("Failed to fetch"));
const gives =
  (file: File, how?: Parameters<typeof answerOf>[1]): OpenUrl =>
  async () =>
    answerOf(file, how);

/** The machine on a web, and everything that it has shown. */
function machineOn(server: UploadServer, open: { direct?: OpenUrl; proxy?: OpenUrl }, choices = {}) {
  const asked: string[] = [];
  const noting =
    (way: "direct" | "proxy"): OpenUrl =>
    (url, signal) => {
      asked.push(way);
      return (open[way] ?? never)(url, signal);
    };
  const at = urlUploadAt(server.base, { direct: noting("direct"), proxy: noting("proxy") }, choices);
  const shown: UrlUpload[] = [];
  at.machine.state.subscribe(() => {
    const upload = at.machine.state.get();
    if (upload) shown.push(upload);
  });
  const now = (): UrlUpload => {
    const upload = at.machine.state.get();
    if (!upload) throw new Error("Nothing is shown.");
    return upload;
  };
  const ends = () => at.clock.until(() => !at.machine.isBusy());
  return { ...at, asked, shown, now, ends, stages: () => [...new Set(shown.map(({ stage }) => stage))] };
}

describe("in one piece", () => {
  test("a file comes down, goes up and becomes a share, and every stage is shown in turn", async () => {
    await using server = uploadServer();
    const file = fileOf("report.bin", 300_000);
    const { machine, asked, stages, now, ends, shown } = machineOn(server, { direct: gives(file) });
    machine.start(taskOf({ source: { size: 300_000 }, options: { slug: "mine" } }));
    await ends();
    expect(stages()).toEqual([
      "starting",
      "downloading",
      "preparing",
      "initializing",
      "uploading",
      "finalizing",
      "completed",
    ]);
    expect(asked).toEqual(["direct"]);
    expect(now()).toMatchObject({ percent: 100, received: 300_000, sent: 300_000, size: 300_000 });
    expect(now().result?.slug).toBe("mine");
    expect(await isSameAs(server.bytes("mine"), file)).toBe(true);
    expect(server.lines()).toEqual(["POST /url/presign", "POST /url/commit"]);
    expect(server.calls[0]?.body).toMatchObject({ url: "https://files.test/report.bin", filename: "report.bin" });
    const percents = shown.flatMap(({ percent = 0 }) => percent);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
  });

  test("coming down is 0 to 49, going up 50 to 99", async () => {
    await using server = uploadServer();
    const { machine, shown, ends } = machineOn(server, { direct: gives(fileOf("a", 300_000)) });
    machine.start(taskOf({ source: { size: 300_000 } }));
    await ends();
    const of = (...wanted: string[]) =>
      shown.filter(({ stage }) => wanted.includes(stage)).map(({ percent = 0 }) => percent);
    expect(Math.max(...of("starting", "downloading", "preparing", "initializing"))).toBe(49);
    expect(Math.max(...of("uploading", "finalizing"))).toBe(99);
    expect(Math.min(...of("uploading", "finalizing"))).toBeGreaterThanOrEqual(49);
  });

  test("a file of unknown size has no percentage until it is there", async () => {
    await using server = uploadServer();
    const { machine, shown, now, ends } = machineOn(server, { direct: gives(fileOf("a", 100_000)) });
    machine.start(taskOf({ source: { size: null } }));
    await ends();
    const coming = shown.filter(({ stage }) => stage === "downloading");
    expect(new Set(coming.map(({ percent }) => percent))).toEqual(new Set([undefined]));
    expect(now()).toMatchObject({ stage: "completed", size: 100_000 });
  });

  test("an empty file is a file", async () => {
    await using server = uploadServer();
    const { machine, now, ends } = machineOn(server, { direct: gives(fileOf("a", 0)) });
    machine.start(taskOf({ source: { size: 0 } }));
    await ends();
    expect(now()).toMatchObject({ stage: "completed", percent: 100 });
  });
});

describe("the way", () => {
  test("leads through the server when the source lets no page in after all", async () => {
    await using server = uploadServer();
    const { machine, asked, stages, now, ends } = machineOn(server, { proxy: gives(fileOf("a", 5)) });
    machine.start(taskOf());
    await ends();
    expect(asked).toEqual(["direct", "proxy"]);
    expect(stages()).toContain("proxyDownloading");
    expect(now().stage).toBe("completed");
  });

  test.each([
    ["a source that has said so", { corsSupported: false }, {}],
    ["a source by http from a page by https", { url: "http://files.test/a" }, { secure: true }],
  ])("leads through the server at once for %s", async (_, source, choices) => {
    await using server = uploadServer();
    const { machine, asked, ends } = machineOn(server, { proxy: gives(fileOf("a", 5)) }, choices);
    machine.start(taskOf({ source }));
    await ends();
    expect(asked).toEqual(["proxy"]);
  });

  test("changes in the middle without a byte twice or missing", async () => {
    await using server = uploadServer();
    const file = fileOf("a", 300_000);
    const { machine, asked, now, ends } = machineOn(server, {
      direct: gives(file, { breakAt: 123_457 }),
      proxy: gives(file, { chunk: 50_001 }),
    });
    machine.start(taskOf({ source: { size: 300_000 }, options: { slug: "whole" } }));
    await ends();
    expect(asked).toEqual(["direct", "proxy"]);
    expect(now()).toMatchObject({ stage: "completed", received: 300_000 });
    expect(await isSameAs(server.bytes("whole"), file)).toBe(true);
  });

  test("changes when the source says nothing for a while", async () => {
    await using server = uploadServer();
    const { machine, clock, asked, now, ends } = machineOn(server, {
      direct: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", reject)),
      proxy: gives(fileOf("a", 5)),
    });
    machine.start(taskOf());
    await clock.until(() => asked.length === 1);
    clock.advance(15_000);
    await ends();
    expect(asked).toEqual(["direct", "proxy"]);
    expect(now().stage).toBe("completed");
  });
});

describe("what goes wrong", () => {
  test.each([
    ["ends early", { size: 10 }, "sourceChanged"],
    ["is longer than it was", { size: 3 }, "sourceChanged"],
  ])("a file that %s is not shared", async (_, source, code) => {
    await using server = uploadServer();
    for (const method of ["presigned", "multipart"] as const) {
      const { machine, now, ends } = machineOn(server, { direct: gives(fileOf("a", 5)) });
      machine.start(taskOf({ source, method }));
      await ends();
      expect(now()).toMatchObject({ stage: "failed", failure: { code } });
      machine.clear();
    }
    expect(server.puts).toEqual([]);
  });

  test("a source that breaks off on both ways is told of", async () => {
    await using server = uploadServer();
    const broken = gives(fileOf("a", 5), { breakAt: 2 });
    const { machine, now, ends } = machineOn(server, { direct: broken, proxy: broken });
    machine.start(taskOf());
    await ends();
    expect(now()).toMatchObject({ stage: "failed", failure: { code: "network" } });
  });

  test("what the server says of a source is told", async () => {
    await using server = uploadServer();
    const { machine, now, ends } = machineOn(server, { proxy: () => Promise.reject(failed("url.refused", 502)) });
    machine.start(taskOf());
    await ends();
    expect(now().failure).toMatchObject({ code: "url.refused" });
  });

  test("a file of unknown size is cut off at the limit", async () => {
    await using server = uploadServer();
    const { machine, now, ends } = machineOn(server, { direct: gives(fileOf("a", 300_000)) });
    machine.start(taskOf({ source: { size: null }, most: 100_000 }));
    await ends();
    expect(now()).toMatchObject({ stage: "failed", failure: { code: "file.tooLarge" } });
    expect(now().received).toBeLessThan(200_000);
  });

  test("silence in the middle ends it", async () => {
    await using server = uploadServer();
    const stuck: OpenUrl = async () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    const { machine, clock, now, asked } = machineOn(server, { direct: stuck, proxy: stuck });
    machine.start(taskOf());
    await clock.until(() => asked.length === 1 && now().stage === "downloading");
    for (const way of ["proxy", "none"]) {
      clock.advance(TRANSFER_PATIENCE);
      await clock.until(() => (way === "proxy" ? asked.length === 2 : !machine.isBusy()));
    }
    expect(now()).toMatchObject({ stage: "failed", failure: { code: "timeout" } });
  });

  test("a refused suffix is tried again with another, without fetching the file anew", async () => {
    await using server = uploadServer();
    const file = fileOf("a", 5);
    const { machine, asked, now, ends } = machineOn(server, { direct: gives(file) });
    machine.start(taskOf({ options: { slug: "taken" } }));
    await ends();
    machine.clear();
    machine.start(taskOf({ options: { slug: "taken" } }));
    await ends();
    expect(now()).toMatchObject({ stage: "failed", failure: { code: "slug.taken" } });
    machine.retry({ options: { slug: "free" } });
    await ends();
    expect(now()).toMatchObject({ stage: "completed", result: { slug: "free" } });
    expect(asked).toEqual(["direct", "direct"]);
  });

  test("another try after the source broke off begins anew, and the suffix is free for it", async () => {
    await using server = uploadServer();
    const file = fileOf("a", 3 * PART_SIZE);
    let broken = true;
    const open: OpenUrl = async () => answerOf(file, broken ? { breakAt: 2 * PART_SIZE } : {});
    const { machine, now, ends } = machineOn(server, { direct: open, proxy: open });
    machine.start(taskOf({ source: { size: file.size }, method: "multipart", options: { slug: "mine" } }));
    await ends();
    expect(now()).toMatchObject({ stage: "failed", failure: { code: "network" } });
    broken = false;
    machine.retry();
    await ends();
    expect(now()).toMatchObject({ stage: "completed", result: { slug: "mine" } });
    expect(await isSameAs(server.bytes("mine"), file)).toBe(true);
    expect(server.stored()).toHaveLength(1);
  });
});

describe("in parts", () => {
  test("a file goes up while it comes down, and no more of it is held than is on its way", async () => {
    await using server = uploadServer();
    const file = fileOf("large.bin", 12 * PART_SIZE + 7);
    let pulled = 0;
    let ahead = 0;
    const onChunk = (bytes: number) => {
      pulled += bytes;
      ahead = Math.max(ahead, pulled - (server.stored()[0]?.parts.size ?? 0) * PART_SIZE);
    };
    const open = gives(file, { chunk: MiB, onChunk });
    const { machine, stages, now, ends, shown } = machineOn(server, { direct: open });
    machine.start(taskOf({ source: { size: file.size }, method: "multipart", options: { slug: "large" } }));
    await ends();
    expect(now()).toMatchObject({ stage: "completed", sent: file.size, received: file.size });
    expect(await isSameAs(server.bytes("large"), file)).toBe(true);
    expect(stages()).toEqual(["starting", "initializing", "downloading", "uploading", "finalizing", "completed"]);
    // Three parts on their way, one that is read, and what lies between two readers.
    expect(ahead).toBeLessThan(6 * PART_SIZE);
    expect(server.lines()).toEqual(["POST /url/multipart/init", "POST /url/multipart/complete"]);
    const percents = shown.flatMap(({ percent = 0 }) => percent);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
  });

  test("a part that is refused once is sent again with the same bytes", async () => {
    await using server = uploadServer();
    const file = fileOf("large.bin", 4 * PART_SIZE);
    let refused = 0;
    server.onPut(({ part }) => (part === 2 && refused++ === 0 ? new Response(null, { status: 500 }) : undefined));
    const { machine, now, ends } = machineOn(server, { direct: gives(file, { chunk: MiB }) });
    machine.start(taskOf({ source: { size: file.size }, method: "multipart", options: { slug: "again" } }));
    await ends();
    expect(now().stage).toBe("completed");
    expect(await isSameAs(server.bytes("again"), file)).toBe(true);
  });

  test("a file of unknown size comes down whole first", async () => {
    await using server = uploadServer();
    const file = fileOf("large.bin", PART_SIZE + 1);
    const { machine, stages, now, ends } = machineOn(server, { direct: gives(file, { chunk: MiB }) });
    machine.start(taskOf({ source: { size: null }, method: "multipart", options: { slug: "unknown" } }));
    await ends();
    expect(now().stage).toBe("completed");
    expect(stages()).toContain("preparing");
    expect(await isSameAs(server.bytes("unknown"), file)).toBe(true);
  });

  test("a storage that this browser cannot reach gets it through the server", async () => {
    await using server = uploadServer({ elsewhere: true });
    server.storage?.setRules({ preflight: false });
    const file = fileOf("large.bin", 2 * PART_SIZE);
    const { machine, now, ends } = machineOn(
      server,
      { direct: gives(file, { chunk: MiB }) },
      { put: putFrom(server.base) },
    );
    machine.start(taskOf({ source: { size: file.size }, method: "multipart", options: { slug: "relayed" } }));
    await ends();
    expect(now()).toMatchObject({ stage: "completed", relayed: true });
    expect(await isSameAs(server.bytes("relayed"), file)).toBe(true);
  });
});

describe("cancelling", () => {
  test("while it comes down leaves the source and asks the server nothing", async () => {
    await using server = uploadServer();
    let left = false;
    const open: OpenUrl = async () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await new Promise(setImmediate);
            controller.enqueue(new Uint8Array(1000));
          },
          cancel: () => {
            left = true;
          },
        }),
      );
    const { machine, clock, now } = machineOn(server, { direct: open });
    machine.start(taskOf({ source: { size: 1e12 } }));
    await clock.until(() => now().received > 0);
    await machine.cancel();
    expect(now().stage).toBe("cancelled");
    await clock.until(() => left);
    expect(server.lines()).toEqual([]);
    machine.clear();
    expect(machine.state.get()).toBeUndefined();
  });

  test.each(["presigned", "multipart"] as const)("while it goes up (%s) deletes what arrived", async (method) => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const file = fileOf("a", 2 * PART_SIZE);
    const { machine, clock, now } = machineOn(server, { direct: gives(file, { chunk: MiB }) });
    machine.start(taskOf({ source: { size: file.size }, method }));
    await clock.until(() => server.puts.length > 0);
    const cancelled = machine.cancel();
    expect(now().stage).toBe("cancelled");
    gate.resolve(undefined);
    await cancelled;
    expect(server.stored()).toEqual([]);
    expect(server.lines()).toContain("POST /url/cancel");
  });

  test("while it is being begun deletes what was just begun", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onCall((line) => (line === "POST /url/presign" ? gate.promise : undefined));
    const { machine, clock } = machineOn(server, { direct: gives(fileOf("a", 5)) });
    machine.start(taskOf());
    await clock.until(() => server.lines().includes("POST /url/presign"));
    const cancelled = machine.cancel();
    gate.resolve(undefined);
    await cancelled;
    expect(server.stored()).toEqual([]);
  });

  test("somebody who signs out leaves nothing behind", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const { machine, clock, callAs } = machineOn(server, { direct: gives(fileOf("a", 5)) });
    machine.start(taskOf());
    await clock.until(() => server.puts.length > 0);
    const gone = machine.forget(callAs("old"));
    expect(machine.state.get()).toBeUndefined();
    gate.resolve(undefined);
    await gone;
    expect(server.stored()).toEqual([]);
    const last = server.calls.findLast(({ line }) => line === "POST /url/cancel");
    expect(last?.headers.get("authorization")).toBe("Bearer old");
  });
});
