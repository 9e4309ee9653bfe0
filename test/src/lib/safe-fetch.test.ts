import { describe, expect, test } from "bun:test";
import { publicOnly } from "../../../src/lib/addresses.ts";
import { createSafeFetch, readSourceUrl } from "../../../src/lib/safe-fetch.ts";
import { head, outcome, safe, say } from "../../support/clients/safe-fetch.ts";
import { openRawSource } from "../../support/servers/raw-source.ts";

describe("addresses", () => {
  const forbidden = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0.0.0.0",
    "0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "127。0。0。1",
    "⑫⑦.0.0.1",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2001:0:1::1]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
  ];
  test.each(forbidden)("%s is not connected to", async (host) => {
    expect(await outcome(`http://${host}/`, { policy: publicOnly })).toBe("forbidden");
  });

  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "64:ff9b::808:808"])(
    "%s may be",
    (address) => expect(publicOnly.forbids(address)).toBe(false),
  );

  test("a name is refused when one of its addresses is private", async () => {
    const resolve = () => ["8.8.8.8", "10.0.0.1"];
    expect(await outcome("http://files.test/", { policy: publicOnly, resolve })).toBe("forbidden");
  });

  test("a name that leads elsewhere at the second question is connected to as it was checked, and refused later", async () => {
    await using source = await openRawSource(say(`${head("content-length: 2", "connection: close")}ok`));
    let asked = 0;
    const policy = { forbids: (address: string) => address !== "127.0.0.1" };
    const resolve = () => (asked++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]);
    const times = [0, 0, 0, 6000, 6000, 6000];
    const get = createSafeFetch({ fetch, policy, resolve: async () => resolve(), clock: () => times.shift() ?? 6000 });
    const url = `http://files.test:${source.port}/`;
    const answer = await get(url, { method: "GET" });
    expect(await new Response(answer.body(10)).text()).toBe("ok");
    expect(asked).toBe(1);
    times.length = 0;
    await expect(get(url, { method: "GET" })).rejects.toMatchObject({ problem: "forbidden" });
    expect(source.requests).toHaveLength(1);
  });
});

describe("URLs", () => {
  test.each([
    ["ftp://files.test/a", "invalid"],
    ["file:///etc/passwd", "invalid"],
    ["data:text/plain,x", "invalid"],
    ["//files.test/a", "invalid"],
    ["files.test/a", "invalid"],
    ["", "invalid"],
    ["http://user:secret@files.test/", "invalid"],
    ["http://@:80", "invalid"],
    ["http://files.test:25/", "forbidden"],
    ["https://files.test:22/", "forbidden"],
    ["http://files.test:0/", "forbidden"],
  ])("%s is %s", (url, problem) => expect(() => readSourceUrl(url)).toThrow(problem));

  test("a fragment stays here", () => expect(readSourceUrl("https://a.test/b?c#d").href).toBe("https://a.test/b?c"));
});

describe("redirects", () => {
  const redirecting = (location: string) =>
    openRawSource(say(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`));

  test.each([
    ["http://10.0.0.1/", "forbidden"],
    ["http://169.254.169.254/latest/meta-data/", "forbidden"],
    ["http://files.test:25/", "forbidden"],
    ["file:///etc/passwd", "invalid"],
    ["http://user:secret@files.test/", "invalid"],
  ])("to %s are %s", async (location, problem) => {
    await using source = await redirecting(location);
    const policy = { forbids: (address: string) => address !== "127.0.0.1" };
    expect(await outcome(source.url, { policy })).toBe(problem);
  });

  test("without end are given up", async () => {
    await using source = await redirecting("/again");
    expect(await outcome(source.url)).toBe("redirects");
    expect(source.requests).toHaveLength(9);
  });

  test("are followed, and tell where they ended", async () => {
    await using last = await openRawSource(say(`${head("content-length: 2")}ok`));
    await using source = await redirecting(`${last.url}file.txt`);
    const answer = await safe()(source.url, { method: "GET" });
    expect(answer.url.href).toBe(`${last.url}file.txt`);
    expect(await new Response(answer.body(10)).text()).toBe("ok");
  });

  test("carry neither cookie nor credential along", async () => {
    await using last = await openRawSource(say(head("content-length: 0")));
    const first = `HTTP/1.1 302 Found\r\nset-cookie: a=b\r\nlocation: ${last.url}\r\ncontent-length: 0\r\n\r\n`;
    await using source = await openRawSource(say(first));
    await safe()(source.url, { method: "GET" });
    expect(last.requests[0]).not.toMatch(/cookie|authorization|referer/i);
  });
});
