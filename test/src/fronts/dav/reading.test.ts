import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { basic } from "../../../support/clients/basic.ts";
import { asking, davCalls, davUrl } from "../../../support/clients/dav.ts";
import { openDav as open } from "../../../support/clients/open-dav.ts";
import { makeKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";

const usualOfFile = [
  "resourcetype",
  "displayname",
  "getcontentlength",
  "getcontenttype",
  "getetag",
  "getlastmodified",
  "creationdate",
  "supportedlock",
  "lockdiscovery",
];

describe("PROPFIND", () => {
  test("tells the usual properties of a file and a folder", async () => {
    await using here = await open();
    const { headers } = await here.send("PUT", "/drive/a b.txt", { body: "hello" });
    const [file] = await here.propfind("/drive/a b.txt", "0");
    expect(file?.href).toBe("/dav/drive/a%20b.txt");
    expect(file?.names).toEqual({ 200: usualOfFile });
    expect(file?.properties).toMatchObject({
      resourcetype: "",
      displayname: "a b.txt",
      getcontentlength: "5",
      getcontenttype: "text/plain; charset=utf-8",
      getetag: headers.get("etag") ?? "none",
      lockdiscovery: "",
    });
    expect(Date.parse(file?.properties.getlastmodified ?? "")).toBeGreaterThan(0);
    expect(file?.properties.creationdate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(file?.properties.supportedlock).toContain("<exclusive>");
    const [folder, inside] = await here.propfind("/drive", "1");
    expect(folder?.href).toBe("/dav/drive/");
    expect(folder?.properties).toMatchObject({ resourcetype: "<collection>", displayname: "drive" });
    expect(inside?.properties).toEqual(file?.properties ?? {});
  });

  test("tells only what is asked for, and what there is not", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "" });
    const [a] = await here.propfind(
      "/drive/a",
      "0",
      asking("<D:getcontentlength/><x:none/><D:quota-used-bytes/><nons/>"),
    );
    expect(a?.names).toEqual({ 200: ["getcontentlength"], 404: ["{urn:x}none", "quota-used-bytes", "{}nons"] });
  });

  test("tells names alone", async () => {
    await using here = await open();
    const [folder] = await here.propfind("/drive", "0", '<propfind xmlns="DAV:"><propname/></propfind>');
    expect(folder?.names[200]).toContain("resourcetype");
    expect(Object.values(folder?.properties ?? {}).join("")).toBe("");
  });

  test("tells all and what is asked for besides", async () => {
    await using here = await open();
    const body = '<propfind xmlns="DAV:"><allprop/><include><quota-used-bytes/><supportedlock/></include></propfind>';
    const [folder] = await here.propfind("/drive", "0", body);
    expect(folder?.properties["quota-used-bytes"]).toMatch(/^\d+$/);
    expect(folder?.names[200]?.filter((name) => name === "supportedlock")).toHaveLength(1);
  });

  test("tells how full the storage of a folder is", async () => {
    await using here = await open({ volume: () => ({ size: 10e9, free: 8e9 }) });
    await here.send("PUT", "/drive/a", { body: "12345" });
    const wanted = asking("<D:quota-available-bytes/><D:quota-used-bytes/>");
    const [folder, file] = await here.propfind("/drive", "1", wanted);
    expect(folder?.properties["quota-used-bytes"]).toBe("5");
    expect(Number(folder?.properties["quota-available-bytes"])).toBeGreaterThan(0);
    const neither = { 404: ["quota-available-bytes", "quota-used-bytes"] };
    expect(file?.names).toEqual(neither);
    const [root] = await here.propfind("/", "0", wanted);
    expect(root?.properties).toEqual(folder?.properties ?? {});
    // Without a body it is told of a folder itself, and nowhere else unasked.
    expect(String((await here.propfind("/drive", "0"))[0]?.names["200"])).toContain("quota-used-bytes");
    for (const [path, depth] of [
      ["/drive", "1"],
      ["/drive/a", "0"],
    ] as const)
      for (const one of await here.propfind(path, depth)) expect(String(one.names["200"])).not.toContain("quota");
  });

  test("does not go deeper than one level, but of a file", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "" });
    const refused = await here.send("PROPFIND", "/drive", { headers: { depth: "infinity" } });
    expect([refused.status, refused.text.includes("<D:propfind-finite-depth>")]).toEqual([403, true]);
    expect(await here.status("PROPFIND", "/drive")).toBe(403);
    expect(await here.status("PROPFIND", "/drive/a")).toBe(207);
    for (const depth of ["2", "", "0, 1", "1,noroot"])
      expect(await here.status("PROPFIND", "/drive", { headers: { depth } })).toBe(400);
  });

  test("of a path at which nothing is makes nothing", async () => {
    await using here = await open();
    for (const path of ["/drive/no", "/drive/no/more", "/no", "/no/more"])
      expect(await here.status("PROPFIND", path, { headers: { depth: "1" } })).toBe(404);
    expect(await here.names("/drive")).toEqual([]);
    expect(await here.names("/")).toEqual(["drive/"]);
  });

  test("shows mounts in mounts, and only the way to a key's base path", async () => {
    await using here = await open();
    for (const mount_path of ["/team/photos", "/team/secret", "/drive/inner"])
      await makeMount(here.house, { name: mount_path, mount_path });
    await here.send("MKCOL", "/team/photos/2024");
    expect(await here.names("/")).toEqual(["drive/", "team/"]);
    expect(await here.names("/drive")).toContain("inner/");
    const { key } = await makeKey(here.house, { permissions: ["webdav_read"], basic_path: "/team/photos/2024" });
    const narrow = davCalls(here.house, basic("x", key));
    expect(await narrow.names("/")).toEqual(["team/"]);
    expect(await narrow.names("/team")).toEqual(["photos/"]);
    expect(await narrow.names("/team/photos")).toEqual(["2024/"]);
    expect(await narrow.names("/team/photos/2024")).toEqual([]);
    for (const path of ["/drive", "/team/secret", "/team/photos/2025"])
      expect([path, await narrow.status("PROPFIND", path, { headers: { depth: "0" } })]).toEqual([path, 403]);
  });

  test("answers a folder of many files in pieces that hold nobody up", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/first", { body: "" });
    const names = Array.from({ length: 3000 }, (_, index) => `file ${index} & more.txt`);
    for (const name of names) writeFileSync(join(here.house.objects, "drive", name), "x");
    const response = await here.house.request("/dav/drive/", {
      method: "PROPFIND",
      headers: { ...adminHeaders, depth: "1" },
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body ?? []) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const hrefs = text
      .matchAll(/<D:href>\/dav\/drive\/([^<]+)<\/D:href>/g)
      .map(([, name = ""]) => decodeURIComponent(name));
    expect([...hrefs].sort()).toEqual(["first", ...names].sort());
    const sizes = chunks.map(({ byteLength }) => byteLength);
    expect(sizes.length).toBeGreaterThan(10);
    expect(Math.max(...sizes)).toBeLessThan(80 * 1024);
  });

  test("shows names as they are", async () => {
    await using here = await open();
    const names = [
      "100%",
      "#1?a=b&c+d;e",
      "数",
      "e\u0301",
      "😀 smile",
      "a'b(c)*!~",
      "%2e%2e",
      '<&>"',
      `${"x".repeat(251)}.txt`,
    ];
    for (const name of names) expect(await here.status("PUT", `/drive/${name}`, { body: name })).toBe(201);
    expect((await here.names("/drive")).sort()).toEqual(names.toSorted());
    for (const name of names) {
      expect(await here.text(`/drive/${name}`)).toBe(name);
      expect((await here.propfind(`/drive/${name}`, "0"))[0]?.properties.displayname).toBe(name);
    }
    // Another form of the same letters is the same file, and is answered in the form that was asked for.
    expect(await here.text("/drive/\u00e9")).toBe("e\u0301");
    expect((await here.propfind("/drive/\u00e9", "0"))[0]?.href).toBe("/dav/drive/%C3%A9");
  });
});

