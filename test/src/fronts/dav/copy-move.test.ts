import { describe, expect, test } from "bun:test";
import { storage } from "#contract/storage";
import { basic } from "../../../support/clients/basic.ts";
import { davCalls, davUrl, setting } from "../../../support/clients/dav.ts";
import { openDav as open } from "../../../support/clients/open-dav.ts";
import { makeKey } from "../../../support/make-key.ts";
import { makeMount, mountOther } from "../../../support/make-mount.ts";
import { ask } from "../../../support/share-file.ts";

const mark = (text: string) => setting(`<x:p>${text}</x:p>`);

describe("COPY and MOVE", () => {
  test("of a file", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    expect((await here.copyOrMove("COPY", "/drive/a", "/drive/b")).status).toBe(201);
    expect((await here.copyOrMove("MOVE", "/drive/b", "/drive/c d")).status).toBe(201);
    expect(await here.names("/drive")).toEqual(["a", "c d"]);
    expect(await here.text("/drive/c d")).toBe("a");
    await here.send("PUT", "/drive/b", { body: "b" });
    expect((await here.copyOrMove("MOVE", "/drive/a", "/drive/b")).status).toBe(204);
    expect((await here.copyOrMove("COPY", "/drive/b", "/drive/c d")).status).toBe(204);
    expect([await here.text("/drive/b"), await here.names("/drive")]).toEqual(["a", ["b", "c d"]]);
  });

  test("replace nothing that they may not", async () => {
    await using here = await open();
    for (const name of ["a", "b"]) await here.send("PUT", `/drive/${name}`, { body: name });
    for (const method of ["COPY", "MOVE"] as const)
      expect((await here.copyOrMove(method, "/drive/a", "/drive/b", { overwrite: "F" })).status).toBe(412);
    expect(await here.text("/drive/b")).toBe("b");
    expect((await here.copyOrMove("COPY", "/drive/a", "/drive/c", { overwrite: "F" })).status).toBe(201);
    expect((await here.copyOrMove("COPY", "/drive/a", "/drive/c", { overwrite: "maybe" })).status).toBe(400);
  });

  test("of a tree, which replaces another", async () => {
    await using here = await open();
    for (const path of ["/drive/d", "/drive/d/e", "/drive/d/hollow", "/drive/old"]) await here.send("MKCOL", path);
    for (const path of ["/drive/d/1", "/drive/d/e/2", "/drive/old/gone"]) await here.send("PUT", path, { body: path });
    expect((await here.copyOrMove("COPY", "/drive/d/", "/drive/old/")).status).toBe(204);
    expect(await here.names("/drive/old")).toEqual(["1", "e/", "hollow/"]);
    expect(await here.text("/drive/old/e/2")).toBe("/drive/d/e/2");
    expect((await here.copyOrMove("MOVE", "/drive/old", "/drive/new")).status).toBe(201);
    expect(await here.names("/drive")).toEqual(["d/", "new/"]);
    expect(await here.names("/drive/new")).toEqual(["1", "e/", "hollow/"]);
    expect((await here.copyOrMove("COPY", "/drive/d", "/drive/bare", { depth: "0" })).status).toBe(201);
    expect(await here.names("/drive/bare")).toEqual([]);
    await here.send("PUT", "/drive/f", { body: "f" });
    expect((await here.copyOrMove("MOVE", "/drive/f", "/drive/bare")).status).toBe(204);
    expect(await here.text("/drive/bare")).toBe("f");
  });

  test("into themselves, onto themselves and nowhere are refused, and nothing is lost", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    await here.send("MKCOL", "/drive/d/e");
    await here.send("PUT", "/drive/d/a", { body: "a" });
    for (const method of ["COPY", "MOVE"] as const) {
      const status = async (from: string, to: string, headers?: Record<string, string>) =>
        (await here.copyOrMove(method, from, to, headers)).status;
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
    expect((await here.copyOrMove("MOVE", "/drive/d", "/drive/x", { depth: "0" })).status).toBe(400);
    expect(await here.names("/drive/d")).toEqual(["a", "e/"]);
    expect(await here.text("/drive/d/a")).toBe("a");
  });

  test("to another mount are done by the server, and properties come along", async () => {
    await using here = await open();
    await mountOther(here.house, "/other");
    for (const path of ["/drive/d", "/drive/d/e", "/drive/d/hollow"]) await here.send("MKCOL", path);
    for (const path of ["/drive/d/1", "/drive/d/e/2"]) await here.send("PUT", path, { body: path });
    const marked = ["/d", "/d/e", "/d/hollow", "/d/1", "/d/e/2"];
    for (const path of marked) await here.send("PROPPATCH", `/drive${path}`, { body: mark(path) });
    expect((await here.copyOrMove("COPY", "/drive/d", "/other/d")).status).toBe(201);
    for (const path of marked) expect([path, await here.property(`/other${path}`)]).toEqual([path, path]);
    expect((await here.copyOrMove("MOVE", "/drive/d", "/other/x")).status).toBe(201);
    expect(await here.names("/drive")).toEqual([]);
    expect(await here.names("/other/x")).toEqual(["1", "e/", "hollow/"]);
    expect(await here.text("/other/x/e/2")).toBe("/drive/d/e/2");
    for (const path of marked) expect([path, await here.property(`/other/x${path.slice(2)}`)]).toEqual([path, path]);
    expect((await here.copyOrMove("MOVE", "/other/x/1", "/drive/1")).status).toBe(201);
    expect(await here.property("/drive/1")).toBe("/d/1");
    expect((await here.copyOrMove("COPY", "/drive/1", "/other/x/e/2")).status).toBe(204);
    expect([await here.text("/other/x/e/2"), await here.property("/other/x/e/2")]).toEqual(["/drive/d/1", "/d/1"]);
  });

  test("lose nothing where a storage is shown twice", async () => {
    await using here = await open();
    await makeMount(here.house, { mount_path: "/twin" });
    for (const path of ["/drive/d", "/drive/d/e"]) await here.send("MKCOL", path);
    for (const path of ["/drive/d/a", "/drive/d/e/b"]) await here.send("PUT", path, { body: path });
    const pairs = [
      ["/drive/d/a", "/twin/d/a"],
      ["/drive/d", "/twin/d"],
      ["/drive/d/e", "/twin/d"],
      ["/drive/d", "/twin/d/e"],
    ] as const;
    for (const method of ["COPY", "MOVE"] as const)
      for (const [from, to] of pairs)
        expect([method, from, to, (await here.copyOrMove(method, from, to)).status]).toEqual([method, from, to, 403]);
    for (const to of ["/twin/d", "/twin/d/e"])
      expect((await here.copyOrMove("COPY", "/drive/d/e", to, { depth: "0" })).status).toBe(403);
    expect([await here.text("/drive/d/a"), await here.text("/drive/d/e/b")]).toEqual(["/drive/d/a", "/drive/d/e/b"]);
  });

  test("to another mount keep the file that they cannot replace", async () => {
    await using here = await open();
    const { storage_config_id } = await mountOther(here.house, "/other");
    await here.send("PUT", "/other/a", { body: "old" });
    await here.send("PUT", "/drive/a", { body: "x".repeat(5000) });
    await ask(here.house, storage.update, {
      params: { id: storage_config_id },
      body: { total_storage_bytes: 1000 },
    });
    expect((await here.copyOrMove("MOVE", "/drive/a", "/other/a")).status).toBe(507);
    expect((await here.copyOrMove("COPY", "/drive/a", "/other/a")).status).toBe(507);
    expect([await here.text("/other/a"), (await here.text("/drive/a")).length]).toEqual(["old", 5000]);
    await here.send("PUT", "/drive/b", { body: "new" });
    await here.send("PROPPATCH", "/other/a", { body: mark("old") });
    expect((await here.copyOrMove("MOVE", "/drive/b", "/other/a")).status).toBe(204);
    expect([await here.text("/other/a"), await here.property("/other/a")]).toEqual(["new", undefined]);
    expect(await here.status("GET", "/drive/b")).toBe(404);
  });

  test("of several to one free path make it for one of them", async () => {
    await using here = await open();
    const names = ["1", "2", "3", "4"];
    for (const name of names) await here.send("PUT", `/drive/${name}`, { body: name });
    for (const method of ["COPY", "MOVE"] as const) {
      const to = `/drive/${method}`;
      const send = async (name: string) =>
        (await here.copyOrMove(method, `/drive/${name}`, to, { overwrite: "F" })).status;
      const statuses = await Promise.all(names.map(send));
      expect(statuses.toSorted()).toEqual([201, 412, 412, 412]);
      expect(await here.text(to)).toBe(String(statuses.indexOf(201) + 1));
    }
  });

  test("do not reach above a key's base path", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/a");
    await here.send("MKCOL", "/drive/a/b");
    await here.send("PROPPATCH", "/drive/a", { body: mark("hidden") });
    const { key } = await makeKey(here.house, { basic_path: "/drive/a/b" });
    const narrow = davCalls(here.house, basic("x", key));
    for (const method of ["COPY", "MOVE"])
      for (const from of ["/drive/a", "/drive"]) {
        const headers = { destination: davUrl("/drive/a/b/c"), depth: method === "COPY" ? "0" : "infinity" };
        expect(await narrow.status(method, from, { headers })).toBe(403);
      }
    const headers = { destination: davUrl("/drive/out") };
    await narrow.send("PUT", "/drive/a/b/in", { body: "in" });
    expect(await narrow.status("MOVE", "/drive/a/b/in", { headers })).toBe(403);
    expect((await narrow.propfind("/drive/a", "0"))[0]?.properties["{urn:x}p"]).toBeUndefined();
    expect((await narrow.propfind("/drive", "1"))[1]?.properties["{urn:x}p"]).toBeUndefined();
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
