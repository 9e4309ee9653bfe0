import { describe, expect, test } from "bun:test";
import { streamed } from "../../../suites/store-bodies.ts";
import { asking, davCalls, davUrl, resources, setting, update } from "../../../support/dav.ts";
import { makeMount, mountOther } from "../../../support/make-mount.ts";
import { openTestHouse, type TestHouseOptions } from "../../../support/test-house.ts";

async function open(options: TestHouseOptions = {}) {
  const house = await openTestHouse(options);
  const dav = davCalls(house);
  return {
    house,
    ...dav,
    /** COPY or MOVE. */
    relocate: async (method: "COPY" | "MOVE", from: string, to: string, headers: Record<string, string> = {}) =>
      await dav.send(method, from, { headers: { destination: davUrl(to), ...headers } }),
    /** A dead property, or nothing. */
    property: async (path: string, name = "p") =>
      (await dav.propfind(path, "0", asking(`<x:${name}/>`)))[0]?.properties[`{urn:x}${name}`],
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

const mark = (text: string) => setting(`<x:p>${text}</x:p>`);

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

describe("COPY and MOVE", () => {
  test("of a file", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    expect((await here.relocate("COPY", "/drive/a", "/drive/b")).status).toBe(201);
    expect((await here.relocate("MOVE", "/drive/b", "/drive/c d")).status).toBe(201);
    expect(await here.names("/drive")).toEqual(["a", "c d"]);
    expect(await here.text("/drive/c d")).toBe("a");
    await here.send("PUT", "/drive/b", { body: "b" });
    expect((await here.relocate("MOVE", "/drive/a", "/drive/b")).status).toBe(204);
    expect((await here.relocate("COPY", "/drive/b", "/drive/c d")).status).toBe(204);
    expect([await here.text("/drive/b"), await here.names("/drive")]).toEqual(["a", ["b", "c d"]]);
  });

  test("replace nothing that they may not", async () => {
    await using here = await open();
    for (const name of ["a", "b"]) await here.send("PUT", `/drive/${name}`, { body: name });
    for (const method of ["COPY", "MOVE"] as const)
      expect((await here.relocate(method, "/drive/a", "/drive/b", { overwrite: "F" })).status).toBe(412);
    expect(await here.text("/drive/b")).toBe("b");
    expect((await here.relocate("COPY", "/drive/a", "/drive/c", { overwrite: "F" })).status).toBe(201);
    expect((await here.relocate("COPY", "/drive/a", "/drive/c", { overwrite: "maybe" })).status).toBe(400);
  });

  test("of a tree, which replaces another", async () => {
    await using here = await open();
    for (const path of ["/drive/d", "/drive/d/e", "/drive/d/hollow", "/drive/old"]) await here.send("MKCOL", path);
    for (const path of ["/drive/d/1", "/drive/d/e/2", "/drive/old/gone"]) await here.send("PUT", path, { body: path });
    expect((await here.relocate("COPY", "/drive/d/", "/drive/old/")).status).toBe(204);
    expect(await here.names("/drive/old")).toEqual(["e/", "hollow/", "1"]);
    expect(await here.text("/drive/old/e/2")).toBe("/drive/d/e/2");
    expect((await here.relocate("MOVE", "/drive/old", "/drive/new")).status).toBe(201);
    expect(await here.names("/drive")).toEqual(["d/", "new/"]);
    expect(await here.names("/drive/new")).toEqual(["e/", "hollow/", "1"]);
    expect((await here.relocate("COPY", "/drive/d", "/drive/bare", { depth: "0" })).status).toBe(201);
    expect(await here.names("/drive/bare")).toEqual([]);
    await here.send("PUT", "/drive/f", { body: "f" });
    expect((await here.relocate("MOVE", "/drive/f", "/drive/bare")).status).toBe(204);
    expect(await here.text("/drive/bare")).toBe("f");
  });

  test("into themselves, onto themselves and nowhere are refused, and nothing is lost", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    await here.send("MKCOL", "/drive/d/e");
    await here.send("PUT", "/drive/d/a", { body: "a" });
    for (const method of ["COPY", "MOVE"] as const) {
      const status = async (from: string, to: string, headers?: Record<string, string>) =>
        (await here.relocate(method, from, to, headers)).status;
      expect(await status("/drive/d/a", "/drive/d/a")).toBe(403);
      expect(await status("/drive/d", "/drive/d/")).toBe(403);
      expect(await status("/drive/d", "/drive/d/e/f")).toBe(403);
      expect(await status("/drive/d/e", "/drive/d")).toBe(403);
      expect(await status("/drive/d/a", "/drive/none/a")).toBe(409);
      expect(await status("/drive/d/a", "/nowhere")).toBe(409);
      expect(await status("/drive/d/a", "/drive")).toBe(403);
      expect(await status("/drive/none", "/drive/x")).toBe(404);
      expect(await status("/drive/d", "/drive/x", { depth: "1" })).toBe(400);
      expect(await status("/drive", "/drive/x")).toBe(403);
      expect(await status("/", "/drive/x")).toBe(403);
      expect((await here.send(method, "/drive/d/a")).status).toBe(400);
      for (const destination of ["/api/x", "http://other.example/dav/drive/x", "/drive/x"])
        expect(await here.status(method, "/drive/d/a", { headers: { destination } })).toBe(502);
      for (const destination of ["", "x", "/dav/drive/%zz", "/dav/drive/a%2Fb"])
        expect(await here.status(method, "/drive/d/a", { headers: { destination } })).toBe(400);
    }
    expect((await here.relocate("MOVE", "/drive/d", "/drive/x", { depth: "0" })).status).toBe(400);
    expect(await here.names("/drive/d")).toEqual(["e/", "a"]);
    expect(await here.text("/drive/d/a")).toBe("a");
  });

  test("to another mount are done by the server, and properties come along", async () => {
    await using here = await open();
    await mountOther(here.house, "/other");
    for (const path of ["/drive/d", "/drive/d/e", "/drive/d/hollow"]) await here.send("MKCOL", path);
    for (const path of ["/drive/d/1", "/drive/d/e/2"]) await here.send("PUT", path, { body: path });
    const marked = ["/d", "/d/e", "/d/hollow", "/d/1", "/d/e/2"];
    for (const path of marked) await here.send("PROPPATCH", `/drive${path}`, { body: mark(path) });
    expect((await here.relocate("COPY", "/drive/d", "/other/d")).status).toBe(201);
    for (const path of marked) expect([path, await here.property(`/other${path}`)]).toEqual([path, path]);
    expect((await here.relocate("MOVE", "/drive/d", "/other/x")).status).toBe(201);
    expect(await here.names("/drive")).toEqual([]);
    expect(await here.names("/other/x")).toEqual(["e/", "hollow/", "1"]);
    expect(await here.text("/other/x/e/2")).toBe("/drive/d/e/2");
    for (const path of marked) expect([path, await here.property(`/other/x${path.slice(2)}`)]).toEqual([path, path]);
    expect((await here.relocate("MOVE", "/other/x/1", "/drive/1")).status).toBe(201);
    expect(await here.property("/drive/1")).toBe("/d/1");
    expect((await here.relocate("COPY", "/drive/1", "/other/x/e/2")).status).toBe(204);
    expect([await here.text("/other/x/e/2"), await here.property("/other/x/e/2")]).toEqual(["/drive/d/1", "/d/1"]);
  });

  test("behind a proxy take the address by which the client knows the server", async () => {
    await using here = await open({ publicUrl: "https://files.example" });
    await here.send("PUT", "/drive/a", { body: "a" });
    for (const origin of ["https://files.example", "http://satchel.test", "https://satchel.test:443"]) {
      const destination = `${origin}/dav/drive/b`;
      expect([201, 204]).toContain(await here.status("COPY", "/drive/a", { headers: { destination } }));
    }
    const elsewhere = { destination: "https://files.example.org/dav/drive/b" };
    expect(await here.status("COPY", "/drive/a", { headers: elsewhere })).toBe(502);
  });

  test("believe a proxy only when it is trusted", async () => {
    await using here = await open({ trustedProxies: ["192.0.2.1"] });
    await here.send("PUT", "/drive/a", { body: "a" });
    const headers = { destination: "https://outside.example/dav/drive/b", "x-forwarded-host": "outside.example" };
    expect(await here.status("COPY", "/drive/a", { headers })).toBe(201);
    await using other = await open();
    await other.send("PUT", "/drive/a", { body: "a" });
    expect(await other.status("COPY", "/drive/a", { headers })).toBe(502);
  });
});

