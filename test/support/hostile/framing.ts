import type { Dice } from "./dice.ts";
import type { Draft } from "./draft.ts";

/**
 * What the sender does when the bytes are out: takes one answer and keeps the connection (`keep`); takes what comes until the
 * server closes or is silent (`settle`); ends its half (`end`); or breaks off without a word (`reset`).
 */
export type After = "keep" | "settle" | "end" | "reset";

export interface Framed {
  readonly bytes: string;
  readonly after: After;
}

const lines = (headers: readonly (readonly [string, string])[]): string =>
  headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");

export function head(
  { method, path, query, version, headers }: Draft,
  more: readonly (readonly [string, string])[] = [],
): string {
  const target = query === undefined ? path : `${path}?${query}`;
  return `${method} ${target} ${version}\r\n${lines([...headers, ...more])}\r\n`;
}

/** As HTTP wants it (RFC 9112). */
export function sound(draft: Draft): Framed {
  const { body } = draft;
  return {
    bytes: head(draft, body === undefined ? [] : [["content-length", String(body.length)]]) + (body ?? ""),
    after: "keep",
  };
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** In chunks as HTTP wants them. */
export function chunked(draft: Draft, dice: Dice): Framed {
  const body = draft.body ?? "{}";
  const cut = dice.below(body.length + 1);
  const chunks = [body.slice(0, cut), body.slice(cut)].flatMap((part) => (part === "" ? [] : chunk(part)));
  return { bytes: `${head(draft, [["transfer-encoding", "chunked"]])}${chunks.join("")}0\r\n\r\n`, after: "keep" };
}

const badLengths = [
  "-1",
  "+5",
  "0x5",
  "5, 5",
  "5, 6",
  "1e3",
  "",
  "99999999999999999999",
  "18446744073709551616",
  "5 5",
  "a",
  "\xb2",
  " 5",
];

const badCodings = [
  "gzip",
  "chunked, chunked",
  "chunked, gzip",
  "identity",
  "xchunked",
  "\x0bchunked",
  "chunked;a=b",
  "Chunked",
  "",
];

const badChunks = [
  "-1\r\n",
  "ffffffffffffffffff\r\n",
  "zz\r\n",
  "5;a=b\r\nhello\r\n",
  "5\nhello\n0\n\n",
  "3\r\nhello\r\n0\r\n\r\n",
  "5\r\nhello0\r\n\r\n",
  `5;${"a".repeat(9000)}\r\nhello\r\n`,
  "0\r\nx: y\r\nz\r\n\r\n",
  "0\r\ncontent-length: 5\r\n\r\n",
  "0x5\r\nhello\r\n0\r\n\r\n",
  "\r\n",
];

type Framing = (draft: Draft, dice: Dice) => Framed;

/** Ways to frame a request that HTTP does not know, or to break it off. */
export const framings: Readonly<Record<string, Framing>> = {
  "chunks that are none": (draft, dice) => ({
    bytes: head(draft, [["transfer-encoding", "chunked"]]) + dice.pick(badChunks),
    after: "settle",
  }),
  "a length that is none": (draft, dice) => ({
    bytes: `${head(draft, [["content-length", dice.pick(badLengths)]])}${draft.body ?? ""}`,
    after: "settle",
  }),
  "two lengths": (draft) => ({
    bytes: `${head(draft, [
      ["content-length", "2"],
      ["content-length", "3"],
    ])}{} `,
    after: "settle",
  }),
  "a length and chunks": (draft) => ({
    bytes: `${head(draft, [
      ["content-length", "4"],
      ["transfer-encoding", "chunked"],
    ])}2\r\n{}\r\n0\r\n\r\n`,
    after: "settle",
  }),
  "another coding": (draft, dice) => ({
    bytes: `${head(draft, [["transfer-encoding", dice.pick(badCodings)]])}2\r\n{}\r\n0\r\n\r\n`,
    after: "settle",
  }),
  "more than was declared": (draft) => ({
    bytes: `${head(draft, [["content-length", "1"]])}{${draft.body ?? ""}`,
    after: "settle",
  }),
  "less than was declared": (draft, dice) => {
    const body = draft.body ?? "{}";
    return {
      bytes: head(draft, [["content-length", String(body.length + dice.pick([1, 1000, 1e9, 1e15]))]]) + body,
      after: dice.pick(["end", "reset"]),
    };
  },
  "a chunk that is cut": (draft, dice) => ({
    bytes: `${head(draft, [["transfer-encoding", "chunked"]])}ff\r\n${(draft.body ?? "{").slice(0, 200)}`,
    after: dice.pick(["end", "reset"]),
  }),
  "a head that is cut": (draft, dice) => {
    const whole = head(draft);
    return { bytes: whole.slice(0, 1 + dice.below(whole.length - 1)), after: dice.pick(["end", "reset"]) };
  },
  "nobody waits for the answer": (draft) => ({ ...sound(draft), after: "reset" }),
  "an old version": (draft, dice) => ({
    ...sound({
      ...draft,
      version: dice.pick(["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "HTTP/1", "", "http/1.1", "HTTP/1.1 x"]),
    }),
    after: "settle",
  }),
  "no line ends as they should be": (draft, dice) => ({
    bytes: sound(draft).bytes.replaceAll("\r\n", dice.pick(["\n", "\r", "\r\r\n", "\n\r"])),
    after: "settle",
  }),
  "a header that is none": (draft, dice) => ({
    bytes: sound(draft).bytes.replace(
      "\r\n",
      dice.pick([
        "\r\n x: folded\r\n",
        "\r\nno colon\r\n",
        "\r\n: no name\r\n",
        "\r\na b: c\r\n",
        "\r\nx: a\x00b\r\n",
        "\r\nx: a\rb\r\n",
        "\r\nx\xff: b\r\n",
        "\r\nx : y\r\n",
      ]),
    ),
    after: "settle",
  }),
  "two requests at once": (draft) => ({ bytes: sound(draft).bytes + sound(draft).bytes, after: "settle" }),
  "a preface of HTTP/2": () => ({
    bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
    after: "settle",
  }),
  "a greeting of TLS": () => ({
    bytes: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".padEnd(300, "\x7f"),
    after: "settle",
  }),
  "no host": (draft) => ({
    ...sound({ ...draft, headers: draft.headers.filter(([name]) => name !== "host") }),
    after: "settle",
  }),
  "two hosts": (draft) => ({
    ...sound({ ...draft, headers: [...draft.headers, ["host", "other.example"]] }),
    after: "settle",
  }),
};
