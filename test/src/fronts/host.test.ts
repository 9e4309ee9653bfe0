import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { uploads } from "#contract/uploads";
import { createHostCheck } from "../../../src/fronts/context.ts";
import { listen, openConnection } from "../../support/servers/listening.ts";
import { ask, nothing, remains, shareFile } from "../../support/share-file.ts";
import { openTestHouse } from "../../support/test-house.ts";

const good = ["nas", "pi.local", "my_nas:8787", "A.Test", "a.test:80", "A.TEST:443", "a.test.", "127.0.0.1:8787"];
const goodToo = ["[::1]", "[::1]:80", "[2001:db8::1]:8787", "xn--fiqs8s.example", "a.test:65535"];
/** What no address can begin with, or what would mean another host there. */
const bad = ["[[", "::::", "[::1", "::1", ":80", "a:99999", "a:b", "a:80:80", "a:0080", "a:", "xn--a", "[1.2.3.4]"];
const badToo = ["127.1", "0x7f.0.0.1", "2130706433", "1.2.3.4.5", "a b", "a,b", "a.test, b.test", "a/b", "a@b", "a?b"];
const badAsWell = ["a#b", "a%41", "ä.test", "a\\b", `${"a".repeat(256)}`, ""];

describe("a Host header", () => {
  test("can be one when an address can begin with it", () => {
    const isHost = createHostCheck();
    const hosts = [...good, ...goodToo, ...bad, ...badToo, ...badAsWell];
    expect(hosts.filter(isHost)).toEqual([...good, ...goodToo]);
    for (const host of [null, "", ...bad]) expect(createHostCheck()(host)).toBe(false);
  });

  test.each([...bad, ...badToo, ...badAsWell])("%p is refused before anything is made or spent", async (host) => {
    await using house = await openTestHouse();
    const refused = { status: 400, error: "host.invalid" };
    expect(await ask(house, uploads.presign, { body: { filename: "a.txt", size: 5 } }, { host })).toMatchObject(
      refused,
    );
    const parts = { filename: "a.txt", size: 6, part_size: 5 << 20 };
    expect(await ask(house, uploads.begin, { body: parts }, { host })).toMatchObject(refused);
    expect(await remains(house)).toEqual(nothing);
    const { id } = await shareFile(house, { slug: "once", max_views: 1 });
    for (const path of ["public/files/once", "file-view/once", "file-download/once"])
      expect((await house.request(`/api/${path}`, { headers: { host } })).status).toBe(400);
    expect((await ask(house, files.read, { params: { id } }, { host })).status).toBe(400);
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(0);
    expect(house.log()).not.toContain('"unhandled error"');
  });

  test.each([
    ["cannot be one", "GET /api/public/files/once HTTP/1.1\r\nHost: [[\r\n\r\n"],
    // Here Bun's request has no origin, and the path would lose its first folder.
    ["cannot stand in an address", "GET /api/public/files/once HTTP/1.1\r\nHost: a b\r\n\r\n"],
    ["is missing", "GET /api/public/files/once HTTP/1.0\r\n\r\n"],
    ["came twice", "GET /api/public/files/once HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n"],
  ])("that %s is refused on the wire", async (_, head) => {
    await using house = await openTestHouse();
    await using server = listen(house);
    const { id } = await shareFile(house, { slug: "once", max_views: 1 });
    using connection = await openConnection(server.port);
    await connection.send(head);
    expect(await connection.answer()).toStartWith("HTTP/1.1 400 ");
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(0);
    expect(house.log()).not.toContain('"unhandled error"');
  });
});

describe("a forwarded host", () => {
  test.each([...bad, ...badToo, ...badAsWell].filter((host) => !host.includes(",")))(
    "of %p is passed over, and Host counts",
    async (host) => {
      await using house = await openTestHouse({ trustedProxies: ["192.0.2.1"] });
      const headers = { "x-forwarded-host": host };
      const { data } = await ask(house, uploads.presign, { body: { filename: "a.txt", size: 5 } }, headers);
      expect(new URL(data.upload_url).origin).toBe("http://satchel.test");
    },
  );
});