describe("PROPPATCH", () => {
  test("keeps what a client says, as it says it", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    const value = '<x:p a="1" xml:lang="de">Grüße <y xmlns="urn:y">&amp;</y><![CDATA[<z>]]></x:p>';
    const answer = await here.send("PROPPATCH", "/drive/a", { body: setting(`${value}<x:q/>`) });
    expect(resources(answer)[0]?.names).toEqual({ 200: ["{urn:x}p", "{urn:x}q"] });
    const { text } = await here.send("PROPFIND", "/drive/a", { headers: { depth: "0" }, body: asking("<x:p/>") });
    expect(text).toContain('<x:p xmlns:x="urn:x" a="1" xml:lang="de">Grüße <y xmlns="urn:y">&amp;</y>&lt;z&gt;</x:p>');
    expect((await here.propfind("/drive", "1"))[1]?.properties["{urn:x}p"]).toBe("Grüße <y>&<z>");
    expect(
      (await here.propfind("/drive/a", "0", '<propfind xmlns="DAV:"><propname/></propfind>'))[0]?.names[200],
    ).toContain("{urn:x}q");
  });

  test("sets and removes in order", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    const set = (text: string) => `<D:set><D:prop><x:p>${text}</x:p></D:prop></D:set>`;
    const remove = "<D:remove><D:prop><x:p/></D:prop></D:remove>";
    await here.send("PROPPATCH", "/drive/d", { body: update(set("1") + remove + set("2")) });
    expect(await here.property("/drive/d")).toBe("2");
    await here.send("PROPPATCH", "/drive/d/", { body: update(set("3") + remove) });
    expect(await here.property("/drive/d")).toBeUndefined();
  });

  test("changes nothing when one of the properties is protected", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    const answer = await here.send("PROPPATCH", "/drive/a", { body: setting("<x:p>1</x:p><D:getetag>x</D:getetag>") });
    expect(resources(answer)[0]?.names).toEqual({ 403: ["getetag"], 424: ["{urn:x}p"] });
    expect(answer.text).toContain("<D:cannot-modify-protected-property/>");
    expect(await here.property("/drive/a")).toBeUndefined();
  });

  test("has bounds", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    const many = Array.from({ length: 101 }, (_, index) => `<x:p${index}/>`).join("");
    const answer = await here.send("PROPPATCH", "/drive/a", { body: setting(many) });
    expect(Object.keys(resources(answer)[0]?.names ?? {})).toEqual(["507"]);
  });

  test("takes the times of Windows and of rclone for the file's own", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    const body = setting(`<Z:Win32CreationTime>Tue, 14 Nov 2023 22:13:20 GMT</Z:Win32CreationTime>
      <Z:Win32LastModifiedTime>Tue, 14 Nov 2023 22:13:21 GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000020</Z:Win32FileAttributes>`);
    expect(resources(await here.send("PROPPATCH", "/drive/a", { body }))[0]?.names[200]).toHaveLength(3);
    const properties = async () => (await here.propfind("/drive/a", "0"))[0]?.properties ?? {};
    expect(await properties()).toMatchObject({
      getlastmodified: "Tue, 14 Nov 2023 22:13:21 GMT",
      "{urn:schemas-microsoft-com:}Win32LastModifiedTime": "Tue, 14 Nov 2023 22:13:21 GMT",
      "{urn:schemas-microsoft-com:}Win32CreationTime": "Tue, 14 Nov 2023 22:13:20 GMT",
      "{urn:schemas-microsoft-com:}Win32FileAttributes": "00000020",
    });
    await here.send("PROPPATCH", "/drive/a", { body: setting("<D:lastmodified>1700000003</D:lastmodified>") });
    expect((await properties()).getlastmodified).toBe("Tue, 14 Nov 2023 22:13:23 GMT");
    const wrong = setting("<Z:Win32LastModifiedTime>yesterday</Z:Win32LastModifiedTime><x:p/>");
    expect(resources(await here.send("PROPPATCH", "/drive/a", { body: wrong }))[0]?.names).toEqual({
      409: ["{urn:schemas-microsoft-com:}Win32LastModifiedTime"],
      424: ["{urn:x}p"],
    });
    await here.send("MKCOL", "/drive/d");
    await here.send("PROPPATCH", "/drive/d", { body });
    expect((await here.propfind("/drive/d", "0"))[0]?.properties).toHaveProperty(
      "{urn:schemas-microsoft-com:}Win32LastModifiedTime",
    );
  });

  test("is for what is there, and no mount", async () => {
    await using here = await open();
    expect(await here.status("PROPPATCH", "/drive/none", { body: mark("1") })).toBe(404);
    expect(await here.status("PROPPATCH", "/nowhere", { body: mark("1") })).toBe(404);
    for (const path of ["/", "/drive"]) expect(await here.status("PROPPATCH", path, { body: mark("1") })).toBe(405);
  });
});

test("properties follow their files, whoever moves or removes them", async () => {
  await using here = await open();
  await makeMount(here.house, { mount_path: "/again" });
  await here.send("MKCOL", "/drive/d");
  await here.send("PUT", "/drive/d/a", { body: "a" });
  for (const path of ["/drive/d", "/drive/d/a"]) await here.send("PROPPATCH", path, { body: mark("here") });
  const view = await here.house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
  await view.at("/drive/d").move(view.at("/drive/e"));
  expect([await here.property("/drive/e"), await here.property("/drive/e/a")]).toEqual(["here", "here"]);
  // The same object by another mount.
  expect(await here.property("/again/e/a")).toBe("here");
  await here.send("PUT", "/drive/e/a", { body: "changed" });
  expect(await here.property("/drive/e/a")).toBe("here");
  await view.at("/drive/e").remove();
  await here.send("MKCOL", "/drive/e");
  await here.send("PUT", "/drive/e/a", { body: "new" });
  expect([await here.property("/drive/e"), await here.property("/drive/e/a")]).toEqual([undefined, undefined]);
});
