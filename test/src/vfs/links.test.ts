import { describe, expect, test } from "bun:test";
import { createLinks } from "../../../src/vfs/links.ts";
import { createTestClock, hours } from "../../support/test-clock.ts";

interface Rules {
  readonly all?: boolean;
  readonly life?: number;
}

function open({ all = true, life = 0 }: Rules = {}, secret = "a secret") {
  const clock = createTestClock();
  const settings = { get: (name: string) => (name === "proxy_sign_all" ? all : life) as never };
  return { clock, links: createLinks({ secret, clock: clock.now, settings }) };
}

const mount = { id: "a mount", enable_sign: 0, sign_expires: null };
const strict = { id: "a mount", enable_sign: 1, sign_expires: 60 };

type Opened = ReturnType<typeof open>;

const address = ({ links }: Opened, path: string, of: Parameters<Opened["links"]["needed"]>[0] = mount) =>
  new URL(links.url(of, path, { base: "https://a.example", download: false }));

const sign = (opened: Opened, path: string, of?: typeof mount | typeof strict) =>
  address(opened, path, of).searchParams.get("sign") ?? "";

describe("a public address of a file", () => {
  test("names it so that it comes back as it was, and says what is to be done with it", () => {
    const path = "/team/100% #1?+& 数字🔑'%2e.txt";
    const { links } = open({ all: false });
    const url = links.url(mount, path, { base: "https://a.example", download: true, ts: 5 });
    expect(decodeURIComponent(new URL(url).pathname)).toBe(`/api/p${path}`);
    expect(url).toEndWith(".txt?download=true&ts=5");
    expect(links.url(mount, "/a/b", { base: "", download: false })).toBe("/api/p/a/b");
  });

  test.each([
    [true, 0, true],
    [false, 0, false],
    [false, 1, true],
  ])("is signed as settings (%s) and mount (%s) say", (all, enable_sign, signed) => {
    const opened = open({ all });
    const of = { ...mount, enable_sign };
    expect(opened.links.needed(of)).toBe(signed);
    expect(address(opened, "/a/b", of).searchParams.has("sign")).toBe(signed);
  });

  test.each([
    [null, 0, "0"],
    [null, 60, "1893553505"],
    [0, 60, "0"],
    [120, 60, "1893553565"],
  ])("holds as long as its mount says (%s), else the settings (%s)", (sign_expires, life, until) => {
    const opened = open({ life });
    expect(sign(opened, "/a/b", { ...mount, sign_expires } as typeof mount).split(":")[1]).toBe(until);
  });
});

describe("the signature", () => {
  test("is an HMAC in base64 and an expiry, in any form of Unicode, also with a plus sign that became a space", () => {
    const opened = open();
    const signature = sign(opened, "/a/\u00e9");
    expect(signature).toMatch(/^[A-Za-z0-9+/]{43}=:0$/);
    for (const path of ["/a/\u00e9", "/a/e\u0301"])
      for (const sent of [signature, signature.replaceAll("+", " ")])
        expect(() => opened.links.check(mount, path, sent)).not.toThrow();
  });

  test("is asked for only where it is needed", () => {
    const { links } = open({ all: false });
    for (const sent of [undefined, "", "nonsense"]) expect(() => links.check(mount, "/a/b", sent)).not.toThrow();
    expect(() => links.check(strict, "/a/b", undefined)).toThrow("sign.missing");
  });

  test("expires", () => {
    const opened = open();
    const signature = sign(opened, "/a/b", strict);
    opened.clock.advance(59_000);
    expect(() => opened.links.check(strict, "/a/b", signature)).not.toThrow();
    opened.clock.advance(1000);
    expect(() => opened.links.check(strict, "/a/b", signature)).toThrow("sign.expired");
    opened.clock.advance(hours(1));
    expect(() => opened.links.check(strict, "/a/c", signature)).toThrow("sign.invalid");
  });

  test("is nothing that anybody can make or change", () => {
    const opened = open();
    const [mac = "", until = ""] = sign(opened, "/a/b", strict).split(":");
    const other = sign(open({}, "another secret"), "/a/b");
    const forged = [
      `${mac}:0`,
      `${mac}:${Number(until) + 1}`,
      mac,
      `:${until}`,
      `${mac}:`,
      `${mac}:0x10`,
      `${mac}:-1`,
      other,
    ];
    for (const one of [...forged, `${mac}:${until} `, `${mac}:0${until}`])
      expect(() => opened.links.check(strict, "/a/b", one)).toThrow("sign.invalid");
    for (const path of ["/a/B", "/a/b/c", "/a", "/a/b "])
      expect(() => opened.links.check(strict, path, `${mac}:${until}`)).toThrow("sign.invalid");
    expect(() => opened.links.check(strict, "/a/b", "")).toThrow("sign.missing");
  });
});
