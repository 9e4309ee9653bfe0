import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { MAX_LOCKS_TOGETHER } from "#contract/limits";
import { parseXml } from "../../../../src/lib/xml/xml.ts";
import { basic } from "../../../support/clients/basic.ts";
import { davCalls, davUrl, lockInfo, resources, setting } from "../../../support/clients/dav.ts";
import { openDav as open } from "../../../support/clients/open-dav.ts";
import { callsOf } from "../../../support/clients/s3.ts";
import { slowBody } from "../../../support/clients/slow-body.ts";
import { makeKey } from "../../../support/make-key.ts";
import { treeCalls } from "../../../support/tree/tree-house.ts";

type Open = Awaited<ReturnType<typeof open>>;

const submit = (token: string, path?: string) => ({ if: `${path ? `<${davUrl(path)}> ` : ""}(<${token}>)` });

describe("LOCK", () => {
  test("makes an exclusive lock that everybody sees", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    const { status, token, text } = await here.lock("/drive/a", { headers: { timeout: "Second-100", depth: "0" } });
    expect(status).toBe(200);
    expect(token).toMatch(/^opaquelocktoken:[0-9a-f-]{36}$/);
    expect(text).toContain(`<D:locktoken><D:href>${token}</D:href></D:locktoken>`);
    const [a] = await here.propfind("/drive/a", "0");
    expect(a?.properties.lockdiscovery).toBe(
      `<activelock><locktype><write><lockscope><exclusive><depth>0<owner>me<timeout>Second-100<locktoken><href>${token}<lockroot><href>/dav/drive/a`,
    );
    expect((await here.propfind("/drive", "1"))[1]?.properties.lockdiscovery).toContain(token);
  });

  test("keeps every write away that does not submit its token", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    await here.send("PUT", "/drive/d/a", { body: "a" });
    await here.send("PUT", "/drive/b", { body: "b" });
    const { token } = await here.lock("/drive/d");
    const to = (path: string) => ({ destination: davUrl(path) });
    const writes: [string, string, Record<string, string>, string?][] = [
      ["PUT", "/drive/d/a", {}, "x"],
      ["PUT", "/drive/d/new", {}, "x"],
      ["MKCOL", "/drive/d/e", {}],
      ["PROPPATCH", "/drive/d/a", {}, setting("<x:p/>")],
      ["DELETE", "/drive/d/a", {}],
      ["DELETE", "/drive/d", {}],
      ["MOVE", "/drive/d/a", to("/drive/c")],
      ["MOVE", "/drive/d", to("/drive/c")],
      ["MOVE", "/drive/b", to("/drive/d/b")],
      ["COPY", "/drive/b", to("/drive/d/b")],
      ["COPY", "/drive/b", to("/drive/d/a")],
    ];
    for (const [method, path, headers, body] of writes) {
      const answer = await here.send(method, path, { headers, ...(body !== undefined && { body }) });
      expect([method, path, answer.status]).toEqual([method, path, 423]);
      expect(answer.text).toContain("<D:lock-token-submitted>");
    }
    expect(await here.status("COPY", "/drive/d/a", { headers: to("/drive/free") })).toBe(201);
    expect(await here.text("/drive/d/a")).toBe("a");
    expect(await here.status("PUT", "/drive/d/a", { body: "mine", headers: submit(token) })).toBe(204);
    expect(await here.status("PUT", "/drive/d/new", { body: "mine", headers: submit(token, "/drive/d") })).toBe(201);
    expect(await here.status("MOVE", "/drive/d/new", { headers: { ...to("/drive/c"), ...submit(token) } })).toBe(201);
  });

  test("of a folder alone keeps its names, but not what is in the files", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    await here.send("PUT", "/drive/d/a", { body: "a" });
    await here.lock("/drive/d", { headers: { depth: "0" } });
    expect(await here.status("PUT", "/drive/d/a", { body: "b" })).toBe(204);
    expect(await here.status("PUT", "/drive/d/new", { body: "b" })).toBe(423);
    expect(await here.status("MKCOL", "/drive/d/new")).toBe(423);
    expect(await here.status("DELETE", "/drive/d/a")).toBe(423);
    expect((await here.lock("/drive/d/new")).status).toBe(423);
    expect(await here.names("/drive/d")).toEqual(["a"]);
  });

  test("of nothing makes an empty file", async () => {
    await using here = await open();
    const { status, token } = await here.lock("/drive/new");
    expect(status).toBe(201);
    expect(await here.text("/drive/new")).toBe("");
    expect(await here.status("PUT", "/drive/new", { body: "x" })).toBe(423);
    expect(await here.status("PUT", "/drive/new", { body: "x", headers: submit(token) })).toBe(204);
    expect((await here.lock("/drive/none/new")).status).toBe(409);
    expect((await here.lock("/nowhere")).status).toBe(409);
    for (const path of ["/drive", "/"]) expect((await here.lock(path)).status).toBe(405);
  });

  test("does not stand beside another unless both are shared", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    await here.send("PUT", "/drive/d/a", { body: "a" });
    const { token } = await here.lock("/drive/d/a", { scope: "shared" });
    expect((await here.lock("/drive/d/a", { scope: "shared" })).status).toBe(200);
    const refused = await here.lock("/drive/d/a");
    expect([refused.status, refused.text.includes("<D:no-conflicting-lock><D:href>/dav/drive/d/a</D:href>")]).toEqual([
      423,
      true,
    ]);
    const above = await here.lock("/drive/d");
    expect(resources(above).map(({ href, status }) => [href, status])).toEqual([
      ["/dav/drive/d/a", 423],
      ["/dav/drive/d/", 424],
    ]);
    expect((await here.lock("/drive/d", { headers: { depth: "0" } })).status).toBe(200);
    expect(await here.status("PUT", "/drive/d/a", { body: "b", headers: submit(token) })).toBe(204);
  });

  test("names a hundred of those in the way and no more", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    for (let index = 0; index < 110; index++) await here.lock(`/drive/d/${index}`);
    const removed = await here.send("DELETE", "/drive/d");
    expect([removed.status, removed.text.match(/<D:href>/g)?.length]).toEqual([423, 100]);
    const above = await here.lock("/drive/d");
    expect([above.status, resources(above).length]).toEqual([207, 101]);
  });

  test("lasts anew when it is refreshed, and ends", async () => {
    await using here = await open();
    const { token } = await here.lock("/drive/a", { headers: { timeout: "Second-100" } });
    const refresh = (headers: Record<string, string>) =>
      here.send("LOCK", "/drive/a", { headers: { timeout: "Second-200", ...headers } });
    here.house.clock.advance(90_000);
    const refreshed = await refresh(submit(token));
    expect([refreshed.status, refreshed.text.includes("<D:timeout>Second-200<")]).toEqual([200, true]);
    expect((await refresh({})).status).toBe(400);
    expect((await refresh(submit("opaquelocktoken:none"))).status).toBe(412);
    here.house.clock.advance(199_000);
    expect(await here.status("PUT", "/drive/a", { body: "x" })).toBe(423);
    here.house.clock.advance(1000);
    expect(await here.status("PUT", "/drive/a", { body: "x" })).toBe(204);
    expect((await refresh(submit(token))).status).toBe(412);
  });

  test("is only understood as RFC 4918 has it", async () => {
    await using here = await open();
    const status = (body: string, headers: Record<string, string> = {}) =>
      here.status("LOCK", "/drive/a", { body, headers });
    expect(await status("<x/>")).toBe(400);
    expect(await status(lockInfo("sideways"))).toBe(400);
    expect(await status(lockInfo().replace("<D:write/>", "<D:read/>"))).toBe(400);
    expect(await status(lockInfo(), { depth: "1" })).toBe(400);
    expect(await status(lockInfo(), { timeout: "soon" })).toBe(400);
    expect(await status(lockInfo("exclusive", `<D:owner>${"x".repeat(5000)}</D:owner>`))).toBe(413);
    expect(await here.names("/drive")).toEqual([]);
    expect(await status(lockInfo("exclusive", '<D:owner><x xmlns="urn:x" D:y="&quot;">&lt;me&gt;</x></D:owner>'))).toBe(
      201,
    );
    const { text } = await here.send("PROPFIND", "/drive/a", { headers: { depth: "0" } });
    expect(text).toContain('<D:owner xmlns:D="DAV:"><x xmlns="urn:x" D:y="&quot;">&lt;me&gt;</x></D:owner>');
  });
});

