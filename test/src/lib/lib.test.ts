import { describe, expect, test } from "bun:test";
import { addressSet, limitedAddress, plainAddress } from "../../../src/lib/addresses.ts";
import { Lru } from "../../../src/lib/cache.ts";
import { createLog } from "../../../src/lib/log.ts";
import { disposition, dispositionForCurl } from "../../../src/lib/mime.ts";
import { sameText } from "../../../src/lib/secret.ts";
import { createSemaphore, removeInSlices } from "../../../src/lib/turns.ts";

describe("addresses", () => {
  test("networks hold their addresses, also when written as IPv6", () => {
    const [set, wrong] = addressSet(["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]);
    expect(wrong).toEqual([]);
    for (const inside of ["10.255.0.1", "::ffff:10.0.0.1", "2001:db8::9", "192.0.2.7"])
      expect(set.has(inside)).toBe(true);
    for (const outside of ["11.0.0.1", "2001:db9::1", "192.0.2.8", "", "nonsense"])
      expect(set.has(outside)).toBe(false);
  });

  test("a visitor is limited by address, or by the network of an IPv6 subscriber", () => {
    expect(limitedAddress("::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(limitedAddress("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
    expect(limitedAddress("2001:db8:1:2::9")).toBe("2001:db8:1:2");
    expect(limitedAddress("2001:db8::9")).toBe("2001:db8:0:0");
    expect(limitedAddress("::1")).toBe("0:0:0:0");
    expect(plainAddress("::1")).toBe("::1");
  });
});

test("file names in any language reach old and new clients", () => {
  expect(disposition("inline", "a.txt")).toBe('inline; filename="a.txt"');
  expect(disposition("attachment", '报告 "1".pdf')).toBe(
    `attachment; filename="__ _1_.pdf"; filename*=UTF-8''%E6%8A%A5%E5%91%8A%20%221%22.pdf`,
  );
  const forCurl = dispositionForCurl(disposition("attachment", '报告 "1" 50%.pdf'));
  expect(Buffer.from(forCurl, "latin1").toString()).toStartWith('attachment; filename="报告 _1_ 50%.pdf"; filename*=');
  expect(dispositionForCurl(disposition("inline", "a.txt"))).toBe('inline; filename="a.txt"');
  const hostile = dispositionForCurl(disposition("attachment", "报\u202e\u009b\u0007x"));
  expect(Buffer.from(hostile, "latin1").toString()).toStartWith('attachment; filename="报___x"');
  // What others have stored stays as it is.
  for (const others of [`attachment; filename="euro.txt"; filename*=UTF-8''%e2%82%ac.txt`, "a; filename*=UTF-8''%FF"])
    expect(dispositionForCurl(others)).toBe(others);
  expect(disposition("attachment", "a\r\nb")).not.toContain("\n");
  expect(disposition("attachment", "it's (1)!*.txt")).toBe('attachment; filename="it\'s (1)!*.txt"');
});

test("the least recently used entry is forgotten first", () => {
  const lru = new Lru<string, number>(2);
  lru.set("a", 1);
  lru.set("b", 2);
  lru.get("a");
  lru.set("c", 3);
  expect([lru.get("a"), lru.get("b"), lru.get("c")]).toEqual([1, undefined, 3]);
});

test("texts are compared whole", () => {
  expect(sameText("ärger", "ärger")).toBe(true);
  expect(sameText("a", "ab")).toBe(false);
  expect(sameText("", "")).toBe(true);
});

test("a semaphore runs tasks in order, two at a time, and a long queue is refused", async () => {
  const semaphore = createSemaphore(2, 2);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const order: number[] = [];
  const runs = gates.map((gate, index) =>
    semaphore.run(async () => {
      order.push(index);
      await gate.promise;
    }),
  );
  expect(await semaphore.run(async () => undefined)).toBeUndefined();
  expect(order).toEqual([0, 1]);
  for (const gate of gates) gate.resolve();
  await Promise.all(runs);
  expect(order).toEqual([0, 1, 2, 3]);
  await expect(semaphore.run(() => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
  expect(await semaphore.run(async () => "still works")).toEqual({ result: "still works" });
});

test("what is removed in slices goes until one is not full, and lets others run in between", async () => {
  const others: string[] = [];
  let left = 7;
  const asked: number[] = [];
  const removing = removeInSlices(async (size) => {
    if (asked.length === 0) setImmediate(() => others.push("ran"));
    else expect(others).toEqual(["ran"]);
    asked.push(size);
    const slice = Math.min(size, left);
    left -= slice;
    return slice;
  }, 3);
  expect(await removing).toBe(7);
  expect(asked).toEqual([3, 3, 3]);
  expect(await removeInSlices(async () => 0, 3)).toBe(0);
});

describe("the log", () => {
  test("writes one JSON line per event, holding back what is not urgent", () => {
    const written: string[] = [];
    const log = createLog("info", (text) => void written.push(text));
    log.debug("unheard");
    log.info("held", { path: 'a"b' });
    expect(written).toEqual([]);
    log.warn("urgent");
    const lines = written
      .join("")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { event: "held", path: 'a"b' },
      { event: "urgent", level: "warn" },
    ]);
  });

  test("a request's line is JSON whatever the path is", () => {
    const written: string[] = [];
    const log = createLog("info", (text) => void written.push(text));
    log.request({ requestId: "1", method: "GET", path: '/"\\\n', status: 200, began: 0, address: "::1" });
    log.flush();
    expect(JSON.parse(written.join(""))).toMatchObject({ event: "request", path: '/"\\\n', status: 200 });
  });
});
