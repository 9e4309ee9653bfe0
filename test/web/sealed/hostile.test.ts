import { describe, expect, test } from "bun:test";
import { SealedFailure } from "../../../web/sealed/failures.ts";
import { type Key, newIdentity, recipientOf } from "../../../web/sealed/locks.ts";
import { openHeader, readOpened, type SealedSource } from "../../../web/sealed/open.ts";
import { sealFile } from "../../../web/sealed/seal.ts";
import { bytesFrom, numbersFrom, opened, sealedBytes, sourceOf } from "../../support/files/sealed.ts";

const CHUNK = 64 * 1024;
const SEALED_CHUNK = CHUNK + 16;
const identity = await newIdentity();
const plain = new Blob([bytesFrom(7, 3 * CHUNK + 100)]);
const good = await sealedBytes(plain, { identity });
const payloadStart = good.length - 3 * SEALED_CHUNK - 116;
const header = good.subarray(0, payloadStart - 16);
const encoder = new TextEncoder();

/** Why a file does not open. Anything but a SealedFailure is a fault. */
async function failureOf(bytes: Uint8Array, key: Key = { identity }): Promise<string | undefined> {
  try {
    await opened(sourceOf(bytes), key);
    return undefined;
  } catch (error) {
    if (error instanceof SealedFailure) return error.code;
    throw error;
  }
}

const joined = (...parts: (Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part)));
const chunk = (place: number) =>
  good.subarray(payloadStart + place * SEALED_CHUNK, payloadStart + (place + 1) * SEALED_CHUNK);

describe("a file that is not what was sealed", () => {
  test("opens as it was", async () => {
    expect(await failureOf(good)).toBeUndefined();
  });

  test("is cut anywhere", async () => {
    const next = numbersFrom(3);
    const ends = [
      payloadStart + SEALED_CHUNK,
      payloadStart + 2 * SEALED_CHUNK,
      payloadStart,
      payloadStart - 1,
      header.length,
    ];
    const others = Array.from({ length: 60 }, () => next(good.length));
    for (const end of [...ends, 1, 20, 40, ...others]) {
      expect(["truncated", "damaged"]).toContain((await failureOf(good.subarray(0, end))) ?? `opens, cut at ${end}`);
    }
    // At the end of a chunk nothing else would tell.
    expect(await failureOf(good.subarray(0, payloadStart + 2 * SEALED_CHUNK))).toBe("truncated");
    expect(await failureOf(good.subarray(0, header.length - 4))).toBe("truncated");
    expect(await failureOf(new Uint8Array())).toBe("truncated");
  });

  test("goes on behind its end", async () => {
    expect(await failureOf(joined(good, "more"))).toBe("damaged");
    expect(await failureOf(joined(good, chunk(3)))).toBe("damaged");
    const full = await sealedBytes(plain.slice(0, 2 * CHUNK), { identity });
    expect(await failureOf(joined(full, new Uint8Array(16)))).toBe("damaged");
    expect(await failureOf(joined(full, new Uint8Array(SEALED_CHUNK)))).toBe("damaged");
  });

  test("has its chunks in another order, twice or not at all", async () => {
    const front = good.subarray(0, payloadStart);
    expect(await failureOf(joined(front, chunk(1), chunk(0), chunk(2), chunk(3)))).toBe("damaged");
    expect(await failureOf(joined(front, chunk(0), chunk(0), chunk(2), chunk(3)))).toBe("damaged");
    expect(await failureOf(joined(front, chunk(0), chunk(2), chunk(3)))).toBe("damaged");
    expect(await failureOf(joined(front, chunk(3)))).toBe("damaged");
  });

  test("has the header or the nonce of another", async () => {
    const other = await sealFile(plain, { identity });
    expect(await failureOf(joined(other.state.header, good.subarray(header.length)))).toBe("damaged");
    const nonced = joined(header, other.state.nonce, good.subarray(payloadStart));
    expect(await failureOf(nonced)).toBe("damaged");
  });

  test("has one bit changed", async () => {
    const next = numbersFrom(5);
    for (let round = 0; round < 40; round++) {
      const place = round < 10 ? payloadStart - 16 + next(16) : payloadStart + next(good.length - payloadStart);
      const bytes = good.slice();
      bytes[place] = (bytes[place] ?? 0) ^ (1 << next(8));
      expect(await failureOf(bytes)).toBe("damaged");
    }
  });

  test("is handed out too short, or too long", async () => {
    const opening = await openHeader(sourceOf(good), { identity });
    for (const [wrong, code] of [
      [-1, "truncated"],
      [1, "damaged"],
    ] as const) {
      const source: SealedSource = { size: good.length, read: async (from, to) => good.slice(from, to + wrong) };
      await expect(new Response(readOpened(source, opening, 0, 10)).bytes()).rejects.toMatchObject({ code });
    }
  });

  test("fails as its source does", async () => {
    const opening = await openHeader(sourceOf(good), { identity });
    const source: SealedSource = { size: good.length, read: () => Promise.reject(new Error("no connection")) };
    await expect(new Response(readOpened(source, opening, 0, 10)).bytes()).rejects.toThrow("no connection");
    await expect(openHeader(source, { identity })).rejects.toThrow("no connection");
  });
});

