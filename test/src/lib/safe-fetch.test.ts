import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { type AddressPolicy, publicOnly } from "../../../src/lib/addresses.ts";
import { createSafeFetch, readSourceUrl, SourceError, type SourceLimits } from "../../../src/lib/safe-fetch.ts";
import { openRawSource, writeWithoutEnd } from "../../support/raw-source.ts";

const anywhere: AddressPolicy = { forbids: () => false };

interface Given {
  readonly policy?: AddressPolicy;
  readonly resolve?: (host: string) => readonly string[];
  readonly limits?: Partial<SourceLimits>;
}

const safe = ({ policy = anywhere, resolve = () => ["127.0.0.1"], limits }: Given = {}) =>
  createSafeFetch({
    fetch,
    policy,
    resolve: async (host) => resolve(host),
    clock: () => performance.now(),
    ...(limits && { limits }),
  });

/** What comes of a URL: its bytes, or the name of its problem. */
async function outcome(url: string, given: Given = {}, most = 1000): Promise<string> {
  try {
    const answer = await safe(given)(url, { method: "GET" });
    return `${answer.status} ${await new Response(answer.body(most)).text()}`;
  } catch (error) {
    return error instanceof SourceError ? error.problem : String(error);
  }
}

const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
const say = (text: string | Uint8Array) => (socket: Socket) => void socket.end(text);

describe("addresses", () => {
  const forbidden = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0.0.0.0",
    "0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "127。0。0。1",
    "⑫⑦.0.0.1",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2001:0:1::1]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
  ];
  test.each(forbidden)("%s is not connected to", async (host) => {
    expect(await outcome(`http://${host}/`, { policy: publicOnly })).toBe("forbidden");
  });

  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "64:ff9b::808:808"])(
    "%s may be",
    (address) => expect(publicOnly.forbids(address)).toBe(false),
  );

  test("a name is refused when one of its addresses is private", async () => {
    const resolve = () => ["8.8.8.8", "10.0.0.1"];
    expect(await outcome("http://files.test/", { policy: publicOnly, resolve })).toBe("forbidden");
  });

  test("a name that leads elsewhere at the second question is connected to as it was checked, and refused later", async () => {
    await using source = await openRawSource(say(`${head("content-length: 2", "connection: close")}ok`));
    let asked = 0;
    const policy = { forbids: (address: string) => address !== "127.0.0.1" };
    const resolve = () => (asked++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]);
    const times = [0, 0, 0, 6000, 6000, 6000];
    const get = createSafeFetch({ fetch, policy, resolve: async () => resolve(), clock: () => times.shift() ?? 6000 });
    const url = `http://files.test:${source.port}/`;
    const answer = await get(url, { method: "GET" });
    expect(await new Response(answer.body(10)).text()).toBe("ok");
    expect(asked).toBe(1);
    times.length = 0;
    await expect(get(url, { method: "GET" })).rejects.toMatchObject({ problem: "forbidden" });
    expect(source.requests).toHaveLength(1);
  });
});

describe("URLs", () => {
  test.each([
    ["ftp://files.test/a", "invalid"],
    ["file:///etc/passwd", "invalid"],
    ["data:text/plain,x", "invalid"],
    ["//files.test/a", "invalid"],
    ["files.test/a", "invalid"],
    ["", "invalid"],
    ["http://user:secret@files.test/", "invalid"],
    ["http://@:80", "invalid"],
    ["http://files.test:25/", "forbidden"],
    ["https://files.test:22/", "forbidden"],
    ["http://files.test:0/", "forbidden"],
  ])("%s is %s", (url, problem) => expect(() => readSourceUrl(url)).toThrow(problem));

  test("a fragment stays here", () => expect(readSourceUrl("https://a.test/b?c#d").href).toBe("https://a.test/b?c"));
});

describe("redirects", () => {
  const redirecting = (location: string) =>
    openRawSource(say(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`));

  test.each([
    ["http://10.0.0.1/", "forbidden"],
    ["http://169.254.169.254/latest/meta-data/", "forbidden"],
    ["http://files.test:25/", "forbidden"],
    ["file:///etc/passwd", "invalid"],
    ["http://user:secret@files.test/", "invalid"],
  ])("to %s are %s", async (location, problem) => {
    await using source = await redirecting(location);
    const policy = { forbids: (address: string) => address !== "127.0.0.1" };
    expect(await outcome(source.url, { policy })).toBe(problem);
  });

  test("without end are given up", async () => {
    await using source = await redirecting("/again");
    expect(await outcome(source.url)).toBe("redirects");
    expect(source.requests).toHaveLength(9);
  });

  test("are followed, and tell where they ended", async () => {
    await using last = await openRawSource(say(`${head("content-length: 2")}ok`));
    await using source = await redirecting(`${last.url}file.txt`);
    const answer = await safe()(source.url, { method: "GET" });
    expect(answer.url.href).toBe(`${last.url}file.txt`);
    expect(await new Response(answer.body(10)).text()).toBe("ok");
  });

  test("carry neither cookie nor credential along", async () => {
    await using last = await openRawSource(say(head("content-length: 0")));
    const first = `HTTP/1.1 302 Found\r\nset-cookie: a=b\r\nlocation: ${last.url}\r\ncontent-length: 0\r\n\r\n`;
    await using source = await openRawSource(say(first));
    await safe()(source.url, { method: "GET" });
    expect(last.requests[0]).not.toMatch(/cookie|authorization|referer/i);
  });
});

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
