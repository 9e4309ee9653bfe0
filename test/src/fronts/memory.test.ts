import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createMemory } from "../../../src/fronts/memory.ts";
import { startServer, type TestServer } from "../../support/server.ts";

const MiB = 1024 ** 2;

/** The most memory that a process has had so far, in MiB (proc(5), VmHWM). */
const peakOf = ({ pid }: TestServer): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

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
  socket.once("data", (bytes) => {
    socket.pause();
    resolve(bytes.toString("latin1", 0, status.length));
  });
  expect(await promise).toBe(status);
  return socket;
}

async function authorization({ address, adminPassword }: TestServer): Promise<string> {
  const body = JSON.stringify({ username: "admin", password: adminPassword });
  const answer = await fetch(`${address}/api/admin/login`, { method: "POST", body });
  const { data } = (await answer.json()) as { data: { token: string } };
  return `Bearer ${data.token}`;
}

const times = async (count: number, make: () => Promise<Socket>): Promise<Disposable> => {
  const sockets = await Promise.all(Array.from({ length: count }, make));
  return {
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};

describe("memory is bounded", () => {
  // Forty bodies took 1,200 MiB, and eighty texts 900.
  const BOUND = 650;
  // 120 readers of a folder of 12,000 files took 700 and 1,400 MiB.
  const LISTED = 500;

  test.each([
    ["a declared length", (size: number) => `Content-Length: ${size}\r\n\r\n`],
    ["chunks", (size: number) => `Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`],
  ])("while large bodies with %s do not end", async (_, framing) => {
    await using server = await startServer();
    const size = 30 * MiB;
    const head = `POST /api/paste HTTP/1.1\r\nHost: satchel.test\r\nAuthorization: ${await authorization(server)}\r\n`;
    const most = Buffer.alloc(size - 1024, '"');
    const before = peakOf(server);
    using _connections = await times(40, () => send(server, head + framing(size), most));
    expect((await fetch(`${server.address}/api/health`)).status).toBe(200);
    expect(peakOf(server) - before).toBeLessThan(BOUND);
  });

  test("while nobody reads large texts", async () => {
    await using server = await startServer();
    const body = JSON.stringify({ content: "x".repeat(10 * MiB), slug: "large" });
    const headers = { authorization: await authorization(server) };
    expect((await fetch(`${server.address}/api/paste`, { method: "POST", headers, body })).status).toBe(201);
    const before = peakOf(server);
    for (const path of ["/api/raw/large", "/api/paste/large"]) {
      const head = `GET ${path} HTTP/1.1\r\nHost: satchel.test\r\n\r\n`;
      using _connections = await times(80, () => begin(server, head));
    }
    expect(peakOf(server) - before).toBeLessThan(BOUND);
    for (const path of ["/api/raw/large", "/api/paste/large"])
      expect((await (await fetch(server.address + path)).bytes()).byteLength).toBeGreaterThanOrEqual(10 * MiB);
  });

  test.each([
    ["by WebDAV", "PROPFIND /dav/drive/many/ HTTP/1.1\r\nDepth: 1\r\n", "HTTP/1.1 207 Mul"],
    ["by the API", "GET /api/fs/list?path=/drive/many/ HTTP/1.1\r\n", "HTTP/1.1 200 OK"],
  ])("while nobody reads what is in a large folder %s", async (_, head, status) => {
    await using server = await startServer();
    const folder = join(server.dataDir, "objects", "drive", "many");
    mkdirSync(folder, { recursive: true });
    for (let count = 0; count < 12_000; count++) writeFileSync(join(folder, `${count}${"-".repeat(200)}`), "");
    const token = await authorization(server);
    const { address, adminPassword } = server;
    const basic = `Basic ${btoa(`admin:${adminPassword}`)}`;
    const credential = head.startsWith("GET") ? token : basic;
    const whole = `${head}Host: satchel.test\r\nAuthorization: ${credential}\r\n\r\n`;
    (await begin(server, whole, status)).destroy();
    const before = peakOf(server);
    using _connections = await times(120, () => begin(server, whole, status));
    expect((await fetch(`${address}/api/health`)).status).toBe(200);
    expect(peakOf(server) - before).toBeLessThan(LISTED);
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

  const open = () => createMemory({ temporary: () => Promise.reject(new Error("no file")), total: 100, share: 60 });
  const turn = async () => {
    for (let count = 0; count < 20; count++) await Promise.resolve();
  };

  test("waits until others have given theirs back, in order", async () => {
    const memory = open();
    const [one, two, three] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(memory.open);
    await one?.take(60);
    await two?.take(30);
    const waiting = two?.take(20);
    const behind = three?.take(15);
    await turn();
    expect([waiting, behind].map((one) => one && Bun.peek.status(one))).toEqual(["pending", "pending"]);
    one?.release();
    await Promise.all([waiting, behind]);
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
    const [one, again, other] = ["192.0.2.1", "192.0.2.1", "2001:db8::1"].map(memory.open);
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
