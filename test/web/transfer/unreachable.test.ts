import { describe, expect, test } from "bun:test";
import { PARTS_AT_ONCE } from "#contract/limits";
import { failed } from "../../../web/transfer/failures.ts";
import type { Put } from "../../../web/transfer/ports.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import {
  createTestMemory,
  fileOf,
  isSameAs,
  largeFile,
  PARTS,
  putFrom,
  reaches,
  row,
  uploadsAt,
} from "../../support/page-servers/uploads-at.ts";
import { came, kinds, sending, serverWithStorage } from "./elsewhere.ts";
import { first, firstVisit } from "./first-visit.ts";

describe("a storage that this browser cannot reach", () => {
  test.each(kinds)(
    "gets a file %s through the server, which the row says, and is remembered",
    async (_, make, count) => {
      await using server = serverWithStorage({ provider: "Backblaze B2" });
      server.storage.setRules({ preflight: false });
      const gate = Promise.withResolvers<undefined>();
      server.onPut(() => gate.promise);
      const file = make();
      const here = sending(server, file);
      await reaches(here, "a", { relayed: true });
      expect(here.item()).toMatchObject({ state: "uploading", sent: 0, waiting: undefined, failure: undefined });
      gate.resolve(undefined);
      await reaches(here, "a", { state: "completed", relayed: true });
      expect([came(server), here.clock.slept]).toEqual([[0, count], []]);
      expect(server.puts[0]?.headers.has("x-bz-content-sha1")).toBe(false);
      expect(await isSameAs(server.bytes("mine"), file)).toBe(true);

      const asked = server.storage.requests();
      here.uploads.add([fileOf("b", 10), largeFile("c")]);
      here.uploads.start({ storageId: "cloud" });
      await here.clock.until(() => here.uploads.totals.get().completed === 3);
      expect(server.storage.requests()).toBe(asked);
    },
  );

  test.each(kinds)("is tried anew (%s) once storages were changed", async (_, make, count) => {
    await using server = serverWithStorage();
    server.storage.setRules({ preflight: false });
    const here = sending(server, fileOf("first", 10));
    await reaches(here, "first", { state: "completed", relayed: true });
    server.storage.setRules({ preflight: true });
    here.uploads.reconsider();
    here.uploads.add([make()]);
    here.uploads.start({ storageId: "cloud" });
    await reaches(here, "a", { state: "completed", relayed: false });
    expect(came(server)).toEqual([count, 1]);
  });

  test("stands for itself: another one behind the same address is asked", async () => {
    await using server = serverWithStorage();
    server.storage.setRules({ preflight: false });
    const here = sending(server, fileOf("a", 10));
    await reaches(here, "a", { state: "completed" });
    server.storage.setRules({ preflight: true });
    here.uploads.add([fileOf("b", 10)]);
    here.uploads.start({ storageId: "other" });
    await reaches(here, "b", { state: "completed" });
    expect([row(here.uploads, "b").relayed, came(server)]).toEqual([false, [1, 1]]);
  });

  test("may take the bytes and hide its answer", async () => {
    await using server = serverWithStorage();
    server.storage.setRules({ answers: false });
    const here = sending(server, fileOf("a", 10));
    await reaches(here, "a", { state: "completed" });
    expect([came(server), here.item().sent]).toEqual([[1, 1], 10]);
  });

  test("is not even asked by a page that is https when it is http", async () => {
    await using server = serverWithStorage();
    const here = sending(server, fileOf("a", 10), { secure: true });
    here.uploads.add([largeFile("b")]);
    here.uploads.start({ storageId: "cloud" });
    await here.clock.until(() => here.uploads.totals.get().completed === 2);
    expect([server.storage.requests(), came(server)]).toEqual([0, [0, 1 + PARTS]]);
  });

  test.each(kinds)(
    "swallows what is sent (%s): after half a minute without a byte it is gone round",
    async (_, make, count) => {
      await using server = serverWithStorage();
      let hanging = 0;
      const put: Put = (request) => {
        if (request.url.startsWith(server.base)) return putFrom(server.base)(request);
        hanging += 1;
        const { promise, reject } = Promise.withResolvers<never>();
        request.signal.addEventListener("abort", () => {
          hanging -= 1;
          reject(failed("aborted"));
        });
        return promise;
      };
      const here = sending(server, make(), { put });
      await here.clock.until(() => hanging === Math.min(count, PARTS_AT_ONCE));
      expect(here.item().relayed).toBe(false);
      // One more may have begun before anybody knew.
      const stands = () => hanging > 0 && (server.puts.length === 0 || server.puts.length + hanging === count);
      while (here.item().state === "uploading") {
        if (stands() && server.inFlight() === 0) here.clock.advance(15_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await reaches(here, "a", { state: "completed", relayed: true });
    },
  );

  test("costs no count of what was sent in vain", async () => {
    await using server = serverWithStorage();
    const gate = Promise.withResolvers<void>();
    const put: Put = async (request) => {
      request.onProgress(400);
      if (!request.url.startsWith(server.base)) throw failed("network");
      await gate.promise;
      return putFrom(server.base)(request);
    };
    const here = sending(server, fileOf("a", 1000), { put });
    await reaches(here, "a", { relayed: true, sent: 400 });
    here.clock.advance(1000);
    expect(here.item()).toMatchObject({ sent: 400, secondsLeft: 600 / here.item().speed });
    gate.resolve();
    await reaches(here, "a", { state: "completed", sent: 1000 });
  });

  test("is gone round through pauses, failures and retries", async () => {
    await using server = serverWithStorage();
    server.storage.setRules({ preflight: false });
    server.onPut(({ part }) => (part === 4 ? new Response(null, { status: 500 }) : undefined));
    const here = sending(server, largeFile("a"));
    await here.clock.until(() => server.puts.length >= 2);
    here.uploads.pause(here.item().id);
    expect(here.item()).toMatchObject({ state: "paused", relayed: true });
    here.uploads.resume(here.item().id);
    await reaches(here, "a", { state: "failed" });
    const asked = server.storage.requests();
    server.onPut(() => undefined);
    here.uploads.retry(here.item().id);
    await reaches(here, "a", { state: "completed", relayed: true });
    expect([server.storage.requests(), came(server)[0]]).toEqual([asked, 0]);
    expect(await isSameAs(server.bytes("mine"), largeFile("a"))).toBe(true);
  });

  test("gets the rest of what an earlier visit began through the server", async () => {
    await using server = serverWithStorage();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    server.storage.setRules({ preflight: false });
    const here = uploadsAt(server.base, { memory, put: putFrom(server.base) });
    await here.uploads.recall();
    here.uploads.add([largeFile()]);
    here.uploads.start(first);
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.parts().toSorted()).toEqual([3, 4, 5, 6, 7]);
    expect(row(here.uploads, "large.bin")).toMatchObject({ relayed: true, continues: true });
    expect(await isSameAs(server.bytes("mine"), largeFile())).toBe(true);
  });

  test.each(kinds)("keeps nothing of a file %s that is given up on its way", async (_, make) => {
    await using server = serverWithStorage();
    server.storage.setRules({ preflight: false });
    server.onPut(() => new Promise(() => undefined));
    const here = sending(server, make());
    await here.clock.until(() => server.inFlight() > 0);
    await here.uploads.cancel(here.item().id);
    expect([here.item().state, server.stored()]).toEqual(["aborted", []]);
  });
});

test.each(kinds)(
  "a server that calls itself otherwise is no storage elsewhere (%s): there is no other way",
  async (_, make) => {
    await using server = uploadServer();
    const put: Put = () => Promise.reject(failed("network"));
    const here = sending(server, make(), { put, home: "http://known-as.example" });
    await reaches(here, "a", { state: "failed" });
    expect(here.item()).toMatchObject({ relayed: false, canRetry: true });
  },
);
