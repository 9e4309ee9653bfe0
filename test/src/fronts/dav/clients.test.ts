import { describe, expect, test } from "bun:test";
import { davCalls, davUrl, setting } from "../../../support/clients/dav.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/**
 * What clients that do not run here send, in the order in which they send it: written from the documentation of Apple's WebDAV
 * file system and of Microsoft's Mini-Redirector ([MS-WDV], [MS-WDVME]).
 */

/** One request of a client, and what it needs to hear. */
interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** Parts of the answer. */
  readonly has?: readonly string[];
  /** Headers of the answer. */
  readonly says?: Readonly<Record<string, RegExp>>;
}

/** Plays the requests of a client; `TOKEN` in a header is the token of the last lock. */
async function play(steps: readonly Step[], agent: string): Promise<void> {
  await using house = await openTestHouse();
  const dav = davCalls(house);
  let token = "";
  for (const { method, path, headers = {}, body, status, has = [], says = {} } of steps) {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("TOKEN", token)]),
    );
    const answer = await dav.send(method, path, {
      headers: { "user-agent": agent, ...sent },
      ...(body !== undefined && { body }),
    });
    expect({ method, path, status: answer.status, text: answer.text }).toMatchObject({ method, path, status });
    for (const part of has) expect(answer.text).toContain(part);
    for (const [name, pattern] of Object.entries(says)) expect(answer.headers.get(name) ?? "").toMatch(pattern);
    token = answer.headers.get("lock-token")?.slice(1, -1) ?? token;
  }
}

const finderLock = `<?xml version="1.0" encoding="utf-8"?>
<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>
<D:owner><D:href>http://www.apple.com/webdav_fs/</D:href></D:owner></D:lockinfo>`;

const finderFind = (properties: string) => `<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:"><D:prop>${properties}</D:prop></D:propfind>`;
const finderStat = finderFind("<D:getlastmodified/><D:getcontentlength/><D:creationdate/><D:resourcetype/>");

