import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { files } from "#contract/files";
import { PART_SIZE } from "#contract/limits";
import { uploads } from "#contract/uploads";
import { slowBody } from "../../../../../support/clients/slow-body.ts";
import { listen, openConnection, putHead } from "../../../../../support/servers/listening.ts";
import { ask, commit, presign, put } from "../../../../../support/share-file.ts";
import { minutes } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../../../../../support/test-house.ts";
import { until } from "../../../../../support/until.ts";

const octets = "application/octet-stream";
const halves = ["one piece", "parts"] as const;
type Way = (typeof halves)[number];

/** A house that is reached over the wire, where lengths and broken connections exist. */
async function openWire(options: TestHouseOptions = {}) {
  const house = await openTestHouse(options);
  const server = listen(house, { tellsConnections: true });
  const at = (slug: string, query = "") => `${server.address}/api/file-download/${slug}${query}`;
  return {
    house,
    port: server.port,
    get: (slug: string, query = "", headers: Record<string, string> = {}) => fetch(at(slug, query), { headers }),
    head: (slug: string, query = "") => fetch(at(slug, query), { method: "HEAD" }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}
type Wire = Awaited<ReturnType<typeof openWire>>;

/** Waits until something of a file can be read. */
async function readable({ head }: Wire, slug: string, query = ""): Promise<void> {
  await until(
    async () => (await head(slug, query)).status,
    (status) => status === 200,
  );
}

/** A sender who has sent the first half of a file. */
interface Sender {
  readonly file_id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The length of the first half. */
  readonly half: number;
  /** Sends the rest and finishes; answers the status. */
  finish(): Promise<number>;
  /** Goes without a word, or gives up what is in parts, whose sender may come back. */
  leave(): Promise<void>;
}

const bytesOf = (size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 8)) & 255;
  return bytes;
};

async function inOnePiece({ house, port }: Wire, slug: string, fields: object): Promise<Sender> {
  const bytes = bytesOf(100_000);
  const half = 40_000;
  const { data } = await presign(house, { slug, filename: "a.bin", size: bytes.length, ...fields });
  const connection = await openConnection(port);
  const length = { "content-type": octets, "content-length": String(bytes.length) };
  await connection.send(putHead(data.upload_url, length));
  await connection.send(bytes.subarray(0, half));
  return {
    ...{ file_id: data.file_id, bytes, half },
    async finish() {
      await connection.send(bytes.subarray(half));
      expect(await connection.answer()).toStartWith("HTTP/1.1 200");
      connection[Symbol.dispose]();
      return (await commit(house, data.file_id)).status;
    },
    leave: () => connection.cut(),
  };
}

async function inParts({ house }: Wire, slug: string, fields: object): Promise<Sender> {
  const bytes = bytesOf(PART_SIZE + 1000);
  const body = { slug, filename: "a.bin", size: bytes.length, part_size: PART_SIZE, ...fields };
  const { file_id, upload_id, presigned_urls: urls } = (await ask(house, uploads.begin, { body })).data;
  const send = async (partNumber: 1 | 2) => {
    const part = bytes.slice((partNumber - 1) * PART_SIZE, partNumber * PART_SIZE);
    const { status, headers } = await put(house, urls[partNumber - 1]?.url ?? "", part, octets);
    expect(status).toBe(200);
    return { partNumber, etag: headers.get("etag") ?? "" };
  };
  const first = await send(1);
  return {
    ...{ file_id, bytes, half: PART_SIZE },
    finish: async () =>
      (await ask(house, uploads.complete, { body: { file_id, upload_id, parts: [first, await send(2)] } })).status,
    leave: async () => void (await ask(house, uploads.abort, { body: { file_id, upload_id } })),
  };
}

const send = (wire: Wire, way: Way, slug: string, fields: object = {}): Promise<Sender> =>
  (way === "parts" ? inParts : inOnePiece)(wire, slug, fields);

/** Reads so many bytes of an answer and leaves the rest; the answer goes on. */
async function readSome(response: Response, count: number) {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let read = 0; read < count; ) {
    const next = await reader?.read();
    if (!next?.value) throw new Error(`There are ${read} bytes and no more.`);
    chunks.push(next.value);
    read += next.value.byteLength;
  }
  return {
    bytes: Buffer.concat(chunks),
    leave: async () => await reader?.cancel(),
    /** All that follows. */
    async rest(): Promise<Uint8Array> {
      for (let next = await reader?.read(); next?.value; next = await reader?.read()) chunks.push(next.value);
      return Buffer.concat(chunks);
    },
  };
}

