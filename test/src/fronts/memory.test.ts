import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { readBytes } from "../../../src/fronts/body.ts";
import { createMemory } from "../../../src/fronts/memory/memory.ts";
import { textAnswer } from "../../../src/lib/counting.ts";
import { signIn } from "../../support/clients/sign-in.ts";
import { askAndNotRead, bytesTakenUnread } from "../../support/clients/slow-readers.ts";
import { startServer, type TestServer } from "../../support/server.ts";

const MiB = 1024 ** 2;

/** The most memory that a process has had so far, in MiB (proc(5), VmHWM). */
const peakOf = ({ pid }: TestServer): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Lets the most memory of a process be counted anew, from what it has now (proc(5), clear_refs). */
const forgetPeak = ({ pid }: TestServer): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");

/** Sends a request whose answer nobody reads; settles when the system has taken the bytes. */
function send({ address }: TestServer, ...bytes: readonly (string | Uint8Array)[]): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  // Whoever cuts a connection meets its errors too.
  socket.on("error", () => undefined);
  const [last = "", ...before] = [...bytes].reverse();
  for (const piece of before.reverse()) socket.write(piece);
  return new Promise((resolve) => void socket.write(last, () => resolve(socket)));
}

/** As `send`; settles when the answer begins, of which no more is read. */
async function begin(server: TestServer, head: string, status = "HTTP/1.1 200 OK"): Promise<Socket> {
  const socket = await send(server, head);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1", 0, status.length);
    if (text.length < status.length) return;
    socket.pause();
    resolve(text.slice(0, status.length));
  });
  socket.on("close", () => resolve(text));
  expect(await promise).toBe(status);
  return socket;
}

const authorization = async ({ address, adminPassword }: TestServer) =>
  `Bearer ${await signIn(address, adminPassword)}`;

/** Connections that are opened one after the other, so many at once: fewer than have to wait for memory. */
async function inWaves(waves: number, atOnce: number, make: () => Promise<Socket>): Promise<Disposable> {
  const connections = new DisposableStack();
  for (let wave = 0; wave < waves; wave++) {
    const sockets = await Promise.all(Array.from({ length: atOnce }, make));
    for (const socket of sockets) connections.defer(() => void socket.destroy());
  }
  return connections;
}

/** Waves behind the first one, which a server may take memory for: what it leaves to the collector is as much for one as for many. */
const WAVES = 8;

/**
 * Requires that a server does not hold what all connections behind the first wave have sent or asked for, each so many bytes: 0.6 of it are
 * less than it takes to hold them, and twice what a server takes that does not.
 */
async function demandNotHeld(
  server: TestServer,
  { atOnce, bytes }: { atOnce: number; bytes: number },
  make: () => Promise<Socket>,
): Promise<void> {
  forgetPeak(server);
  using _first = await inWaves(1, atOnce, make);
  const before = peakOf(server);
  using _others = await inWaves(WAVES, atOnce, make);
  expect((await fetch(`${server.address}/api/health`)).status).toBe(200);
  expect(peakOf(server) - before).toBeLessThan((0.6 * WAVES * atOnce * bytes) / MiB);
}