const adminHeaders = basic("admin", "correct horse");

describe("GET and HEAD", () => {
  test("answer a file, under conditions and in ranges", async () => {
    await using here = await open();
    const { headers: written } = await here.send("PUT", "/drive/a.txt", { body: "0123456789" });
    const etag = written.get("etag") ?? "";
    const whole = await here.send("GET", "/drive/a.txt");
    expect([whole.status, whole.text, whole.headers.get("etag")]).toEqual([200, "0123456789", etag]);
    expect(whole.headers.get("content-security-policy")).toContain("sandbox");
    const head = await here.send("HEAD", "/drive/a.txt");
    expect([head.status, head.text, head.headers.get("content-length"), head.headers.get("accept-ranges")]).toEqual([
      200,
      "",
      "10",
      "bytes",
    ]);
    const part = await here.send("GET", "/drive/a.txt", { headers: { range: "bytes=2-4" } });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "234", "bytes 2-4/10"]);
    expect((await here.send("GET", "/drive/a.txt", { headers: { range: "bytes=-3" } })).text).toBe("789");
    expect(await here.status("GET", "/drive/a.txt", { headers: { range: "bytes=10-" } })).toBe(416);
    expect(await here.status("GET", "/drive/a.txt", { headers: { "if-none-match": etag } })).toBe(304);
    expect(await here.status("GET", "/drive/a.txt", { headers: { "if-match": '"other"' } })).toBe(412);
    expect(await here.status("GET", "/drive/a.txt", { headers: { if: '(["other"])' } })).toBe(412);
  });

  test("say of a folder that it is one, and miss what is not there", async () => {
    await using here = await open();
    expect(await here.status("HEAD", "/")).toBe(200);
    expect((await here.send("GET", "/drive")).headers.get("content-disposition")).toBeNull();
    expect(await here.status("GET", "/drive/none")).toBe(404);
    expect(await here.status("HEAD", "/none")).toBe(404);
  });

  test("stream from the built-in storage whatever its mount says", async () => {
    await using here = await open();
    await makeMount(here.house, { mount_path: "/team", webdav_policy: "302_redirect" });
    await here.send("PUT", "/team/a", { body: "a" });
    expect(await here.status("GET", "/team/a")).toBe(200);
  });
});

