import { describe, expect, test } from "bun:test";
import { createSigner, encodeKey } from "../../../src/lib/signatures/sigv4.ts";
import { amzDate, createSigningKeys, scopeOf, signatureOf } from "../../../src/lib/signatures/sigv4-canonical.ts";
import { createVerifier, type RequestParts } from "../../../src/lib/signatures/sigv4-verify.ts";

const credentials = { accessKey: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const now = Date.UTC(2013, 4, 24);
const region = "us-east-1";
const HOST = "examplebucket.s3.amazonaws.com";
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const MINUTE = 60_000;

const signer = createSigner();
const verify = createVerifier();
const lookup = (accessKey: string) => (accessKey === credentials.accessKey ? credentials.secret : undefined);

/** A request as a server sees it, from what the signer made. */
function arrived(method: string, url: string, headers: Record<string, string> = {}): RequestParts {
  const [, host = "", path = "", query = ""] = /^https?:\/\/([^/?]+)([^?]*)\??(.*)$/.exec(url) ?? [];
  const authorization = headers.authorization ?? null;
  return { method, path, query, headers: new Headers(headers), authorization, hosts: [host] };
}

const check = (request: RequestParts, at = now) => verify(request, { lookup, now: at });
const reason = async (request: RequestParts, at = now) => {
  const verdict = await check(request, at);
  return verdict.ok ? "ok" : verdict.reason;
};

describe("the examples of the S3 API reference", () => {
  const PUT_HASH = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
  const PUT_HEADERS = { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" };
  test.each([
    [
      "GET",
      "/test.txt",
      { range: "bytes=0-9" },
      EMPTY,
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "PUT",
      "/test$file.text",
      PUT_HEADERS,
      PUT_HASH,
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    ["GET", "/?lifecycle", {}, EMPTY, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
    ["GET", "/?max-keys=2&prefix=J", {}, EMPTY, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
  ] as const)("%s %s", async (method, path, headers, payloadHash, signature) => {
    const url = `https://${HOST}${path}`;
    const signed = signer.sign(method, url, { credentials, region, now, headers: { ...headers }, payloadHash });
    expect(signed.headers.authorization).toEndWith(`,Signature=${signature}`);
    expect(signed.headers["x-amz-date"]).toBe("20130524T000000Z");
    const verdict = await check(arrived(method, url, signed.headers));
    expect(verdict).toMatchObject({ ok: true, accessKey: credentials.accessKey, region, payloadHash, signature });
  });

  test("a presigned GET", async () => {
    const url = signer.presign("GET", `https://${HOST}/test.txt`, { credentials, region, now, expires: 86_400 });
    expect(url).toBe(
      `https://${HOST}/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256` +
        "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z" +
        "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
        "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    );
    expect(await check(arrived("GET", url))).toMatchObject({ ok: true, payloadHash: "UNSIGNED-PAYLOAD" });
  });

  test("the seed of a chunked PUT", async () => {
    const payloadHash = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
    const headers = {
      "content-encoding": "aws-chunked",
      "content-length": "66824",
      "x-amz-decoded-content-length": "66560",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
    };
    const url = "https://s3.amazonaws.com/examplebucket/chunkObject.txt";
    const signed = signer.sign("PUT", url, { credentials, region, now, headers, payloadHash });
    expect(await check(arrived("PUT", signed.url, signed.headers))).toMatchObject({
      ok: true,
      payloadHash,
      signature: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
      timestamp: "20130524T000000Z",
      scope: "20130524/us-east-1/s3/aws4_request",
    });
  });
});

const odd = `https://files.example:8443/bucket/${encodeKey("a//b c/%41#?+~文/🎉'()*!.txt")}`;
const presigned = (method = "PUT") =>
  signer.presign(method, odd, {
    credentials,
    region,
    now,
    expires: 900,
    headers: { "Content-Type": "text/plain", "x-amz-acl": "private" },
    query: { partNumber: "3", "response-content-disposition": 'attachment; filename="a b+c"', empty: "" },
  });
const sent = { "content-type": "text/plain", "x-amz-acl": "private" };
const signedPut = () =>
  signer.sign("PUT", `${odd}?a=1&a=0&a-b=2&b`, { credentials, region, now, headers: sent, payloadHash: EMPTY });

describe("signing", () => {
  test("a span of time that S3 does not know and a URL that is none are refused", () => {
    const at = { credentials, region, now };
    for (const expires of [0, -1, 1.5, 604_801, Number.NaN])
      expect(() => signer.presign("GET", odd, { ...at, expires })).toThrow(RangeError);
    for (const url of ["ftp://a/b", "/a", "https://user@host/", "https://a/%zz", "https://a/?%"])
      expect(() => signer.presign("GET", url, { ...at, expires: 9 })).toThrow(TypeError);
    expect(signer.presign("GET", odd, { ...at, expires: 604_800 })).toContain("X-Amz-Expires=604800");
  });

  test("a URL is written as it was signed: encoded once, dots left alone, without the scheme's own port", () => {
    const options = { credentials, region, now, payloadHash: EMPTY };
    const written = (url: string) => signer.sign("GET", url, options).url;
    expect(written("HTTPS://Example.com:443/a/../b/./$c(%7e)%2f?b+c=%2b&a=é#part")).toBe(
      "https://example.com/a/../b/./%24c%28~%29%2F?a=%C3%A9&b%20c=%2B",
    );
    expect(written("http://[::1]:9000")).toBe("http://[::1]:9000/");
  });
});

describe("checking", () => {
  test("what was signed is accepted, in either form and by any of our names", async () => {
    const put = signedPut();
    expect(await reason(arrived("PUT", put.url, put.headers))).toBe("ok");
    expect(await reason(arrived("PUT", presigned(), sent))).toBe("ok");
    const behindProxy = { ...arrived("PUT", presigned(), sent), hosts: ["inside:80", "files.example:8443"] };
    expect(await reason(behindProxy)).toBe("ok");
    expect(await reason({ ...behindProxy, hosts: ["inside:80"] })).toBe("signature mismatch");
    expect(await reason({ ...behindProxy, hosts: [] })).toBe("signature mismatch");
  });

  test("another way to write the same is accepted", async () => {
    const request = arrived("PUT", presigned(), sent);
    const same: Partial<RequestParts>[] = [
      { query: request.query.split("&").reverse().join("&") },
      { query: request.query.replaceAll("%20", "+") },
      { query: request.query.replaceAll("%2F", "%2f") },
      { path: request.path.replace("%28%29%2A%21", "()*!").replace("~", "%7e") },
      { headers: new Headers({ "content-type": "  text/plain ", "x-amz-acl": "private" }) },
    ];
    for (const change of same) expect(await reason({ ...request, ...change })).toBe("ok");
  });

  test("any changed byte is refused", async () => {
    const change = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1);
    const put = signedPut();
    for (const request of [arrived("PUT", put.url, put.headers), arrived("PUT", presigned(), sent)]) {
      for (const part of ["method", "path", "query"] as const)
        for (let at = 0; at < request[part].length; at += 1)
          expect(await reason({ ...request, [part]: change(request[part], at) })).not.toBe("ok");
      for (const [name, value] of request.headers)
        for (let at = name === "authorization" ? "AWS4-HMAC-SHA256 ".length : 0; at < value.length; at += 1) {
          const headers = new Headers(request.headers);
          headers.set(name, change(value, at));
          const authorization = headers.get("authorization");
          expect([name, await reason({ ...request, headers, authorization })]).not.toEqual([name, "ok"]);
        }
    }
    const other = { ...put.headers, "x-amz-content-sha256": EMPTY.replace("e3", "e4") };
    expect(await reason(arrived("PUT", put.url, other))).toBe("signature mismatch");
    expect(await reason(arrived("GET", put.url, put.headers))).toBe("signature mismatch");
    expect(await reason(arrived("PUT", `${put.url}&c=`, put.headers))).toBe("signature mismatch");
  });

  test("header values are bytes, and 0xa0 is no blank", async () => {
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    const make = (value: string) =>
      signer.sign("PUT", odd, {
        credentials,
        region,
        now,
        headers: { "x-amz-meta-a": bytes(value) },
        payloadHash: EMPTY,
      });
    const put = make("à  la\t文");
    expect(await reason(arrived("PUT", put.url, put.headers))).toBe("ok");
    const changed = { ...put.headers, "x-amz-meta-a": bytes("à la 文") };
    expect(await reason(arrived("PUT", put.url, changed))).toBe("ok");
    for (const value of ["Ã la 文", "à la 斈"])
      expect(await reason(arrived("PUT", put.url, { ...put.headers, "x-amz-meta-a": bytes(value) }))).toBe(
        "signature mismatch",
      );
  });

  test("time: 15 minutes of skew in a header, the expiry in a query", async () => {
    const put = signedPut();
    const header = arrived("PUT", put.url, put.headers);
    const query = arrived("PUT", presigned(), sent);
    const at = async (request: RequestParts) =>
      Promise.all(
        [-15 * MINUTE - 1, -15 * MINUTE, 15 * MINUTE, 15 * MINUTE + 1].map((shift) => reason(request, now + shift)),
      );
    expect(await at(header)).toEqual(["clock skew", "ok", "ok", "clock skew"]);
    expect(await at(query)).toEqual(["clock skew", "ok", "ok", "expired"]);
  });

  test("old clients may send Date alone, and leave the hash's name unlisted", async () => {
    const key = createSigningKeys()(credentials.secret, amzDate(now), region);
    for (const date of ["Fri, 24 May 2013 00:00:00 GMT", "20130524T000000Z"]) {
      const headers = [["date", date] as const, ["host", HOST] as const];
      const request = { method: "GET", path: "/a", parameters: [], headers, payloadHash: EMPTY };
      const signature = signatureOf({ key, timestamp: amzDate(now), region, request });
      const credential = `${credentials.accessKey}/${scopeOf(amzDate(now), region)}`;
      const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=date;host, Signature=${signature}`;
      const old = { date, authorization, "x-amz-content-sha256": EMPTY };
      expect(await reason(arrived("GET", `https://${HOST}/a`, old))).toBe("ok");
      expect(await reason(arrived("GET", `https://${HOST}/a`, { ...old, date: "yesterday" }))).toBe("malformed");
    }
  });

  test("a key that nobody has, a host or an x-amz- header that is not signed", async () => {
    const stranger = { accessKey: "AKIANOBODY", secret: credentials.secret };
    const put = signer.sign("PUT", odd, { credentials: stranger, region, now, payloadHash: EMPTY });
    expect(await reason(arrived("PUT", put.url, put.headers))).toBe("unknown key");
    expect(await reason(arrived("PUT", presigned(), { ...sent, "x-amz-meta-a": "1" }))).toBe("header not signed");
    const own = signedPut();
    expect(await reason(arrived("PUT", own.url, { ...own.headers, "X-Amz-Tagging": "a" }))).toBe("header not signed");
    const hostless = { ...own.headers, authorization: (own.headers.authorization ?? "").replace(";host;", ";") };
    expect(await reason(arrived("PUT", own.url, hostless))).toBe("host not signed");
  });

  test("a lookup that takes its time, and one that fails", async () => {
    const request = arrived("PUT", presigned(), sent);
    const slowly = (key: string) => Promise.resolve(lookup(key));
    expect((await verify(request, { lookup: slowly, now })).ok).toBe(true);
    const failing = () => Promise.reject(new Error("the database is gone"));
    await expect(verify(request, { lookup: failing, now })).rejects.toThrow("gone");
  });
});

describe("nonsense is malformed, whatever its size", () => {
  const { authorization = "", ...rest } = signedPut().headers;
  const long = "a".repeat(40_000);
  test.each([
    ["nothing", ""],
    ["another algorithm", authorization.replace("AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256")],
    ["no signature", authorization.replace(/,Signature=.*/, "")],
    ["two signatures", `${authorization},Signature=${EMPTY}`],
    ["a signature that is no hexadecimal", authorization.replace(/Signature=./, "Signature=g")],
    ["an upper-case header name", authorization.replace("host", "Host")],
    ["unsorted header names", authorization.replace("content-type;host", "host;content-type")],
    ["a header name twice", authorization.replace("host", "host;host")],
    ["no header names", authorization.replace(/SignedHeaders=[^,]*/, "SignedHeaders=")],
    [
      "too many header names",
      authorization.replace("host", Array.from({ length: 80 }, (_, i) => `h${i + 10}`).join(";")),
    ],
    ["another service", authorization.replace("/s3/", "/iam/")],
    ["another day", authorization.replace("/20130524/", "/20130525/")],
    ["no access key", authorization.replace(credentials.accessKey, "")],
    ["a long access key", authorization.replace(credentials.accessKey, long)],
    ["a long region", authorization.replace("us-east-1", long)],
  ])("in the header: %s", async (_, text) => {
    expect(await reason(arrived("PUT", signedPut().url, { ...rest, authorization: text }))).toBe("malformed");
  });

  test.each([
    ["x-amz-date", "20130532T000000Z"],
    ["x-amz-date", "20130524T000000Z, 20130524T000000Z"],
    ["x-amz-date", "2013-05-24T00:00:00Z"],
    ["x-amz-content-sha256", ""],
    ["x-amz-content-sha256", "STREAMING-"],
    ["x-amz-content-sha256", EMPTY.toUpperCase()],
  ])("in %s: %s", async (name, value) => {
    expect(await reason(arrived("PUT", signedPut().url, { ...signedPut().headers, [name]: value }))).toBe("malformed");
  });

  test.each([
    ["X-Amz-Expires=900", "X-Amz-Expires=0"],
    ["X-Amz-Expires=900", "X-Amz-Expires=604801"],
    ["X-Amz-Expires=900", "X-Amz-Expires=9e2"],
    ["X-Amz-Expires=900", "X-Amz-Expires=900&X-Amz-Expires=900"],
    ["X-Amz-Expires=900", "x-amz-expires=900"],
    ["X-Amz-Date=", "X-Amz-Day="],
    ["X-Amz-Signature=", "Signature="],
    ["AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1"],
    ["us-east-1", "%FF"],
    ["partNumber=3", "partNumber=%"],
    ["partNumber=3", "partNumber=%4"],
    ["partNumber=3", `partNumber=${long}`],
    ["partNumber=3", "p&".repeat(200)],
  ])("in the query: %s", async (before, after) => {
    expect(await reason(arrived("PUT", presigned().replace(before, after), sent))).toBe("malformed");
  });

  test("in the path, and in a query that contradicts a header", async () => {
    const request = arrived("PUT", presigned(), sent);
    for (const path of ["/%", "/%g0", `/${long}`]) expect(await reason({ ...request, path })).toBe("malformed");
    expect(await reason({ ...request, path: "/%ff\ud800" })).toBe("signature mismatch");
    const both = { ...sent, "x-amz-content-sha256": EMPTY };
    const stated = presigned().replace("&X-Amz-Expires", "&X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&X-Amz-Expires");
    expect(await reason(arrived("PUT", stated, both))).toBe("malformed");
    expect(await reason(arrived("PUT", presigned(), both))).toBe("signature mismatch");
  });
});
