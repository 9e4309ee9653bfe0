import type { Dice } from "./dice.ts";
import { type Breach, bytesOf, type Draft, setHeader } from "./draft.ts";
import { hostileWord, MARK } from "./values.ts";

/** A text as a header's value: without line ends, which would begin another header. */
const fieldValue = (text: string): string => bytesOf(text).replaceAll(/[\r\n\0]/g, "");

const one =
  (name: string, values: readonly string[]): Breach =>
  (draft, { dice }) =>
    setHeader(draft, name, dice.chance(0.15) ? fieldValue(hostileWord(dice)) : dice.pick(values));

const ranges = [
  "bytes=0-0",
  "bytes=-1",
  "bytes=0-",
  "bytes=-0",
  "bytes=5-2",
  "bytes=999999999999-",
  "bytes=0-18446744073709551616",
  "bytes=--1",
  "bytes=a-b",
  "bytes=",
  "bytes",
  "bytes=0-0,1-1,2-2",
  `bytes=${Array.from({ length: 500 }, (_, index) => `${index}-${index}`).join(",")}`,
  "lines=0-1",
  "bytes = 0 - 1",
  "bytes=0-1e3",
  `bytes=0-${"9".repeat(400)}`,
];

const tags = [
  "*",
  '"a"',
  'W/"a"',
  '"',
  '""',
  "a",
  `"${"a".repeat(3000)}"`,
  '"a", "b", *',
  Array(500).fill('"a"').join(","),
  "W/",
  '"\xff"',
];

const dates = [
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Fri, 31 Dec 9999 23:59:59 GMT",
  "0",
  "-1",
  "yesterday",
  "Thu, 99 Foo 2020 99:99:99 GMT",
  "2030-01-01T00:00:00Z",
];

const credentials = [
  "Bearer",
  "Bearer ",
  `Bearer ${MARK}`,
  "Bearer a.b.c",
  `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sid":"1"}').toString("base64url")}.`,
  `Bearer ${"a".repeat(6000)}`,
  "Bearer  two spaces",
  "bearer null",
  "ApiKey",
  "ApiKey __proto__",
  `ApiKey ${"k".repeat(200)}`,
  "ApiKey ' or 1=1",
  "Basic",
  "Basic !!!",
  "Basic YWRtaW4=",
  "Basic bm9ib2R5Og==",
  "Basic OmE=",
  `Basic ${Buffer.from(`nobody:${MARK}`).toString("base64")}`,
  `Basic ${Buffer.from("\xff\xfe:\x00").toString("base64")}`,
  "Digest username=admin",
  "AWS4-HMAC-SHA256 Credential=a/20260101/auto/s3/aws4_request, SignedHeaders=host, Signature=00",
  "AWS a:b",
  "",
];

const hosts = [
  "",
  "x",
  "[[",
  "[::1]",
  "a:99999",
  "a:b",
  "127.1",
  "example.com",
  "example.com:80",
  "a/b",
  "a?b",
  "a#b",
  "a@b",
  "a b",
  "\xff",
  "localhost.",
  "..",
  `${"a".repeat(300)}.com`,
  "xn--a",
  "0x7f.1",
  "a,b",
];

const forwarded = [
  "",
  "unknown",
  "1.2.3.4, unknown",
  "1.2.3.4, 10.0.0.1, 127.0.0.1",
  "::ffff:1.2.3.4",
  "[::1]:80",
  "fe80::1%eth0",
  "999.1.1.1",
  "for=1.2.3.4",
  Array(300).fill("1.2.3.4").join(","),
  "1.2.3.4:99999",
  "\xff",
];

export const headerBreaches: Readonly<Record<string, Breach>> = {
  range: one("range", ranges),
  "if-match": one("if-match", tags),
  "if-none-match": one("if-none-match", tags),
  "if-range": one("if-range", [...tags, ...dates]),
  "if-modified-since": one("if-modified-since", dates),
  "if-unmodified-since": one("if-unmodified-since", dates),
  authorization: one("authorization", credentials),
  "x-api-key": one("x-api-key", ["", "a", "a".repeat(3000), "__proto__", "\xff\xfe"]),
  "two credentials": (draft, { dice }) =>
    void draft.headers.push(["authorization", dice.pick(credentials)], ["authorization", dice.pick(credentials)]),
  host: one("host", hosts),
  "x-forwarded-for": one("x-forwarded-for", forwarded),
  "x-forwarded-host": one("x-forwarded-host", hosts),
  "x-forwarded-proto": one("x-forwarded-proto", ["", "https", "http", "javascript", "https,http", "ftp", "HTTPS"]),
  "accept-language": one("accept-language", [
    "zh",
    "zh-CN;q=2",
    "*;q=0",
    ",".repeat(3000),
    "en;q=0.0001, zh;q=abc",
    "zh;q=0,en;q=0",
  ]),
  "accept-encoding": one("accept-encoding", ["br;q=0", "*", "gzip;q=1e9", ",".repeat(2000), "identity;q=0"]),
  "idempotency-key": one("idempotency-key", ["", "a", "a".repeat(201), "again", "\xff"]),
  origin: one("origin", ["null", "", "http://evil.example", "https://[", "file://", "a".repeat(3000)]),
  "sec-fetch-site": one("sec-fetch-site", ["cross-site", "none", "same-origin", "x"]),
  expect: one("expect", ["100-continue", "200-ok", "100-Continue, x"]),
  cookie: one("cookie", ["a=b", "__proto__=1; constructor=2", ";;;;=", "a=%", `a=${"b".repeat(4000)}`, "%=%zz"]),
  "another method in a header": one("x-http-method-override", ["DELETE", "PUT"]),
  upgrade: (draft, { dice }) =>
    draft.headers.push(
      ["upgrade", dice.pick(["websocket", "h2c", "x"])],
      ["sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA=="],
      ["sec-websocket-version", "13"],
    ),
  "many headers": (draft, { dice }) =>
    draft.headers.push(
      ...Array.from({ length: dice.pick([40, 90, 150]) }, (_, index) => [`x-${index}`, MARK] as [string, string]),
    ),
  "a long header": (draft, { dice }) => setHeader(draft, "x-long", "a".repeat(dice.pick([3000, 9000, 20_000]))),
  "headers of a preflight": (draft) =>
    draft.headers.push(
      ["access-control-request-method", "PUT"],
      ["access-control-request-headers", "*"],
      ["origin", "http://a"],
    ),
};

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "MKCOL",
  "COPY",
  "MOVE",
  "LOCK",
  "REPORT",
  "SEARCH",
  "LINK",
];
/** What Bun knows no name for: it ends such a connection without an answer. */
const strange = ["get", "GETS", "CONNECT", "PRI", "QUERY", "X".repeat(300), "G\x00T", "\xff", "BREW", "__proto__"];

export const isMethod = (method: string): boolean => methods.includes(method);

/** Another method than the endpoint has. */
export const otherMethod = (draft: Draft, dice: Dice): void => {
  draft.method = dice.chance(0.8) ? dice.pick(methods) : dice.pick(strange);
};