/** Saves one file as the Finder does: an empty PUT makes it, a lock holds it, and then its bytes come. */
const finderSaves = (path: string, bytes: string): Step[] => [
  { method: "PROPFIND", path, headers: { depth: "0" }, body: finderStat, status: 404 },
  { method: "PUT", path, headers: { "content-length": "0" }, status: 201 },
  {
    method: "LOCK",
    path,
    headers: { depth: "0", timeout: "Second-600" },
    body: finderLock,
    status: 200,
    has: ["<D:exclusive/>"],
  },
  { method: "PROPFIND", path, headers: { depth: "0" }, body: finderStat, status: 207, has: ["<D:getcontentlength>0<"] },
  {
    method: "PUT",
    path,
    headers: { if: "(<TOKEN>)", "x-expected-entity-length": String(bytes.length) },
    body: bytes,
    status: 204,
    says: { etag: /^"/ },
  },
  { method: "LOCK", path, headers: { if: "(<TOKEN>)", timeout: "Second-600" }, status: 200 },
  { method: "UNLOCK", path, headers: { "lock-token": "<TOKEN>" }, status: 204 },
];

describe("the Finder", () => {
  test("connects, looks around and saves a file with its ._ and .DS_Store", () =>
    play(
      [
        { method: "OPTIONS", path: "/drive/", status: 200, says: { dav: /\b2\b/, allow: /LOCK/ } },
        { method: "PROPFIND", path: "/drive/", headers: { depth: "0" }, body: finderStat, status: 207 },
        {
          method: "PROPFIND",
          path: "/drive/",
          headers: { depth: "0" },
          body: finderFind("<D:quota-available-bytes/><D:quota-used-bytes/><D:quota/><D:quotaused/>"),
          status: 207,
          has: ["<D:quota-available-bytes>", "404 Not Found"],
        },
        { method: "PROPFIND", path: "/drive/._.", headers: { depth: "0" }, body: finderStat, status: 404 },
        { method: "PROPFIND", path: "/drive/.DS_Store", headers: { depth: "0" }, body: finderStat, status: 404 },
        ...finderSaves("/drive/Caf\u0065\u0301.txt", "hello"),
        ...finderSaves("/drive/._Caf\u0065\u0301.txt", "resource fork"),
        ...finderSaves("/drive/.DS_Store", "Bud1"),
        {
          method: "PROPFIND",
          path: "/drive/",
          headers: { depth: "1" },
          body: finderStat,
          status: 207,
          has: ["/dav/drive/Cafe%CC%81.txt", "/dav/drive/._Cafe%CC%81.txt", "/dav/drive/.DS_Store"],
        },
        {
          method: "MOVE",
          path: "/drive/Caf\u0065\u0301.txt",
          headers: { destination: `http://satchel.test${davUrl("/drive/renamed.txt")}`, overwrite: "T" },
          status: 201,
        },
        { method: "GET", path: "/drive/renamed.txt", headers: { range: "bytes=0-" }, status: 206, has: ["hello"] },
        { method: "DELETE", path: "/drive/renamed.txt", status: 204 },
      ],
      "WebDAVFS/3.0.0 (03008000) Darwin/23.0.0 (x86_64)",
    ));
});

const windowsLock = `<?xml version="1.0" encoding="utf-8" ?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner><D:href>DESKTOP\\somebody</D:href></D:owner></D:lockinfo>`;
const windowsTimes = setting(
  "<Z:Win32CreationTime>Tue, 14 Nov 2023 22:13:20 GMT</Z:Win32CreationTime><Z:Win32LastAccessTime>Tue, 14 Nov 2023 22:13:20 GMT</Z:Win32LastAccessTime><Z:Win32LastModifiedTime>Tue, 14 Nov 2023 22:13:20 GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000020</Z:Win32FileAttributes>",
);

describe("the Mini-Redirector of Windows", () => {
  test("connects, saves a file with its times and renames it", () =>
    play(
      [
        { method: "OPTIONS", path: "/drive", status: 200, says: { "ms-author-via": /^DAV$/, dav: /^1, 2/ } },
        {
          method: "PROPFIND",
          path: "/drive",
          headers: { depth: "0", translate: "f", "content-length": "0" },
          status: 207,
          has: ["<D:collection/>", "HTTP/1.1 200 OK"],
        },
        { method: "PROPFIND", path: "/drive/a b.docx", headers: { depth: "0", translate: "f" }, status: 404 },
        { method: "PUT", path: "/drive/a b.docx", headers: { translate: "f", "content-length": "0" }, status: 201 },
        {
          method: "LOCK",
          path: "/drive/a b.docx",
          headers: { timeout: "Second-3600", translate: "f" },
          body: windowsLock,
          status: 200,
          has: ["DESKTOP\\somebody", "<D:timeout>Second-3600<"],
        },
        {
          method: "PROPPATCH",
          path: "/drive/a b.docx",
          headers: { if: "(<TOKEN>)", translate: "f" },
          body: windowsTimes,
          status: 207,
          has: ["HTTP/1.1 200 OK"],
        },
        { method: "HEAD", path: "/drive/a b.docx", headers: { translate: "f" }, status: 200 },
        {
          method: "PUT",
          path: "/drive/a b.docx",
          headers: { if: "(<TOKEN>)", translate: "f" },
          body: "PK",
          status: 204,
        },
        { method: "PROPPATCH", path: "/drive/a b.docx", headers: { if: "(<TOKEN>)" }, body: windowsTimes, status: 207 },
        {
          method: "UNLOCK",
          path: "/drive/a b.docx",
          headers: { "lock-token": "<TOKEN>", translate: "f" },
          status: 204,
        },
        {
          method: "PROPFIND",
          path: "/drive",
          headers: { depth: "1", translate: "f", "content-length": "0" },
          status: 207,
          has: [
            "/dav/drive/a%20b.docx",
            "Win32FileAttributes",
            ">00000020<",
            "<D:getlastmodified>Tue, 14 Nov 2023 22:13:20 GMT<",
          ],
        },
        {
          method: "MOVE",
          path: "/drive/a b.docx",
          headers: { destination: `http://satchel.test${davUrl("/drive/c.docx")}`, overwrite: "F", translate: "f" },
          status: 201,
        },
        { method: "PROPFIND", path: "/drive/c.docx", headers: { depth: "0" }, status: 207, has: [">00000020<"] },
        { method: "GET", path: "/drive/c.docx", headers: { translate: "f" }, status: 200, has: ["PK"] },
        { method: "MKCOL", path: "/drive/New folder", headers: { translate: "f" }, status: 201 },
        { method: "PROPPATCH", path: "/drive/New folder", body: windowsTimes, status: 207, has: ["HTTP/1.1 200 OK"] },
        { method: "DELETE", path: "/drive/New folder", headers: { translate: "f" }, status: 204 },
      ],
      "Microsoft-WebDAV-MiniRedir/10.0.19045",
    ));
});

test("a player that asks in ranges gets them, and learns the size first", () =>
  play(
    [
      { method: "PUT", path: "/drive/film.mkv", body: "0123456789", status: 201 },
      {
        method: "HEAD",
        path: "/drive/film.mkv",
        status: 200,
        says: { "content-length": /^10$/, "accept-ranges": /^bytes$/ },
      },
      {
        method: "GET",
        path: "/drive/film.mkv",
        headers: { range: "bytes=8-" },
        status: 206,
        has: ["89"],
        says: { "content-range": /^bytes 8-9\/10$/ },
      },
      { method: "GET", path: "/drive/film.mkv", headers: { range: "bytes=0-0" }, status: 206, has: ["0"] },
    ],
    "Infuse-Direct/7.6",
  ));

test("gvfs and Cyberduck save by a file of another name that they move over the first", () =>
  play(
    [
      { method: "PUT", path: "/drive/text", body: "old", status: 201 },
      { method: "PUT", path: "/drive/.goutputstream-1", headers: { "if-none-match": "*" }, body: "new", status: 201 },
      {
        method: "MOVE",
        path: "/drive/.goutputstream-1",
        headers: { destination: `http://satchel.test${davUrl("/drive/text")}`, overwrite: "T" },
        status: 204,
      },
      { method: "GET", path: "/drive/text", status: 200, has: ["new"] },
    ],
    "gvfs/1.54",
  ));
