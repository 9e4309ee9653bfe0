import { describe, expect, test } from "bun:test";
import { PART_SIZE, TRANSFER_PATIENCE } from "#contract/limits";
import { failed } from "../../../web/transfer/failures.ts";
import type { OpenUrl } from "../../../web/transfer/from-url/download.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import { fileOf, isSameAs } from "../../support/page-servers/uploads-at.ts";
import { answerOf, gives, MiB, machineOn, taskOf } from "./url-machine.ts";

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
