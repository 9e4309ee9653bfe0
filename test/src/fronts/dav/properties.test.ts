import { describe, expect, test } from "bun:test";
import { basic } from "../../../support/clients/basic.ts";
import { asking, davCalls, resources, setting, update } from "../../../support/clients/dav.ts";
import { openDav as open } from "../../../support/clients/open-dav.ts";
import { slowBody } from "../../../support/clients/slow-body.ts";
import { makeKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";

const mark = (text: string) => setting(`<x:p>${text}</x:p>`);

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

describe("a property", () => {
  test("of the namespace of xml leaves answers well-formed", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    expect(await here.status("PROPPATCH", "/drive/a", { body: setting("<xml:p>v</xml:p>") })).toBe(207);
    const names = '<D:propfind xmlns:D="DAV:"><D:propname/></D:propfind>';
    expect((await here.propfind("/drive/a", "0", names))[0]?.names[200]).toContain(
      "{http://www.w3.org/XML/1998/namespace}p",
    );
  });

  test("has a namespace without blanks", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    for (const namespace of ["satchel modified", "a&#10;b"]) {
      const body = setting(`<modified xmlns="${namespace}">v</modified>`);
      expect(await here.status("PROPPATCH", "/drive/a", { body })).toBe(400);
    }
  });

  test("changes nothing under a condition that holds no more when its body has come", async () => {
    await using here = await open();
    for (const headersFor of [(etag: string) => ({ "if-match": etag }), (etag: string) => ({ if: `([${etag}])` })]) {
      const headers = headersFor((await here.send("PUT", "/drive/a", { body: "a" })).headers.get("etag") ?? "");
      const { body, begun, finish } = slowBody(mark("late").slice(0, 9), mark("late").slice(9));
      const answer = here.send("PROPPATCH", "/drive/a", { body, headers });
      await begun;
      await here.send("PUT", "/drive/a", { body: "another" });
      finish();
      expect((await answer).code).toBe("precondition.failed");
      expect(await here.property("/drive/a")).toBeUndefined();
    }
  });

  test("is set by who still may when the body has come", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    const { key, id } = await makeKey(here.house);
    const { body, begun, finish } = slowBody(mark("late").slice(0, 9), mark("late").slice(9));
    const answer = davCalls(here.house, basic("x", key)).send("PROPPATCH", "/drive/a", { body });
    await begun;
    await here.house.house.access.keys.remove(id);
    finish();
    expect((await answer).code).toBe("key.invalid");
    expect(await here.property("/drive/a")).toBeUndefined();
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