describe("a lock", () => {
  test("is opened by nobody but its holder", async () => {
    await using here = await open();
    const [one, other] = [await makeKey(here.house), await makeKey(here.house)];
    const mine = davCalls(here.house, basic("x", one.key));
    const theirs = davCalls(here.house, basic("x", other.key));
    const { token } = await mine.lock("/drive/a");
    for (const dav of [theirs, here]) {
      expect(await dav.status("PUT", "/drive/a", { body: "x", headers: submit(token) })).toBe(423);
      expect(await dav.status("LOCK", "/drive/a", { headers: submit(token) })).toBe(403);
    }
    expect(await theirs.status("UNLOCK", "/drive/a", { headers: { "lock-token": `<${token}>` } })).toBe(403);
    expect(await mine.status("PUT", "/drive/a", { body: "x", headers: submit(token) })).toBe(204);
  });

  test("of a key that is gone ends when the administrator says so", async () => {
    await using here = await open();
    const { key, id } = await makeKey(here.house);
    const { token } = await davCalls(here.house, basic("x", key)).lock("/drive/a");
    await here.house.house.access.keys.remove(id);
    expect(await here.status("PUT", "/drive/a", { body: "x" })).toBe(423);
    expect(await here.status("UNLOCK", "/drive/a", { headers: { "lock-token": `<${token}>` } })).toBe(204);
    expect(await here.status("PUT", "/drive/a", { body: "x" })).toBe(204);
  });

  test("is for who still may when its body has come", async () => {
    await using here = await open();
    await here.send("PUT", "/drive/a", { body: "a" });
    const { key, id } = await makeKey(here.house);
    const { body, begun, finish } = slowBody(lockInfo().slice(0, 9), lockInfo().slice(9));
    const answer = davCalls(here.house, basic("x", key)).send("LOCK", "/drive/a", { body });
    await begun;
    await here.house.house.access.keys.remove(id);
    finish();
    expect((await answer).code).toBe("key.invalid");
    expect(await here.status("PUT", "/drive/a", { body: "x" })).toBe(204);
  });

  test.each([
    ["a version that is gone", { "if-match": "*" }, (here) => here.send("DELETE", "/drive/a")],
    ["a name that is taken", { "if-none-match": "*" }, (here) => here.send("PUT", "/drive/a", { body: "theirs" })],
  ] satisfies readonly [string, Record<string, string>, (here: Open) => Promise<unknown>][])(
    "is not made for %s when its body has come",
    async (_, headers, meanwhile) => {
      await using here = await open();
      if ("if-match" in headers) await here.send("PUT", "/drive/a", { body: "a" });
      const { body, begun, finish } = slowBody(lockInfo().slice(0, 9), lockInfo().slice(9));
      const answer = here.send("LOCK", "/drive/a", { body, headers });
      await begun;
      await meanwhile(here);
      finish();
      expect((await answer).code).toBe("precondition.failed");
      expect(await here.status("PUT", "/drive/a", { body: "x" })).toBe("if-match" in headers ? 201 : 204);
    },
  );

  test("does not last anew for a version that is gone when its body has come", async () => {
    await using here = await open();
    const etag = (await here.send("PUT", "/drive/a", { body: "a" })).headers.get("etag") ?? "";
    const { token } = await here.lock("/drive/a");
    const { body, begun, finish } = slowBody(lockInfo().slice(0, 9), lockInfo().slice(9));
    const answer = here.send("LOCK", "/drive/a", { body, headers: { ...submit(token), "if-match": etag } });
    await begun;
    await here.send("PUT", "/drive/a", { body: "another", headers: submit(token) });
    finish();
    expect((await answer).code).toBe("precondition.failed");
  });

  test("stands beside others only as far as each answer can name them", async () => {
    await using here = await open();
    await here.send("MKCOL", "/drive/d");
    const shared = async (path: string) => (await here.lock(path, { scope: "shared" })).status;
    expect(await shared("/drive/d/a")).toBe(201);
    for (let count = 2; count <= MAX_LOCKS_TOGETHER; count++)
      expect(await shared(count % 2 === 0 ? "/drive/d" : "/drive/d/a")).toBe(200);
    expect([await shared("/drive/d/a"), await shared("/drive/d")]).toEqual([507, 507]);
    expect((await here.propfind("/drive/d", "1")).length).toBe(2);
    expect(await here.status("DELETE", "/drive/d")).toBe(423);
  });

  test("whose owner rebinds prefixes leaves answers well-formed", async () => {
    await using here = await open();
    const owner = '<x:owner xmlns:x="DAV:" xmlns:D="urn:other" D:a="1">me</x:owner>';
    const answer = await here.send("LOCK", "/drive/a", { body: lockInfo("exclusive", owner) });
    expect([answer.status, parseXml(Buffer.from(answer.text)).name]).toEqual([201, "prop"]);
    expect((await here.propfind("/drive", "1"))[1]?.properties.lockdiscovery).toContain("<owner>me");
  });

  test("is released by its token, at what it holds", async () => {
    await using here = await open();
    const { token } = await here.lock("/drive/a");
    const unlock = (path: string, header: string | undefined) =>
      here.status("UNLOCK", path, { headers: header === undefined ? {} : { "lock-token": header } });
    expect(await unlock("/drive/a", undefined)).toBe(400);
    expect(await unlock("/drive/a", "no token")).toBe(400);
    expect(await unlock("/drive/a", "<opaquelocktoken:none>")).toBe(409);
    expect(await unlock("/drive/b", `<${token}>`)).toBe(409);
    expect(await unlock("/drive/a", `<${token}>`)).toBe(204);
    expect(await here.status("PUT", "/drive/a", { body: "x" })).toBe(204);
    // Some clients leave the brackets out.
    expect(await unlock("/drive/a", (await here.lock("/drive/a")).token)).toBe(204);
  });

  test("of another resource does not help", async () => {
    await using here = await open();
    const [a, b] = [await here.lock("/drive/a"), await here.lock("/drive/b")];
    const put = (headers: Record<string, string>) => here.status("PUT", "/drive/a", { body: "x", headers });
    expect(await put(submit(b.token))).toBe(412);
    expect(await put(submit(b.token, "/drive/b"))).toBe(423);
    expect(await put({ if: `<${davUrl("/drive/b")}> (<${b.token}>) <${davUrl("/drive/a")}> (<${a.token}>)` })).toBe(
      204,
    );
  });

  test("stays behind when its file moves, and goes with it when that is removed", async () => {
    await using here = await open();
    const { token } = await here.lock("/drive/a");
    const headers = { destination: davUrl("/drive/b"), ...submit(token) };
    expect(await here.status("MOVE", "/drive/a", { headers })).toBe(201);
    expect((await here.propfind("/drive/b", "0"))[0]?.properties.lockdiscovery).toBe("");
    expect(await here.status("PUT", "/drive/a", { body: "x" })).toBe(201);
    const again = await here.lock("/drive/b");
    expect(await here.status("DELETE", "/drive/b", { headers: submit(again.token) })).toBe(204);
    expect(await here.status("PUT", "/drive/b", { body: "x" })).toBe(201);
  });

  test("binds whoever writes over REST", async () => {
    await using here = await open();
    const calls = await treeCalls(here.house);
    await here.send("MKCOL", "/drive/d");
    await here.send("PUT", "/drive/d/a", { body: "a" });
    await here.lock("/drive/d", { headers: { depth: "0" } });
    const locked = "423 path.locked";
    expect(await calls.outcome(fs.mkdir, { body: { path: "/drive/d/new" } })).toBe(locked);
    expect(await calls.outcome(fs.update, { body: { path: "/drive/d/new", content: "x" } })).toBe(locked);
    expect(await calls.outcome(fs.update, { body: { path: "/drive/d/a", content: "x" } })).toBe("200");
    const target = { path: "/drive/d/", fileName: "new", fileSize: 1 };
    const { error } = await calls.call(fsUploads.presign, { body: target });
    expect(error).toBe("path.locked");
    expect(await calls.outcome(fs.rename, { body: { oldPath: "/drive/d", newPath: "/drive/e" } })).toBe(locked);
    expect((await calls.call(fs.get, { query: { path: "/drive/d/a" } })).data?.size).toBe(1);
  });

  test("of a folder alone keeps folders out that would come with a name below them", async () => {
    await using here = await open();
    const [calls, s3] = [await treeCalls(here.house), await callsOf(here.house)];
    for (const folder of ["/drive/d", "/drive/free", "/drive/d/old"]) await here.send("MKCOL", folder);
    await s3.put("/drive/file", "x");
    const { token } = await here.lock("/drive/d", { headers: { depth: "0" } });
    const locked = "423 path.locked";
    const writes: (() => Promise<string>)[] = [
      () => calls.outcome(fs.mkdir, { body: { path: "/drive/d/new/deep/e" } }),
      () => calls.outcome(fs.update, { body: { path: "/drive/d/new/deep/e", content: "x" } }),
      async () =>
        `423 ${(await calls.call(fsUploads.presign, { body: { path: "/drive/d/new/", fileName: "e", fileSize: 1 } })).error}`,
    ];
    for (const write of writes) expect(await write()).toBe(locked);
    const copying = { headers: { "x-amz-copy-source": "/drive/file" } };
    const keys = [
      s3.outcome("PUT", "/drive/d/new/deep/e", { body: "x" }),
      s3.outcome("PUT", "/drive/d/new/deep/", { body: "" }),
      s3.outcome("PUT", "/drive/d/new/e", copying),
      s3.outcome("POST", "/drive/d/new/e", { query: { uploads: "" } }),
    ];
    for (const outcome of await Promise.all(keys)) expect(outcome).toMatch(/^409 /);
    expect(await here.names("/drive/d")).toEqual(["old/"]);
    expect(await s3.outcome("PUT", "/drive/d/old/new/e", { body: "x" })).toBe("200");
    expect(await s3.outcome("PUT", "/drive/free/new/e", { body: "x" })).toBe("200");
    expect(await here.status("MKCOL", "/drive/d/new", { headers: submit(token, "/drive/d") })).toBe(201);
  });

  test("survives a restart", async () => {
    await using here = await open();
    const { token } = await here.lock("/drive/a", { headers: { timeout: "Second-100" } });
    const before = await here.house.db.first({ text: "select token, life from dav_locks", values: [] } as never);
    expect(before).toEqual({ token, life: 100_000 });
  });
});