test("OPTIONS tells what a client can do, more in a mount than above", async () => {
  await using here = await open();
  const [root, mount, none] = [
    await here.send("OPTIONS", "/"),
    await here.send("OPTIONS", "/drive"),
    await here.send("OPTIONS", "/drive/none"),
  ];
  expect([root, mount, none].map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([root, mount, none].map(({ headers }) => headers.get("dav"))).toEqual(["1, 3", "1, 2, 3", "1, 2, 3"]);
  expect(mount.headers.get("ms-author-via")).toBe("DAV");
  expect(root.headers.get("allow")).toBe("OPTIONS, PROPFIND, GET, HEAD");
  expect(mount.headers.get("allow")).toBe(
    "OPTIONS, PROPFIND, GET, HEAD, PROPPATCH, PUT, DELETE, MKCOL, COPY, MOVE, LOCK, UNLOCK",
  );
});

test("OPTIONS without a credential tells the same of every path, there or not", async () => {
  await using here = await open();
  const answers = await Promise.all(
    ["/", "/drive", "/nowhere/at/all"].map((path) => here.house.request(davUrl(path), { method: "OPTIONS" })),
  );
  for (const { status, headers } of answers)
    expect([status, headers.get("dav"), headers.get("ms-author-via")]).toEqual([200, "1, 2, 3", "DAV"]);
  expect(new Set(answers.map(({ headers }) => headers.get("allow"))).size).toBe(1);
});

test.each(["PROPFIND", "MOVE", "LOCK", "PUT"])("a page of another origin may send %s", async (method) => {
  await using here = await open();
  const preflight = await here.house.request(davUrl("/drive"), {
    method: "OPTIONS",
    headers: { origin: "https://other.example", "access-control-request-method": method },
  });
  expect([preflight.status, preflight.headers.get("dav")]).toEqual([204, null]);
  expect(preflight.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
  expect(preflight.headers.get("access-control-allow-headers")?.split(", ")).toContain("Destination");
});
