import { describe, expect, test } from "bun:test";
import { lockInfo, setting } from "../../../support/clients/dav.ts";
import { openDav } from "../../../support/clients/open-dav.ts";

async function open() {
  const here = await openDav();
  await here.send("PUT", "/drive/a", { body: "a" });
  return here;
}

/** Bodies that no method understands. */
const bodies: Record<string, string | Uint8Array<ArrayBuffer>> = {
  "no XML": "not xml",
  "half an element": '<D:propfind xmlns:D="DAV:"><D:prop>',
  "another root": '<D:nothing xmlns:D="DAV:"/>',
  "no namespace": "<propfind><prop><x/></prop></propfind>",
  "an unbound prefix": "<D:propfind><D:prop/></D:propfind>",
  "a prefix bound to nothing": '<D:propfind xmlns:D="DAV:" xmlns:x=""><D:prop/></D:propfind>',
  "an entity of its own":
    '<!DOCTYPE D:propfind [<!ENTITY x SYSTEM "file:///etc/passwd">]><D:propfind xmlns:D="DAV:"><D:prop>&x;</D:prop></D:propfind>',
  "a billion laughs": `<!DOCTYPE l [<!ENTITY a "lol">${"bcdefghi"
    .split("")
    .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefgh"[index]};`.repeat(10)}">`)
    .join("")}]><l>&i;</l>`,
  "elements too deep": `${"<a>".repeat(1000)}${"</a>".repeat(1000)}`,
  "too many elements": `<a>${"<b/>".repeat(20_000)}</a>`,
  "two wants": '<D:propfind xmlns:D="DAV:"><D:prop/><D:allprop/></D:propfind>',
  "nothing wanted": '<D:propfind xmlns:D="DAV:"/>',
  "bytes that are no text": new Uint8Array([0x3c, 0x61, 0xff, 0xfe, 0x3e]),
  "names of JavaScript": '<D:propfind xmlns:D="DAV:"><D:prop><__proto__/></D:prop></D:propfind>',
  "too many names": `<D:propfind xmlns:D="DAV:"><D:prop>${"<x/>".repeat(2000)}</D:prop></D:propfind>`,
};

describe("a body", () => {
  for (const [what, body] of Object.entries(bodies))
    test(`with ${what} is refused by every method that reads one`, async () => {
      await using here = await open();
      for (const method of ["PROPFIND", "PROPPATCH", "LOCK"]) {
        const answer = await here.send(method, "/drive/a", { body, headers: { depth: "0" } });
        expect([method, answer.status, answer.code]).toEqual([method, 400, "xml.invalid"]);
        expect(answer.text).not.toMatch(/passwd|lol|fast-xml|\.ts:/);
      }
      expect(await here.text("/drive/a")).toBe("a");
      expect(await here.house.log()).not.toContain('"event":"unhandled error"');
    });

  test("of more than 128 KiB is refused, said or not, and the largest property is not", async () => {
    await using here = await open();
    const property = `<x xmlns="u">${"x".repeat(63 * 1024)}</x>`;
    const update = `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>${property}</D:prop></D:set></D:propertyupdate>`;
    expect((await here.send("PROPPATCH", "/drive/a", { body: update })).text).toContain("HTTP/1.1 200 OK");
    const body = `<a>${" ".repeat(128 * 1024)}</a>`;
    const sizes: Record<string, string>[] = [{}, { "content-length": String(body.length) }];
    for (const headers of sizes)
      expect(await here.status("PROPFIND", "/drive/a", { body, headers: { depth: "0", ...headers } })).toBe(413);
  });

  test("asks for names of sixteen kilobytes together, as they would be answered", async () => {
    await using here = await open();
    const ask = async (count: number, length: number, namespace = "u") => {
      const names = Array.from({ length: count }, (_, index) => `<n${"x".repeat(length - 4)}${100 + index}/>`).join("");
      const wanted = [`<D:prop xmlns="${namespace}">${names}</D:prop>`];
      wanted.push(`<D:allprop/><D:include xmlns="${namespace}">${names}</D:include>`);
      const answers: string[] = [];
      for (const inner of wanted) {
        const body = `<D:propfind xmlns:D="DAV:">${inner}</D:propfind>`;
        const { status, code } = await here.send("PROPFIND", "/drive", { body, headers: { depth: "1" } });
        answers.push(code === undefined ? String(status) : `${status} ${code}`);
      }
      return answers;
    };
    expect(await ask(128, 127)).toEqual(["207", "207"]);
    expect(await ask(128, 128)).toEqual(["413 dav.names", "413 dav.names"]);
    expect(await ask(3, 4500)).toEqual(["207", "207"]);
    expect(await ask(128, 100, "&amp;&amp;&amp;&amp;&amp;&amp;")).toEqual(["413 dav.names", "413 dav.names"]);
  });

  test("may have elements and attributes that nobody knows", async () => {
    await using here = await open();
    const body =
      '<D:propfind xmlns:D="DAV:" x="y"><future xmlns="urn:f"><a/></future><D:prop><D:getetag z="1"/></D:prop></D:propfind>';
    expect(await here.status("PROPFIND", "/drive/a", { body, headers: { depth: "0" } })).toBe(207);
  });
});

describe("a header", () => {
  const wrong: [string, string, Record<string, string>, string?][] = [
    ["PROPFIND", "/drive", { depth: "1, 1" }],
    ["PROPFIND", "/drive", { depth: "-1" }],
    ["PROPFIND", "/drive", { depth: "0", if: "nonsense" }],
    ["PUT", "/drive/a", { if: "(<a" }, "x"],
    ["PUT", "/drive/a", { if: "(<opaquelocktoken:1>), (<opaquelocktoken:2>)" }, "x"],
    ["PUT", "/drive/a", { if: "" }, "x"],
    ["PUT", "/drive/a", { "content-range": "bytes 0-0/1" }, "x"],
    ["PUT", "/drive/a", { "x-oc-mtime": "1, 2" }, "x"],
    ["DELETE", "/drive/a", { depth: "1" }],
    ["MOVE", "/drive/a", {}],
    ["MOVE", "/drive/a", { destination: "/dav/drive/b, /dav/drive/c" }],
    ["MOVE", "/drive/a", { destination: "/dav/drive/b", overwrite: "T, F" }],
    ["COPY", "/drive/a", { destination: "/dav/drive/../../etc" }],
    ["COPY", "/drive/a", { destination: "/dav/drive/%2e%2e/x" }],
    ["COPY", "/drive/a", { destination: "/dav/drive/a%00" }],
    ["COPY", "/drive/a", { destination: "/dav/drive/a%5C..%5Cb" }],
    ["LOCK", "/drive/a", { timeout: "Second-1, nonsense", depth: "2" }, lockInfo()],
    ["UNLOCK", "/drive/a", { "lock-token": "<a>, <b>" }],
    ["UNLOCK", "/drive/a", {}],
  ];
  for (const [method, path, headers, body] of wrong)
    test(`${method} ${JSON.stringify(headers)} is refused`, async () => {
      await using here = await open();
      expect(await here.status(method, path, { headers, ...(body !== undefined && { body }) })).toBe(400);
      expect([await here.text("/drive/a"), await here.names("/drive")]).toEqual(["a", ["a"]]);
    });
});

test("a method that WebDAV does not have is refused", async () => {
  await using here = await open();
  for (const method of ["POST", "PATCH", "REPORT", "SEARCH"])
    expect([method, (await here.send(method, "/drive/a")).status]).toEqual([method, 405]);
});

test("a path that leads elsewhere is refused", async () => {
  await using here = await open();
  for (const path of [
    "/dav/drive/a%2Fb",
    "/dav/drive/a%00",
    "/dav/drive/%ff",
    "/dav/drive/a%5Cb",
    `/dav/${"x".repeat(3000)}`,
  ])
    expect([path.slice(0, 20), (await here.at("PROPFIND", path, { headers: { depth: "0" } })).status]).toEqual([
      path.slice(0, 20),
      400,
    ]);
  // The URL itself resolves dots, and what comes of that is no path of WebDAV.
  expect((await here.at("PROPFIND", "/dav/../api/admin/mounts", { headers: { depth: "0" } })).status).not.toBe(207);
});

test("a property that looks like XML cannot become some", async () => {
  await using here = await open();
  const text = "]]&gt;&lt;/D:prop&gt;&lt;D:evil/&gt;";
  await here.send("PROPPATCH", "/drive/a", { body: setting(`<x:p y="&quot;&gt;&lt;z/&gt;">${text}</x:p>`) });
  await here.send("PUT", "/drive/<D:evil>&amp;", { body: "" });
  const found = await here.propfind("/drive", "1");
  expect(found.map(({ properties }) => properties.displayname)).toEqual(["drive", "<D:evil>&amp;", "a"]);
  expect(found[2]?.properties["{urn:x}p"]).toBe("]]></D:prop><D:evil/>");
});
