import { describe, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { streamed } from "../../../suites/store-bodies.ts";
import { openDav as open } from "../../../support/clients/open-dav.ts";
import { slowBody } from "../../../support/clients/slow-body.ts";
import { createHaltingDatabase } from "../../../support/database/halting-database.ts";

describe("PUT", () => {
  test("makes a file and replaces it", async () => {
    await using here = await open();
    const first = await here.send("PUT", "/drive/a.txt", { body: "one" });
    expect([first.status, first.text]).toEqual([201, ""]);
    const second = await here.send("PUT", "/drive/a.txt", { body: "two" });
    expect(second.status).toBe(204);
    expect(second.headers.get("etag")).toMatch(/^"[^"]+"$/);
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
    expect(await here.text("/drive/a.txt")).toBe("two");
  });

  test("takes a body of unknown length and an empty one", async () => {
    await using here = await open();
    const { body } = streamed(Buffer.from("0123456789"), 3);
    expect(await here.status("PUT", "/drive/chunked", { body: body as never })).toBe(201);
    expect(await here.text("/drive/chunked")).toBe("0123456789");
    expect(await here.status("PUT", "/drive/empty")).toBe(201);
    expect((await here.propfind("/drive/empty", "0"))[0]?.properties.getcontentlength).toBe("0");
  });

  test("needs a folder to put it into", async () => {
    await using here = await open();
    expect(await here.status("PUT", "/drive/none/a", { body: "a" })).toBe(409);
    await here.send("PUT", "/drive/file", { body: "a" });
    expect(await here.status("PUT", "/drive/file/a", { body: "a" })).toBe(409);
    expect(await here.names("/drive")).toEqual(["file"]);
  });

  test("is nothing for a folder, the root, a mount or above all mounts", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    for (const path of ["/drive/d", "/drive/d/", "/drive/new/", "/drive", "/"])
      expect([path, await here.status("PUT", path, { body: "a" })]).toEqual([path, 405]);
    expect(await here.status("PUT", "/nowhere", { body: "a" })).toBe(409);
  });

  test("keeps to its conditions", async () => {
    await using here = await open();
    const put = (headers: Record<string, string>) => here.send("PUT", "/drive/a", { body: "x", headers });
    expect((await put({ "if-match": "*" })).status).toBe(412);
    const { headers } = await put({ "if-none-match": "*" });
    const etag = headers.get("etag") ?? "";
    expect((await put({ "if-none-match": "*" })).status).toBe(412);
    expect((await put({ "if-match": '"other"' })).status).toBe(412);
    expect((await put({ "if-match": etag })).status).toBe(204);
    expect((await put({ "if-match": etag })).status).toBe(412);
    expect((await put({ if: '(["other"])' })).status).toBe(412);
    expect((await put({ if: "(Not <DAV:no-lock>)" })).status).toBe(204);
    expect((await put({ "content-range": "bytes 0-0/1" })).status).toBe(400);
  });

  test("under a condition replaces nothing that somebody wrote meanwhile without one", async () => {
    await using here = await open();
    const meanwhile = async (path: string, headers: Record<string, string>) => {
      const { body, begun, finish } = slowBody("mi", "ne");
      const answer = here.send("PUT", path, { body, headers });
      await begun;
      const theirs = await here.status("PUT", path, { body: "theirs" });
      finish();
      return [theirs, (await answer).status, await here.text(path)];
    };
    expect(await meanwhile("/drive/a", { "if-none-match": "*" })).toEqual([201, 412, "theirs"]);
    const etag = (await here.send("HEAD", "/drive/a")).headers.get("etag") ?? "";
    expect(await meanwhile("/drive/a", { "if-match": etag })).toEqual([204, 412, "theirs"]);
    const tag = async () => (await here.send("HEAD", "/drive/a")).headers.get("etag") ?? "";
    expect(await meanwhile("/drive/a", { "if-match": `"other", ${await tag()}` })).toEqual([204, 412, "theirs"]);
    expect(await meanwhile("/drive/a", { if: `([${await tag()}])` })).toEqual([204, 412, "theirs"]);
    const tagged = `<http://satchel.test/dav/drive/a> ([${await tag()}]) (["other"])`;
    expect(await meanwhile("/drive/a", { if: tagged })).toEqual([204, 412, "theirs"]);
  });

  test("of a file that may not have been modified since leaves one that was while the body came", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "old" });
    const since = (await here.send("HEAD", "/drive/a")).headers.get("last-modified") ?? "";
    const { body, begun, finish } = slowBody("mi", "ne");
    const answer = here.send("PUT", "/drive/a", { body, headers: { "if-unmodified-since": since } });
    await begun;
    await here.send("PUT", "/drive/a", { body: "theirs" });
    const later = new Date(Date.parse(since) + 5000);
    utimesSync(join(here.house.objects, "drive", "a"), later, later);
    finish();
    expect([(await answer).status, await here.text("/drive/a")]).toEqual([412, "theirs"]);
  });

  test("of two that want to make one file makes it for one of them", async () => {
    await using here = await open();
    const put = (body: string) => here.status("PUT", "/drive/a", { body, headers: { "if-none-match": "*" } });
    const statuses = await Promise.all(["1", "2", "3", "4"].map(put));
    expect(statuses.toSorted()).toEqual([201, 412, 412, 412]);
    expect(await here.text("/drive/a")).toBe(String(statuses.indexOf(201) + 1));
  });

  test("keeps the time that a client gives, for this version", async () => {
    await using here = await open();
    const put = await here.send("PUT", "/drive/a", { body: "x", headers: { "x-oc-mtime": "1700000000.5" } });
    expect(put.headers.get("x-oc-mtime")).toBe("accepted");
    const time = async () => (await here.propfind("/drive", "1"))[1]?.properties.getlastmodified;
    expect(await time()).toBe("Tue, 14 Nov 2023 22:13:20 GMT");
    expect((await here.send("HEAD", "/drive/a")).headers.get("last-modified")).toBe("Tue, 14 Nov 2023 22:13:20 GMT");
    await here.send("PUT", "/drive/a", { body: "x" });
    expect(await time()).not.toBe("Tue, 14 Nov 2023 22:13:20 GMT");
    expect(await here.status("PUT", "/drive/a", { headers: { "x-oc-mtime": "soon" } })).toBe(400);
  });

  test("is under a condition of the time that GET tells", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "x", headers: { "x-oc-mtime": "1900000000" } });
    const told = (await here.send("HEAD", "/drive/a")).headers.get("last-modified") ?? "";
    const headers = { "if-unmodified-since": told };
    expect(
      await here.status("PUT", "/drive/a", { body: "y", headers: { ...headers, "x-oc-mtime": "1500000000" } }),
    ).toBe(204);
    const before = { "if-unmodified-since": (await here.send("HEAD", "/drive/a")).headers.get("last-modified") ?? "" };
    expect(before).toEqual({ "if-unmodified-since": "Fri, 14 Jul 2017 02:40:00 GMT" });
    expect(await here.status("PUT", "/drive/a", { body: "z", headers: before })).toBe(204);
    // This version has the time of its own writing.
    expect(await here.status("PUT", "/drive/a", { body: "lost", headers: before })).toBe(412);
    expect(await here.status("DELETE", "/drive/a", { headers: before })).toBe(412);
    expect(await here.text("/drive/a")).toBe("z");
  });

  test("refuses what is too large", async () => {
    await using here = await open();
    const headers = { "content-length": String(1024 ** 4) };
    expect(await here.status("PUT", "/drive/a", { body: "x", headers })).toBe(413);
  });
});

