import { describe, expect, test } from "bun:test";
import { PART_SIZE } from "#contract/limits";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import { fileOf, isSameAs, putFrom } from "../../support/page-servers/uploads-at.ts";
import { gives, MiB, machineOn, taskOf } from "./url-machine.ts";

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