describe("memory is bounded", () => {
  // 1,500 readers of a text of 120 kB took 180 MiB.
  const UNREAD = 130;

  test.each([
    ["a declared length", (size: number) => `Content-Length: ${size}\r\n\r\n`],
    ["chunks", (size: number) => `Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`],
  ])("while large bodies with %s do not end", async (_, framing) => {
    await using server = await startServer();
    const bytes = 20 * MiB;
    const head = `POST /api/paste HTTP/1.1\r\nHost: satchel.test\r\nAuthorization: ${await authorization(server)}\r\n`;
    const most = Buffer.alloc(bytes - 1024, '"');
    await demandNotHeld(server, { atOnce: 2, bytes }, () => send(server, head + framing(bytes), most));
  });

  test("while nobody reads large texts", async () => {
    await using server = await startServer();
    const bytes = 10 * MiB;
    const body = JSON.stringify({ content: "x".repeat(bytes), slug: "large" });
    const headers = { authorization: await authorization(server) };
    expect((await fetch(`${server.address}/api/paste`, { method: "POST", headers, body })).status).toBe(201);
    for (const path of ["/api/raw/large", "/api/paste/large"]) {
      const head = `GET ${path} HTTP/1.1\r\nHost: satchel.test\r\n\r\n`;
      await demandNotHeld(server, { atOnce: 3, bytes }, () => begin(server, head));
      expect((await (await fetch(server.address + path)).bytes()).byteLength).toBeGreaterThanOrEqual(bytes);
    }
  });

  test.each([
    ["by WebDAV", "PROPFIND", "/dav/drive/many/", "HTTP/1.1 207 Mul"],
    ["by the API", "GET", "/api/fs/list?path=/drive/many/", "HTTP/1.1 200 OK"],
  ])("while nobody reads what is in a large folder %s", async (_, method, path, status) => {
    await using server = await startServer();
    const folder = join(server.dataDir, "objects", "drive", "many");
    mkdirSync(folder, { recursive: true });
    for (let count = 0; count < 9000; count++) writeFileSync(join(folder, `${count}${"-".repeat(200)}`), "");
    const basic = `Basic ${btoa(`admin:${server.adminPassword}`)}`;
    const headers = { authorization: method === "GET" ? await authorization(server) : basic, depth: "1" };
    const { byteLength: bytes } = await (await fetch(server.address + path, { method, headers })).bytes();
    const head = `${method} ${path} HTTP/1.1\r\nHost: satchel.test\r\nDepth: 1\r\nAuthorization: ${headers.authorization}\r\n\r\n`;
    await demandNotHeld(server, { atOnce: 4, bytes }, () => begin(server, head, status));
  });

  test("while nobody reads many answers that are not long", async () => {
    await using server = await startServer({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    const { address } = server;
    const port = Number(new URL(address).port);
    const headers = { authorization: await authorization(server) };
    const bytes = 120_000;
    const body = JSON.stringify({ content: "x".repeat(bytes), slug: "short" });
    expect((await fetch(`${address}/api/paste`, { method: "POST", headers, body })).status).toBe(201);
    // A system that takes such an answer as a whole leaves nothing to be bounded.
    const refusal = (await bytesTakenUnread()) < bytes ? 503 : 200;
    const before = peakOf(server);
    const from = (client: string) => ({ headers: { "x-forwarded-for": client } });
    {
      const head = "GET /api/raw/short HTTP/1.1\r\nHost: satchel.test\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n";
      using connections = askAndNotRead(port, head, 1500);
      expect(peakOf(server) - before).toBeLessThan(UNREAD);
      expect(new Set(connections.statuses)).toEqual(new Set(["200", `${refusal}`]));
      expect((await fetch(`${address}/api/raw/short`, from("192.0.2.1"))).status).toBe(refusal);
      expect((await fetch(`${address}/api/raw/short`, from("192.0.2.2"))).status).toBe(200);
    }
    while ((await fetch(`${address}/api/raw/short`, from("192.0.2.1"))).status !== 200) await new Promise(setImmediate);
  });

  test("and a body that was given up leaves no file", async () => {
    await using server = await startServer();
    const incoming = join(server.dataDir, "objects", ".incoming");
    const head = `POST /api/paste HTTP/1.1\r\nHost: satchel.test\r\nAuthorization: ${await authorization(server)}\r\n`;
    const socket = await send(server, `${head}Content-Length: ${9 * MiB}\r\n\r\n`, Buffer.alloc(8 * MiB, '"'));
    expect(readdirSync(incoming).length).toBe(1);
    socket.resetAndDestroy();
    while (readdirSync(incoming).length > 0) await new Promise(setImmediate);
  });
});

describe("a request that wants more memory than there is", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const noEnd = () => undefined;
  const open = (elapsed = () => 0) =>
    createMemory({ temporary: () => Promise.reject(new Error("no file")), total: 100, share: 60, elapsed });
  const turn = async () => {
    for (let count = 0; count < 20; count++) await Promise.resolve();
  };

  test("waits until others have given theirs back, in order", async () => {
    const memory = open();
    const [one, two, three] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((one) => memory.open(one));
    await one?.take(60);
    await two?.take(30);
    const waiting = two?.take(20);
    const behind = three?.take(15);
    await turn();
    expect([waiting, behind].map((one) => one && Bun.peek.status(one))).toEqual(["pending", "pending"]);
    one?.release();
    await Promise.all([waiting, behind]);
  });

  test("waits for what is made while it is read, too, as that grows", async () => {
    const memory = open();
    const gone = new AbortController();
    const made = await memory.open("192.0.2.1").hold(10, gone.signal, noEnd);
    await made.take(20);
    const waiting = memory.open("192.0.2.2").hold(30, new AbortController().signal, noEnd);
    await turn();
    expect(Bun.peek.status(waiting)).toBe("pending");
    gone.abort();
    await waiting;
  });

  test("waits for none of those who take their time, unless it takes its time itself", async () => {
    const memory = open();
    const gone = [new AbortController(), new AbortController()] as const;
    const [first, second] = gone.map(({ signal }, at) => memory.open(`192.0.2.${at}`).hold(60, signal, noEnd));
    const sending = memory.open("192.0.2.3").takeLong(30);
    const soon = memory.open("192.0.2.4").take(60);
    await turn();
    const states = [first, second, sending, soon].map(
      (one: Promise<unknown> | undefined) => one && Bun.peek.status(one),
    );
    expect(states).toEqual(["fulfilled", "pending", "pending", "fulfilled"]);
    gone[0].abort();
    await second;
    await turn();
    expect(Bun.peek.status(sending)).toBe("pending");
    gone[1].abort();
    await sending;
  });

  test("ends the slowest archive of somebody who holds more, and goes before others of theirs", async () => {
    let now = 0;
    const memory = open(() => now);
    const ended: string[] = [];
    const read = async (address: string, name: string) => {
      const answer = await memory.open(address).hold(10, new AbortController().signal, () => {
        ended.push(name);
        answer.release();
      });
      return answer;
    };
    const all = [];
    for (const address of ["192.0.2.1", "192.0.2.2"])
      for (const name of ["a", "b", "c"])
        if (address === "192.0.2.1" || name !== "c") all.push(await read(address, `${address} ${name}`));
    const behind = read("192.0.2.2", "behind");
    for (const one of [0, 2, 3, 4]) all[one]?.sent(1000);
    await turn();
    const waiting = read("192.0.2.3", "waiting");
    await turn();
    expect(ended).toEqual([]);
    now = 5000;
    jest.advanceTimersByTime(1000);
    await waiting;
    expect(ended).toEqual(["192.0.2.1 b"]);
    // Nobody holds more than one who has two would have with a third.
    jest.advanceTimersByTime(20_000);
    await turn();
    expect([ended.length, Bun.peek.status(behind)]).toEqual([1, "pending"]);
    all[0]?.release();
    await behind;
  });

  test("ends the only archive of nobody, however large it is", async () => {
    let now = 0;
    const memory = open(() => now);
    let ended = 0;
    for (const [address, bytes] of [
      ["192.0.2.1", 30],
      ["192.0.2.2", 20],
    ] as const)
      await memory.open(address).hold(bytes, new AbortController().signal, () => void ended++);
    now = 10_000;
    const waiting = memory.open("192.0.2.3").hold(10, new AbortController().signal, noEnd);
    const refused = waiting.catch((error: Error) => error.message);
    await turn();
    jest.advanceTimersByTime(30_001);
    expect([await refused, ended]).toEqual(["server.busy", 0]);
  });

  test("gives back what it took when it waits in vain for more", async () => {
    const memory = open();
    const [held, other] = [memory.open("192.0.2.1"), memory.open("192.0.2.2")];
    await Promise.all([held.take(60), other.take(40)]);
    const waiting = memory.open("192.0.2.3").hold(30, new AbortController().signal, noEnd);
    const refused = waiting.catch((error: Error) => error.message);
    await turn();
    jest.advanceTimersByTime(30_001);
    expect(await refused).toBe("server.busy");
    for (const one of [held, other]) one.release();
    await memory.open("192.0.2.4").hold(30, new AbortController().signal, noEnd);
  });

  test("holds a long text where the disk is full for as long as its reader may take", async () => {
    const bytes = 1024 * 1024;
    const full = () => Promise.reject(new Failure("storage.full"));
    const memory = createMemory({ temporary: full, total: 4 * bytes, share: 2 * bytes });
    const reader = { address: "192.0.2.1", accepted: null };
    const answer = await memory.settle(textAnswer("x".repeat(bytes), {}), reader);
    expect(await answer.text()).toHaveLength(bytes);
    jest.advanceTimersByTime(254_000);
    const waiting = memory.open("192.0.2.1").takeLong(bytes);
    await turn();
    expect(Bun.peek.status(waiting)).toBe("pending");
    jest.advanceTimersByTime(1000);
    await waiting;
  });

  test("gives back what it took for a long text that neither the disk nor the memory has room for", async () => {
    const bytes = 1024 * 1024;
    const full = () => Promise.reject(new Failure("storage.full"));
    const memory = createMemory({ temporary: full, total: 4 * bytes, share: 2 * bytes });
    const others = [memory.open("192.0.2.2"), memory.open("192.0.2.3")];
    for (const one of others) await one.take(2 * bytes);
    const settled = memory.settle(textAnswer("x".repeat(bytes), {}), { address: "192.0.2.1", accepted: null });
    const refused = Promise.resolve(settled).catch((error: Error) => error.message);
    await turn();
    jest.advanceTimersByTime(30_001);
    expect(await refused).toBe("server.busy");
    for (const one of others) one.release();
    const next = memory.open("192.0.2.1").takeLong(bytes);
    await turn();
    expect(Bun.peek.status(next)).toBe("fulfilled");
  });

  test("and in vain after a while", async () => {
    const memory = open();
    const [one, two] = [memory.open("192.0.2.1"), memory.open("192.0.2.2")];
    await one.take(60);
    const waiting = two.take(50).catch((error: Error) => error.message);
    jest.advanceTimersByTime(30_001);
    expect(await waiting).toBe("server.busy");
    one.release();
    await two.take(60);
  });

  test("waits for its own client alone when that has its share", async () => {
    const memory = open();
    const [one, again, other] = ["192.0.2.1", "192.0.2.1", "2001:db8::1"].map((one) => memory.open(one));
    await one?.take(50);
    const waiting = again?.take(20);
    await other?.take(40);
    await turn();
    expect(waiting && Bun.peek.status(waiting)).toBe("pending");
    other?.release();
    await turn();
    expect(waiting && Bun.peek.status(waiting)).toBe("pending");
    one?.release();
    await waiting;
  });

  test("gets as much as one client may have when it asks for more", async () => {
    const memory = open();
    const [one, other] = [memory.open("192.0.2.1"), memory.open("192.0.2.2")];
    await one.take(1000);
    await other.take(40);
    one.release();
  });
});

test("a body that comes in pieces counts among what clients take their time with", async () => {
  const taken: number[] = [];
  const refuse = async () => Promise.reject(new Error("not asked"));
  const takeLong = async (more: number) => void taken.push(more);
  const memory = Object.assign(createMemory({ temporary: refuse }).open("192.0.2.1"), { take: refuse, takeLong });
  const body = new Blob(["x".repeat(20_000)]).stream();
  const context = { length: undefined, memory };
  expect((await readBytes(new Response(body), context, 30_000)).byteLength).toBe(20_000);
  expect(taken.reduce((sum, more) => sum + more, 0)).toBe(20_000);
});