describe("MKCOL", () => {
  test("makes one folder where nothing is", async () => {
    await using here = await open();
    expect(await here.status("MKCOL", "/drive/d")).toBe(201);
    expect(await here.status("MKCOL", "/drive/d")).toBe(405);
    expect(await here.status("MKCOL", "/drive/d/e/")).toBe(201);
    expect(await here.status("MKCOL", "/drive/no/e")).toBe(409);
    await here.send("PUT", "/drive/f", { body: "" });
    expect(await here.status("MKCOL", "/drive/f")).toBe(405);
    expect(await here.status("MKCOL", "/drive/f/g")).toBe(409);
    for (const path of ["/", "/drive"]) expect(await here.status("MKCOL", path)).toBe(405);
    expect(await here.status("MKCOL", "/nowhere")).toBe(409);
  });

  test("takes no body", async () => {
    await using here = await open();
    expect(await here.status("MKCOL", "/drive/d", { body: "<x/>" })).toBe(415);
    expect(await here.names("/drive")).toEqual([]);
  });
});

describe("DELETE", () => {
  test("removes a file, and a folder with all below it", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    await here.send("PUT", "/drive/d/a", { body: "a" });
    expect(await here.status("DELETE", "/drive/d/a")).toBe(204);
    expect(await here.status("DELETE", "/drive/d/a")).toBe(404);
    await here.send("PUT", "/drive/d/b", { body: "b" });
    expect(await here.status("DELETE", "/drive/d", { headers: { depth: "0" } })).toBe(400);
    expect(await here.status("DELETE", "/drive/d/b", { headers: { "if-match": '"other"' } })).toBe(412);
    expect(await here.status("DELETE", "/drive/d/")).toBe(204);
    expect(await here.names("/drive")).toEqual([]);
  });

  test("is nothing for the root and mounts", async () => {
    await using here = await open();
    for (const path of ["/", "/drive", "/drive/"]) expect(await here.status("DELETE", path)).toBe(405);
  });
});

test("DELETE under a condition removes nothing that somebody wrote meanwhile", async () => {
  const halting = createHaltingDatabase();
  await using here = await open({ engine: halting.engine });
  const conditions: ((etag: string) => Record<string, string>)[] = [
    (etag) => ({ if: `([${etag}])` }),
    (etag) => ({ "if-match": `"other", ${etag}` }),
  ];
  for (const condition of conditions) {
    const etag = (await here.send("PUT", "/drive/a", { body: "old" })).headers.get("etag") ?? "";
    // The removal is recorded right before it is made.
    const { reached, goOn } = halting.haltAt("insert into change_intents");
    const answer = here.send("DELETE", "/drive/a", { headers: condition(etag) });
    await reached;
    await here.send("PUT", "/drive/a", { body: "theirs" });
    goOn();
    expect([(await answer).status, await here.text("/drive/a")]).toEqual([412, "theirs"]);
  }
});

test("MKCOL of several for one folder makes it for one of them", async () => {
  await using here = await open();
  const making = Array.from({ length: 8 }, () => here.status("MKCOL", "/drive/d"));
  expect((await Promise.all(making)).toSorted()).toEqual([201, ...Array(7).fill(405)]);
});