describe("a key that is not its own", () => {
  test("is another one, or of another kind", async () => {
    expect(await failureOf(good, { identity: await newIdentity() })).toBe("wrongKey");
    expect(await failureOf(good, { password: "secret" })).toBe("wrongKey");
    const locked = await sealedBytes(plain, { password: "secret" });
    expect(await failureOf(locked, { password: "secret" })).toBeUndefined();
    expect(await failureOf(locked, { password: "Secret" })).toBe("wrongKey");
    expect(await failureOf(locked, { identity })).toBe("wrongKey");
  });

  test("is mistyped", async () => {
    for (const wrong of [
      "",
      "secret",
      "AGE-SECRET-KEY-1",
      identity.slice(0, -1),
      `${identity}.`,
      identity.toLowerCase(),
    ])
      expect([wrong, await failureOf(good, { identity: wrong })]).toEqual([wrong, "wrongKey"]);
  });

  test("is the file key of another file", async () => {
    const { state } = await sealFile(plain, { identity });
    expect(await failureOf(good, { fileKey: state.fileKey })).toBe("damaged");
  });
});

describe("a header", () => {
  const stanzas = (count: number, body = "A".repeat(43)) =>
    joined(
      "age-encryption.org/v1\n",
      `-> X25519 ${"A".repeat(43)}\n${body}\n`.repeat(count),
      header.subarray(22),
      "tail",
    );

  test("of ten thousand stanzas is not tried", async () => {
    expect(await failureOf(stanzas(10_000))).toBe("tooManyStanzas");
    expect(await failureOf(stanzas(16))).toBe("tooManyStanzas");
  });

  test("without an end is read no further than it may be long", async () => {
    let most = 0;
    const source: SealedSource = {
      size: 10 ** 12,
      async read(from, to) {
        most = Math.max(most, to);
        return encoder.encode(`age-encryption.org/v1\n-> grease ${"a".repeat(to)}`).subarray(from, to);
      },
    };
    await expect(openHeader(source, { identity })).rejects.toMatchObject({ code: "tooManyStanzas" });
    expect(most).toBeLessThanOrEqual(64 * 1024);
  });

  test("that asks for hours of work is not worked on", async () => {
    const locked = await sealedBytes(new Blob(["x"]), { password: "secret" });
    for (const factor of ["21", "22", "60", "1000000000"]) {
      const text = Buffer.from(locked)
        .toString("latin1")
        .replace(/(-> scrypt \S+ )16\n/, `$1${factor}\n`);
      expect(await failureOf(Buffer.from(text, "latin1"), { password: "secret" })).toBe("tooMuchWork");
    }
  });

  test("of other letters is a failure, whatever they are", async () => {
    const next = numbersFrom(11);
    const pieces = [
      "\n",
      "-> ",
      "--- ",
      " ",
      "X25519",
      "scrypt",
      "age-encryption.org/v1\n",
      "AAAA",
      "\r\n",
      "\u00e9",
      "1",
      "-",
    ];
    for (let round = 0; round < 400; round++) {
      const bytes = Buffer.from(good.subarray(0, payloadStart + 200));
      const place = next(header.length);
      const inserted = pieces[next(pieces.length)] ?? "";
      const gone = next(4) === 0 ? next(60) : 0;
      const changed = joined(bytes.subarray(0, place), inserted, bytes.subarray(place + gone));
      if (next(2) === 0) changed[next(header.length)] = next(256);
      expect((await failureOf(changed)) ?? `opens: ${changed.subarray(0, header.length).toString("latin1")}`).toMatch(
        /^(?:wrongKey|damaged|truncated|notAge)$/,
      );
    }
  });

  test("of chance alone is none", async () => {
    for (let seed = 0; seed < 50; seed++) expect(await failureOf(bytesFrom(seed, 500))).toBe("notAge");
    expect(await failureOf(encoder.encode("<!doctype html>"))).toBe("notAge");
    expect(await failureOf(encoder.encode("age-encryption.org/v2\n"))).toBe("notAge");
    expect(await failureOf(encoder.encode("-----BEGIN AGE ENCRYPTED FILE-----\n"))).toBe("notAge");
  });
});

test("no marker of the plain text is in what is sealed, nor in what is said of it", async () => {
  const marker = "MARKER-of-the-plain-text";
  const content = new Blob([marker.repeat(20_000)]);
  const locks = [{ identity }, { recipient: await recipientOf(identity) }, { password: marker }];
  for (const lock of locks) {
    const bytes = Buffer.from(await sealedBytes(content, lock));
    for (const piece of [marker, "plain-text", "MARKER"]) expect(bytes.includes(piece)).toBe(false);
    expect(bytes.includes(identity)).toBe(false);
  }
  const [one, other] = [await sealedBytes(content, { identity }), await sealedBytes(content, { identity })];
  expect(Buffer.compare(one.subarray(-100), other.subarray(-100))).not.toBe(0);
});
