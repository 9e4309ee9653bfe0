import { describe, expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { decodeChunked } from "../../../../src/fronts/s3/chunked.ts";
import { createDigests } from "../../../../src/lib/digests/digests.ts";
import { answerOf, type S3Calls, s3Calls } from "../../../support/clients/s3.ts";
import { makeKey } from "../../../support/make-key.ts";
import { remains } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

async function open() {
  const house = await openTestHouse();
  const key = await makeKey(house);
  return { house, key, s3: s3Calls(house, key), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

const nothing = async (house: TestHouse, s3: S3Calls) => {
  expect(await s3.list("drive")).toEqual([]);
  expect(await remains(house)).toMatchObject({ attributes: 0, multiparts: 0 });
  expect(house.log()).not.toContain('"event":"unhandled error"');
};

describe("a body in chunks", () => {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");

  /** Chunks as a client frames and signs them; `alter` is what somebody on the way does. */
  async function attempt(
    here: Awaited<ReturnType<typeof open>>,
    { kind, chunks, length, trailer, alter = (body) => body }: Attempt,
  ) {
    const payload = `STREAMING-${kind}`;
    const size = String(length ?? chunks.join("").length);
    const headers = {
      "x-amz-decoded-content-length": size,
      "content-encoding": "aws-chunked",
      ...(trailer && { "x-amz-trailer": trailer.slice(0, trailer.indexOf(":")) }),
    };
    const signed = here.s3.signed("PUT", "/drive/a", { hash: payload, headers });
    const date = signed.headers["x-amz-date"] ?? "";
    const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
    const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
    const signing = ["us-east-1", "s3", "aws4_request"].reduce(
      (key, text) => mac(key, text),
      mac(`AWS4${here.key.key}`, date.slice(0, 8)),
    );
    let last = /Signature=(\w+)/.exec(signed.headers.authorization ?? "")?.[1] ?? "";
    const sign = (type: string, hashed: string) => {
      last = mac(signing, `AWS4-HMAC-SHA256-${type}\n${date}\n${scope}\n${last}\n${hashed}`).toString("hex");
      return last;
    };
    const isSigned = kind.includes("HMAC");
    const framed = [...chunks, ""].map((chunk) => {
      const signature = isSigned ? `;chunk-signature=${sign("PAYLOAD", `${hash("")}\n${hash(chunk)}`)}` : "";
      return `${chunk.length.toString(16)}${signature}\r\n${chunk}${chunk === "" ? "" : "\r\n"}`;
    });
    const tail = trailer
      ? `${trailer}\r\n${isSigned ? `x-amz-trailer-signature:${sign("TRAILER", hash(`${trailer}\n`))}\r\n` : ""}`
      : "";
    const body = alter(`${framed.join("")}${tail}\r\n`);
    const length_ = { "content-length": String(body.length) };
    return await answerOf(
      await here.house.request(signed.url, { method: "PUT", headers: { ...signed.headers, ...length_ }, body }),
    );
  }

  interface Attempt {
    readonly kind: string;
    readonly chunks: readonly string[];
    readonly length?: number;
    readonly trailer?: string;
    readonly alter?: (body: string) => string;
  }

  const SIGNED = "AWS4-HMAC-SHA256-PAYLOAD";
  const UNSIGNED = "UNSIGNED-PAYLOAD-TRAILER";
  const large = "x".repeat(70_000);
  const chunks = [large, large, "end"];
  const whole = chunks.join("");
  const crc = (text: string) => {
    const digests = createDigests(["crc32"]);
    digests.update(Buffer.from(text));
    return `x-amz-checksum-crc32:${digests.finish().crc32?.toString("base64")}`;
  };

  test.each([
    { kind: SIGNED, chunks },
    { kind: SIGNED, chunks: [] },
    { kind: `${SIGNED}-TRAILER`, chunks, trailer: crc(whole) },
    { kind: UNSIGNED, chunks, trailer: crc(whole) },
    { kind: UNSIGNED, chunks: ["a", "b", "c"], trailer: crc("abc") },
    {
      kind: UNSIGNED,
      chunks: ["blanks"],
      trailer: crc("blanks"),
      alter: (body: string) => body.replace(crc("blanks"), crc("blanks").replace(/:(.*)/, ":\t  $1 \t")),
    },
  ] satisfies Attempt[])("$kind arrives as it was meant", async (given) => {
    await using here = await open();
    const answer = await attempt(here, given);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: "" });
    expect(answer.headers.get("etag")).toBe(`"${createHash("md5").update(given.chunks.join("")).digest("hex")}"`);
    expect(await here.s3.text("/drive/a")).toBe(given.chunks.join(""));
    expect((await here.s3.send("HEAD", "/drive/a")).headers.get("content-encoding")).toBeNull();
  });

  const refused: readonly (readonly [string, string, Attempt])[] = [
    ["altered bytes", "SignatureDoesNotMatch", { kind: SIGNED, chunks, alter: (body) => body.replace("xx", "xy") }],
    [
      "chunks in another order",
      "SignatureDoesNotMatch",
      { kind: SIGNED, chunks: [large, `y${large.slice(1)}`], alter: (body) => body.replace("yx", "xx") },
    ],
    [
      "an altered signature",
      "SignatureDoesNotMatch",
      {
        kind: SIGNED,
        chunks,
        alter: (body) => body.replace(/signature=(.)/, (_, first) => `signature=${first === "0" ? "1" : "0"}`),
      },
    ],
    [
      "an altered last signature",
      "SignatureDoesNotMatch",
      {
        kind: SIGNED,
        chunks,
        alter: (body) => body.replace(/\r\n0;chunk-signature=.{4}/, "\r\n0;chunk-signature=0000"),
      },
    ],
    [
      "no signature",
      "IncompleteBody",
      { kind: SIGNED, chunks, alter: (body) => body.replaceAll(/;chunk-signature=\w+/g, "") },
    ],
    ["signed chunks that are tiny", "InvalidChunkSizeError", { kind: SIGNED, chunks: ["a", "b"] }],
    ["an end too early", "IncompleteBody", { kind: SIGNED, chunks, alter: (body) => body.slice(0, 1000) }],
    [
      "no last chunk",
      "IncompleteBody",
      { kind: UNSIGNED, chunks, trailer: crc(whole), alter: (body) => body.slice(0, body.indexOf("\r\n0\r\n") + 2) },
    ],
    [
      "more behind the end",
      "IncompleteBody",
      { kind: UNSIGNED, chunks, trailer: crc(whole), alter: (body) => `${body}x` },
    ],
    [
      "a longer chunk than it says",
      "IncompleteBody",
      { kind: UNSIGNED, chunks, trailer: crc(whole), alter: (body) => body.replace("xx", "xxx") },
    ],
    [
      "a size that is none",
      "IncompleteBody",
      { kind: UNSIGNED, chunks, trailer: crc(whole), alter: (body) => `-${body}` },
    ],
    [
      "a giant size",
      "IncompleteBody",
      { kind: UNSIGNED, chunks, trailer: crc(whole), alter: (body) => `ffffffffff${body}` },
    ],
    [
      "an endless line",
      "IncompleteBody",
      { kind: UNSIGNED, chunks, trailer: crc(whole), alter: () => "0".repeat(100_000) },
    ],
    ["a longer whole than declared", "IncompleteBody", { kind: UNSIGNED, chunks, length: 5, trailer: crc(whole) }],
    [
      "a shorter whole than declared",
      "IncompleteBody",
      { kind: UNSIGNED, chunks, length: 200_000, trailer: crc(whole) },
    ],
    ["a wrong checksum behind it", "BadDigest", { kind: UNSIGNED, chunks, trailer: crc("other") }],
    ["a checksum that is none", "InvalidRequest", { kind: UNSIGNED, chunks, trailer: "x-amz-checksum-crc32:nonsense" }],
    [
      "no checksum where one was announced",
      "MalformedTrailerError",
      {
        kind: UNSIGNED,
        chunks,
        trailer: crc(whole),
        alter: (body) => body.replace(/x-amz-checksum-crc32:[^\r]+\r\n/, ""),
      },
    ],
    ...(
      [
        ["a trailer of blanks and a lone CR", (line: string) => `${line.slice(0, 21)}${" ".repeat(4000)}\rx`],
        ["a trailer with a control character", (line: string) => `${line}\u0001`],
        ["a trailer without a colon", (line: string) => line.replace(":", "=")],
        ["a trailer whose name has a blank", (line: string) => ` ${line}`],
      ] as const
    ).map(
      ([name, altered]) =>
        [
          name,
          "MalformedTrailerError",
          {
            kind: UNSIGNED,
            chunks,
            trailer: crc(whole),
            alter: (body: string) => body.replace(crc(whole), altered(crc(whole))),
          },
        ] as const,
    ),
    [
      "a trailer longer than a line may be",
      "IncompleteBody",
      {
        kind: UNSIGNED,
        chunks,
        trailer: crc(whole),
        alter: (body) => body.replace(crc(whole), `${crc(whole)}${" ".repeat(5000)}`),
      },
    ],
    [
      "a trailer that comes again and again",
      "IncompleteBody",
      {
        kind: UNSIGNED,
        chunks,
        trailer: crc(whole),
        alter: (body) => body.replace(crc(whole), Array(100).fill(crc(whole)).join("\r\n")),
      },
    ],
    ["another trailer", "InvalidRequest", { kind: UNSIGNED, chunks, trailer: "x-amz-meta-a:b" }],
    [
      "an altered trailer",
      "SignatureDoesNotMatch",
      {
        kind: `${SIGNED}-TRAILER`,
        chunks,
        trailer: crc(whole),
        alter: (body) => body.replace(crc(whole), crc("other")),
      },
    ],
  ];
  test.each(refused)("with %s -> %s, and nothing is stored", async (_, code, given) => {
    await using here = await open();
    expect((await attempt(here, given)).code).toBe(code);
    await nothing(here.house, here.s3);
  });

  test("of one byte each is passed on in few pieces, and holds nobody else up", async () => {
    const bytes = 100_000;
    const framed = Buffer.from(`${"1\r\nx\r\n".repeat(bytes)}0\r\n\r\n`);
    const { stream } = decodeChunked(new Blob([framed]).stream(), { signature: undefined, trailers: [] });
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const sizes = (await Array.fromAsync(stream)).map(({ byteLength }) => byteLength);
    clearImmediate(next);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(bytes);
    expect(sizes.length).toBeLessThan(bytes / 500);
    expect(turns).toBeGreaterThan(bytes / 2000);
  });
});
