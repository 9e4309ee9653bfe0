import { describe, expect, test } from "bun:test";
import { createSafeFetch } from "../../../src/lib/safe-fetch.ts";
import { anywhere, head, outcome, safe, say } from "../../support/clients/safe-fetch.ts";
import { openRawSource, writeWithoutEnd } from "../../support/servers/raw-source.ts";

describe("bodies", () => {
  test.each([
    ["shorter than announced", say(`${head("content-length: 100")}short`), "broken"],
    ["chunked and cut", say(`${head("transfer-encoding: chunked")}5\r\nshort\r\n`), "broken"],
    ["longer than announced", say(`${head("content-length: 2")}ok and more`), "200 ok"],
    ["ended by the connection", say(`${head("connection: close")}ok`), "200 ok"],
    ["none", say(head("content-length: 0")), "200 "],
  ])("%s", async (_, answer, wanted) => {
    await using source = await openRawSource(answer);
    expect(await outcome(source.url)).toBe(wanted);
  });

  test("that end too early by a reset are broken", async () => {
    await using source = await openRawSource((socket) => {
      socket.write(`${head("content-length: 100")}short`, () => socket.resetAndDestroy());
    });
    expect(await outcome(source.url)).toBe("broken");
  });

  test("without end are cut off at the limit, and the source is left", async () => {
    await using source = await openRawSource((socket) => {
      socket.write(head("connection: close"));
      writeWithoutEnd(socket, new Uint8Array(100_000));
    });
    expect(await outcome(source.url, {}, 1_000_000)).toBe("tooLarge");
    while (source.open() > 0) await new Promise(setImmediate);
  });

  test("that are encoded stay so: what unpacks to more than it is unpacks elsewhere", async () => {
    const bomb = Bun.gzipSync(new Uint8Array(10_000_000));
    const first = head("content-encoding: gzip", `content-length: ${bomb.length}`);
    await using source = await openRawSource((socket) => {
      socket.write(first);
      socket.end(bomb);
    });
    const answer = await safe()(source.url, { method: "GET" });
    const bytes = await new Response(answer.body(100_000)).bytes();
    expect(bytes.length).toBe(bomb.length);
    expect(source.requests[0]).toContain("identity");
  });

  test("are not read further than their reader wants", async () => {
    let sent = 0;
    await using source = await openRawSource((socket) => {
      socket.write(head("connection: close"));
      const chunk = new Uint8Array(1 << 20);
      const go = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += 1;
        if (!socket.destroyed) socket.once("drain", go);
      };
      go();
    });
    const answer = await safe()(source.url, { method: "GET" });
    const reader = answer.body(1e12).getReader();
    await reader.read();
    const before = sent;
    for (let turn = 0; turn < 2000; turn++) await new Promise(setImmediate);
    expect(sent - before).toBeLessThan(40);
    await reader.cancel();
    while (source.open() > 0) await new Promise(setImmediate);
  });
});

describe("time", () => {
  test("a source that does not answer is late", async () => {
    await using source = await openRawSource(() => undefined);
    expect(await outcome(source.url, { limits: { answer: 100 } })).toBe("late");
    while (source.open() > 0) await new Promise(setImmediate);
  });

  test("redirects share the time of one answer", async () => {
    await using source = await openRawSource((socket) => {
      setTimeout(() => socket.end("HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n"), 60);
    });
    expect(await outcome(source.url, { limits: { answer: 150 } })).toBe("late");
    expect(source.requests.length).toBeLessThan(5);
  });

  test("a name that is never resolved is late", async () => {
    const get = createSafeFetch({
      fetch,
      policy: anywhere,
      resolve: () => new Promise(() => undefined),
      clock: () => 0,
      limits: { answer: 50 },
    });
    await expect(get("http://files.test/", { method: "GET" })).rejects.toMatchObject({ problem: "late" });
  });

  test("a body that falls silent is late", async () => {
    await using source = await openRawSource((socket) => void socket.write(`${head("content-length: 10")}ok`));
    expect(await outcome(source.url, { limits: { idle: 100 } })).toBe("late");
    while (source.open() > 0) await new Promise(setImmediate);
  });

  test("a body that drips is late", async () => {
    await using source = await openRawSource((socket) => {
      socket.write(head("connection: close"));
      const timer = setInterval(() => socket.write("x"), 5);
      socket.once("close", () => clearInterval(timer));
    });
    expect(await outcome(source.url, { limits: { idle: 5000, grace: 100, slowest: 10_000 } })).toBe("late");
  });

  test("a body that takes too long in all is late", async () => {
    await using source = await openRawSource((socket) => {
      socket.write(head("connection: close"));
      const timer = setInterval(() => socket.write("x"), 5);
      socket.once("close", () => clearInterval(timer));
    });
    expect(await outcome(source.url, { limits: { total: 100 } })).toBe("late");
  });

  test("whoever asked and goes away takes the request along", async () => {
    await using source = await openRawSource((socket) => void socket.write(`${head("content-length: 10")}ok`));
    const leave = new AbortController();
    let ended = 0;
    const answer = await safe()(source.url, { method: "GET", signal: leave.signal });
    const reading = new Response(answer.body(10, () => void ended++)).text();
    leave.abort();
    await expect(reading).rejects.toThrow();
    expect(ended).toBe(1);
    while (source.open() > 0) await new Promise(setImmediate);
  });
});

describe("answers that are none", () => {
  test.each([
    ["another protocol", say("SSH-2.0-OpenSSH_9.2\r\n")],
    ["two lengths", say(`${head("content-length: 2", "content-length: 3")}ok`)],
    ["a negative length", say(`${head("content-length: -2")}ok`)],
    ["a head without end", say("HTTP/1.1 200 OK\r\nx: y\r\n")],
    ["nothing", say("")],
  ])("%s", async (_, answer) => {
    await using source = await openRawSource(answer);
    expect(await outcome(source.url)).toBe("unreachable");
  });

  test("headers without end", async () => {
    await using source = await openRawSource((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      writeWithoutEnd(socket, `x: ${"y".repeat(1000)}\r\n`);
    });
    expect(await outcome(source.url)).toBe("unreachable");
    while (source.open() > 0) await new Promise(setImmediate);
  });
});
