import { describe, expect, test } from "bun:test";
import { Failure, type FailureCode } from "#contract/failures";
import { pathsAt } from "../../../../src/fronts/context.ts";
import {
  hrefOf,
  parseDepth,
  parseLockToken,
  parseOverwrite,
  parseTimeout,
  pathBelowDav,
  pathOfReference,
} from "../../../../src/fronts/dav/headers.ts";
import { holdsIf, parseIf, tokensOf } from "../../../../src/fronts/dav/if-header.ts";

/** What a parser says, or the code of its failure. */
function said<Result>(parse: () => Result): Result | FailureCode {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

describe("the If header", () => {
  const one = (kind: "token" | "etag", value: string, not = false) => ({ not, kind, value });

  test("has lists about the request's own resource", () => {
    expect(parseIf('(<urn:uuid:1> ["a b"]) (Not <DAV:no-lock>)')).toEqual([
      { resource: undefined, conditions: [one("token", "urn:uuid:1"), one("etag", '"a b"')] },
      { resource: undefined, conditions: [one("token", "DAV:no-lock", true)] },
    ]);
  });

  test("has lists about resources that it names", () => {
    expect(parseIf('</dav/a> (<t:1>) ([W/"x"])\t<http://h/dav/b>(not[""]<t:2>) ')).toEqual([
      { resource: "/dav/a", conditions: [one("token", "t:1")] },
      { resource: "/dav/a", conditions: [one("etag", 'W/"x"')] },
      { resource: "http://h/dav/b", conditions: [one("etag", '""', true), one("token", "t:2")] },
    ]);
  });

  test.each(["(<t:1>)", "(t:1)", "<t:1>", " t:1 "])("may name its token without its brackets: %s", (header) => {
    const conditions = [{ not: false, kind: "token", value: "t:1" }] as const;
    expect(parseIf(header)).toEqual([{ resource: undefined, conditions }]);
  });

  const nonsense = [
    "",
    " ",
    "()",
    "(<t:1>",
    "t:1>",
    "<t:1> <t:2>",
    "(t:1 t)",
    "(t)",
    "(<t 1>)",
    "(<>)",
    "([x])",
    '(["x)',
    "(Not)",
    "(Not Not <t:1>)",
    "(<t:1>), (<t:2>)",
    "(<t:1>) </dav/a> (<t:2>)",
    "</dav/a>",
    "(<t:1>) x",
    `(${"<t:1>".repeat(101)})`,
    "(<t:1>)".repeat(101),
  ];
  for (const header of nonsense)
    test(`may not be ${header.slice(0, 40) || "empty"}`, () =>
      expect(said(() => parseIf(header))).toBe("header.invalid"));

  test("is not read for long", () => {
    const began = performance.now();
    for (const header of [`(${" ".repeat(16_000)}`, `(${"Not ".repeat(4000)}`, "(".repeat(16_000), "<".repeat(16_000)])
      expect(said(() => parseIf(header))).toBe("header.invalid");
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test("submits every token, wherever it stands", () => {
    expect(tokensOf(parseIf('</dav/a> (<t:1> ["x"]) (Not <t:2>) </dav/b> (<t:1>)'))).toEqual(["t:1", "t:2"]);
  });

  const state = { etag: '"x"', tokens: ["t:1"] };
  const none = { etag: undefined, tokens: [] };
  const verdicts: [string, boolean][] = [
    ["(<t:1>)", true],
    ["(<t:2>)", false],
    ["(Not <t:2>)", true],
    ['(["x"])', true],
    ['([W/"x"])', false],
    ['(<t:1> ["y"])', false],
    ['(<t:1> ["y"]) (["x"])', true],
    ["(<t:1>) (Not <DAV:no-lock>)", true],
    ["(<DAV:no-lock>)", false],
    ["</dav/other> (<t:1>)", false],
    ["</dav/other> (Not <t:1>)", true],
    ['</dav/other> (Not ["x"])', true],
    ["</dav/other> (<t:9>) </dav/own> (<t:1>)", true],
  ];
  for (const [header, verdict] of verdicts)
    test(`${header} ${verdict ? "holds" : "does not hold"}`, async () => {
      const asked: (string | undefined)[] = [];
      const stateOf = async (resource: string | undefined) => {
        asked.push(resource);
        return resource === "/dav/other" ? none : state;
      };
      expect(await holdsIf(parseIf(header), stateOf)).toBe(verdict);
      expect(new Set(asked).size).toBe(asked.length);
    });
});

test("Depth, Overwrite and Lock-Token", () => {
  expect(["0", "1", " Infinity ", null].map((one) => parseDepth(one, "infinity"))).toEqual([
    ..."01",
    "infinity",
    "infinity",
  ] as never);
  for (const depth of ["", "2", "-1", "0, 1", "1,noroot", "infinite"])
    expect(said(() => parseDepth(depth, "0"))).toBe("header.invalid");
  expect(["T", "f", null].map(parseOverwrite)).toEqual([true, false, true]);
  for (const overwrite of ["", "true", "T, F"]) expect(said(() => parseOverwrite(overwrite))).toBe("header.invalid");
  for (const token of [" <opaquelocktoken:1> ", "opaquelocktoken:1"])
    expect(parseLockToken(token)).toBe("opaquelocktoken:1");
  for (const token of [
    null,
    "",
    "opaquelocktoken:1>",
    "opaquelocktoken",
    "<>",
    "<a b>",
    "<a>, <b>",
    `<${"a".repeat(201)}>`,
  ])
    expect(said(() => parseLockToken(token))).toBe("header.invalid");
});

test("Timeout", () => {
  expect(
    [null, "", "Second-5", "second-0", "Infinite", "Infinite, Second-4100000000", "Extend-1, Second-9"].map(
      parseTimeout,
    ),
  ).toEqual([600, 600, 5, 1, 7200, 7200, 9]);
  expect(parseTimeout(`Second-${"9".repeat(20)}`)).toBe(7200);
  for (const timeout of ["soon", "Second-", "Second--1", "Second-1.5"])
    expect(said(() => parseTimeout(timeout))).toBe("header.invalid");
});

describe("a reference", () => {
  const known = { base: "https://files.example", hosts: ["127.0.0.1:8080", "files.example"], ...pathsAt("") };
  const path = (reference: string) => said(() => pathOfReference(reference, known, "Destination"));

  test("is below the base path", () => {
    const below = { ...known, base: "https://files.example/satchel", ...pathsAt("/satchel") };
    const at = (reference: string) => said(() => pathOfReference(reference, below, "Destination"));
    expect([at("/satchel/dav/a"), at("https://files.example/satchel/dav/")]).toEqual(["/a", "/"]);
    for (const one of ["/dav/a", "https://files.example/dav/a", "/satchelx/dav/a", "/satchel/davx/a", "/satchel"])
      expect(at(one)).toBe("dav.elsewhere");
    expect(hrefOf(below, "/a b", "folder")).toBe("/satchel/dav/a%20b/");
  });

  test("is a path or a URL by which the server is known", () => {
    for (const origin of [
      "",
      "https://files.example",
      "http://files.example",
      "https://FILES.example:443",
      "http://127.0.0.1:8080",
    ])
      expect(path(`${origin}/dav/a%20b/%E2%82%AC`)).toBe("/a b/€");
    expect(path("http://user:word@files.example/dav/a")).toBe("/a");
    expect([path("/dav"), path("/dav/")]).toEqual(["/", "/"]);
  });

  test("to elsewhere is refused", () => {
    for (const one of [
      "http://other/dav/a",
      "http://127.0.0.1:8081/dav/a",
      "/api/paste",
      "/davx/a",
      "http://files.example/",
    ])
      expect(path(one)).toBe("dav.elsewhere");
    for (const one of [
      "",
      "dav/a",
      "ftp://files.example/dav/a",
      "//files.example/dav/a",
      "http://files.example",
      "/dav/a#b",
      "/dav/a?b",
    ])
      expect([one, path(one)]).toEqual([one, one.startsWith("//") ? "dav.elsewhere" : "header.invalid"]);
    for (const one of ["/dav/%", "/dav/%ff", "/dav/a%2Fb"]) expect(path(one)).toBe("path.invalid");
  });
});

test("names stand in addresses as they are", () => {
  const names = ["a b", "100%", "#?+&=", "数", "e\u0301", "\u00e9", "😀", "a'b(c)*!~", "%2e%2e", "x".repeat(255)];
  for (const name of names) {
    const href = hrefOf(pathsAt(""), `/drive/${name}`, "file");
    expect(href).toMatch(/^\/dav\/drive\/[\w.~%-]+$/);
    expect(pathBelowDav(href)).toBe(`/drive/${name}`);
  }
  expect([hrefOf(pathsAt(""), "/", "folder"), hrefOf(pathsAt(""), "/a", "folder")]).toEqual(["/dav/", "/dav/a/"]);
});