/** How much has come of the file of the share "early", as its page is told it. */
async function received({ house }: Wire): Promise<number | undefined> {
  house.clock.advance(1001);
  const { data } = (await (await house.request("/api/public/files/early?peek=1")).json()) as PeekAnswer;
  return data?.received;
}

interface PeekAnswer {
  readonly data?: { readonly received?: number };
}

/** How many files below a folder this process has open. */
const openFiles = (folder: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(realpathSync(folder));
    } catch {
      // It was closed since.
      return false;
    }
  }).length;

const remove = (house: TestHouse, id: string) => ask(house, files.remove, { body: { ids: [id], delete_mode: "both" } });

describe.each(halves)("a share that comes in %s", (way) => {
  test("is read while it comes, and ends when it is whole", async () => {
    await using wire = await openWire();
    const sender = await send(wire, way, "early");
    await readable(wire, "early");
    const response = await wire.get("early");
    expect([response.status, response.headers.get("cache-control"), response.headers.get("etag")]).toEqual([
      200,
      "no-store",
      null,
    ]);
    const reading = await readSome(response, sender.half);
    expect(reading.bytes.equals(sender.bytes.subarray(0, sender.half))).toBe(true);
    expect(await sender.finish()).toBe(200);
    expect(Buffer.compare(await reading.rest(), sender.bytes)).toBe(0);
    // Now it is a file like any other.
    const later = await wire.get("early", "", { range: "bytes=1-2" });
    expect([later.status, later.headers.get("etag")]).toEqual([206, expect.any(String)]);
  });

  test("tells HEAD the size that was declared, and lets who wants a range or a condition wait", async () => {
    await using wire = await openWire();
    const sender = await send(wire, way, "early", { max_views: 2 });
    await readable(wire, "early");
    const head = await wire.head("early");
    expect([head.headers.get("content-length"), head.headers.get("accept-ranges")]).toEqual([
      String(sender.bytes.length),
      "none",
    ]);
    for (const [name, value] of [
      ["range", "bytes=0-1"],
      ["if-none-match", '"x"'],
    ] as const) {
      const { status, headers: answered } = await wire.get("early", "", { [name]: value });
      expect([status, answered.get("retry-after")]).toEqual([503, "5"]);
    }
    expect(await sender.finish()).toBe(200);
    expect((await wire.get("early")).headers.get("content-length")).toBe(String(sender.bytes.length));
    expect((await wire.get("early")).status).toBe(200);
    expect((await wire.get("early")).status).toBe(410);
  });

  test("has come for who waits on its page, also when others have used up its views, and is gone there", async () => {
    await using wire = await openWire();
    const sender = await send(wire, way, "early", { max_views: 1 });
    await readable(wire, "early");
    const told = (await wire.house.request("/api/shares/early/events")).text();
    const reading = await readSome(await wire.get("early"), sender.half);
    wire.house.clock.advance(1001);
    expect(await sender.finish()).toBe(200);
    expect(Buffer.compare(await reading.rest(), sender.bytes)).toBe(0);
    wire.house.clock.advance(1001);
    expect(await told).toEndWith(
      `data: {"state":"ready","received":${sender.bytes.length},"size":${sender.bytes.length}}\n\n`,
    );
    expect((await wire.house.request("/api/public/files/early?peek=1")).status).toBe(410);
  });

  test("breaks off when its sender goes", async () => {
    await using wire = await openWire();
    const sender = await send(wire, way, "early");
    await readable(wire, "early");
    const reading = await readSome(await wire.get("early"), sender.half);
    await sender.leave();
    await expect(reading.rest()).rejects.toThrow();
  });

  test("breaks off when it is deleted meanwhile", async () => {
    await using wire = await openWire();
    const { file_id, half } = await send(wire, way, "early");
    await readable(wire, "early");
    const reading = await readSome(await wire.get("early"), half);
    expect((await remove(wire.house, file_id)).data).toMatchObject({ success: 1 });
    await expect(reading.rest()).rejects.toThrow();
    expect((await wire.get("early")).status).toBe(404);
  });

  test("keeps its slug while it comes, also from another file of its owner", async () => {
    await using wire = await openWire();
    const sender = await send(wire, way, "early");
    await readable(wire, "early");
    const reading = await readSome(await wire.get("early"), sender.half);
    const headers = { authorization: `Bearer ${await wire.house.signIn()}` };
    const over = await wire.house.request("/api/upload-direct/b.txt?slug=early&override=true", {
      ...{ method: "PUT", body: "other", headers },
    });
    expect(over.status).toBe(409);
    expect(await sender.finish()).toBe(200);
    expect(Buffer.compare(await reading.rest(), sender.bytes)).toBe(0);
  });

  test("with one view goes to one of two who read it early", async () => {
    await using wire = await openWire();
    const sender = await send(wire, way, "early", { max_views: 1 });
    await readable(wire, "early");
    const both = await Promise.all([wire.get("early"), wire.get("early")]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    expect(await sender.finish()).toBe(200);
    const got = both.find(({ status }) => status === 200);
    expect(Buffer.compare(await new Response(got?.body).bytes(), sender.bytes)).toBe(0);
    expect((await wire.get("early")).status).toBe(410);
  });

  test("asks for its password before it is there", async () => {
    await using wire = await openWire();
    const sender = await send(wire, way, "early", { password: "sesame" });
    await readable(wire, "early", "?password=sesame");
    expect([await wire.get("early"), await wire.get("early", "?password=x")].map(({ status }) => status)).toEqual([
      401, 401,
    ]);
    const reading = await readSome(await wire.get("early", "?password=sesame"), sender.half);
    expect(await sender.finish()).toBe(200);
    expect(Buffer.compare(await reading.rest(), sender.bytes)).toBe(0);
  });

  test("is not opened after it has expired", async () => {
    await using wire = await openWire();
    const { half } = await send(wire, way, "early", { expires_in: 1 });
    await readable(wire, "early");
    const reading = await readSome(await wire.get("early"), half);
    wire.house.clock.advance(minutes(61));
    expect((await wire.get("early")).status).toBe(410);
    // Who reads it already waited for an hour without a byte, as this clock has it.
    await expect(reading.rest()).rejects.toThrow();
  });

  test("is read by many at once", async () => {
    await using wire = await openWire();
    const many = way === "parts" ? 20 : 128;
    const sender = await send(wire, way, "early");
    await readable(wire, "early");
    const responses = await Promise.all(Array.from({ length: many }, () => wire.get("early")));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const read = responses.map(async (response) => Buffer.compare(await response.bytes(), sender.bytes));
    expect(await sender.finish()).toBe(200);
    expect(new Set(await Promise.all(read))).toEqual(new Set([0]));
  });
});

describe("a share that is read early", () => {
  test("in more places than one address or one upload may have is asked for again later, and opens when one has gone", async () => {
    await using wire = await openWire();
    const { leave } = await send(wire, "one piece", "early");
    await readable(wire, "early");
    const read = (peer: string) => wire.house.request("/api/file-download/early", {}, peer);
    const open: Response[] = [];
    for (const peer of ["198.51.100.1", "198.51.100.2"]) {
      open.push(...(await Promise.all(Array.from({ length: 128 }, () => read(peer)))));
      expect((await read(peer)).status).toBe(503);
    }
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    // An answer that nobody reads counts as given up after a while.
    const readings = await Promise.all(open.map((response) => readSome(response, 1)));
    const late = await wire.get("early");
    expect([late.status, late.headers.get("retry-after")]).toEqual([503, "5"]);
    await readings.pop()?.leave();
    expect((await wire.get("early")).status).toBe(200);
    await leave();
    for (const reading of readings) await expect(reading.rest()).rejects.toThrow();
  });

  test("breaks off when a part is sent again with other bytes than were read", async () => {
    await using wire = await openWire();
    const body = { slug: "early", filename: "a.bin", size: PART_SIZE + 5, part_size: PART_SIZE };
    const { file_id, upload_id, presigned_urls: urls } = (await ask(wire.house, uploads.begin, { body })).data;
    const send = async (partNumber: 1 | 2, fill: number) => {
      const part = new Uint8Array(partNumber === 1 ? PART_SIZE : 5).fill(fill);
      const { headers } = await put(wire.house, urls[partNumber - 1]?.url ?? "", part, octets);
      return { partNumber, etag: headers.get("etag") ?? "" };
    };
    await send(1, 1);
    await readable(wire, "early");
    const reading = await readSome(await wire.get("early"), PART_SIZE);
    const parts = [await send(1, 2), await send(2, 3)];
    expect((await ask(wire.house, uploads.complete, { body: { file_id, upload_id, parts } })).status).toBe(200);
    await expect(reading.rest()).rejects.toThrow();
    expect((await (await wire.get("early")).bytes())[0]).toBe(2);
  });

  test("breaks off when its bytes have come and its sender gives it up all the same", async () => {
    await using wire = await openWire();
    const { data } = await presign(wire.house, { slug: "early", filename: "a.txt", size: 5 });
    const connection = await openConnection(wire.port);
    await connection.send(putHead(data.upload_url, { "content-length": "5" }));
    await connection.send("hel");
    await readable(wire, "early");
    const reading = await readSome(await wire.get("early"), 3);
    await connection.send("lo");
    expect(await connection.answer()).toStartWith("HTTP/1.1 200");
    await remove(wire.house, data.file_id);
    await expect(reading.rest()).rejects.toThrow();
    connection[Symbol.dispose]();
  });

  test("is told how far it is, also in one piece", async () => {
    await using wire = await openWire();
    const sender = await send(wire, "one piece", "early");
    await readable(wire, "early");
    await until(
      () => received(wire),
      (bytes) => (bytes ?? 0) >= sender.half,
    );
    expect(await received(wire)).toBe(sender.half);
    expect(await sender.finish()).toBe(200);
  });

  test("whose sender says no size comes all the same", async () => {
    await using wire = await openWire();
    const { data } = await presign(wire.house, { slug: "early", filename: "a.txt", size: undefined });
    const connection = await openConnection(wire.port);
    await connection.send(`${putHead(data.upload_url, { "transfer-encoding": "chunked" })}5\r\nhello\r\n`);
    let response = await wire.get("early");
    while (response.status !== 200) response = await wire.get("early");
    // Nobody knows what HEAD would have to say.
    expect((await wire.head("early")).status).toBe(503);
    const reading = await readSome(response, 5);
    await connection.send("6\r\n world\r\n0\r\n\r\n");
    expect(await connection.answer()).toStartWith("HTTP/1.1 200");
    expect((await commit(wire.house, data.file_id)).status).toBe(200);
    expect(Buffer.from(await reading.rest()).toString()).toBe("hello world");
    connection[Symbol.dispose]();
  });

  test("in a form is not, because its password may follow the file", async () => {
    await using wire = await openWire();
    const slow = slowBody(
      '--x\r\nContent-Disposition: form-data; name="slug"\r\n\r\nearly\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello',
      '\r\n--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nsesame\r\n--x--\r\n',
    );
    const sending = wire.house.request("/api/upload", {
      ...{ method: "POST", body: slow.body },
      headers: {
        authorization: `Bearer ${await wire.house.signIn()}`,
        "content-type": "multipart/form-data; boundary=x",
      },
    });
    await slow.begun;
    await until(
      () => received(wire),
      (bytes) => (bytes ?? 0) >= 5,
    );
    expect((await wire.get("early")).status).toBe(503);
    slow.finish();
    expect((await sending).status).toBe(201);
    expect((await wire.get("early")).status).toBe(401);
    expect(await (await wire.get("early", "?password=sesame")).text()).toBe("hello");
  });

  test("on one of several servers is read in one piece, and in parts only when it is whole", async () => {
    await using wire = await openWire({ clustered: true });
    const piece = await send(wire, "one piece", "piece");
    const parts = await send(wire, "parts", "parts");
    await readable(wire, "piece");
    const response = await wire.get("piece");
    expect((await wire.get("parts")).status).toBe(503);
    expect([await piece.finish(), await parts.finish()]).toEqual([200, 200]);
    expect(Buffer.compare(await response.bytes(), piece.bytes)).toBe(0);
    expect(Buffer.compare(await (await wire.get("parts")).bytes(), parts.bytes)).toBe(0);
  });

  test("in a browser that goes to it costs one view with its grant", async () => {
    await using wire = await openWire();
    const sender = await send(wire, "one piece", "early", { max_views: 1 });
    await readable(wire, "early");
    const going = await wire.house.request("/api/file-download/early", { headers: { "sec-fetch-mode": "navigate" } });
    expect(going.status).toBe(303);
    const { search } = new URL(going.headers.get("location") ?? "", "http://x");
    const response = await wire.get("early", search);
    expect(response.status).toBe(200);
    expect(await sender.finish()).toBe(200);
    expect(Buffer.compare(await response.bytes(), sender.bytes)).toBe(0);
  });

  test("leaves no file open when its readers go", async () => {
    await using wire = await openWire();
    const { leave } = await send(wire, "one piece", "early");
    await readable(wire, "early");
    const open = await Promise.all(Array.from({ length: 5 }, () => wire.get("early")));
    for (const { body } of open) await body?.cancel();
    // The one that is left is written to.
    await until(
      () => openFiles(wire.house.objects),
      (open) => open <= 1,
    );
    await leave();
  });
});
