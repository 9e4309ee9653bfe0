import { describe, expect, test } from "bun:test";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { callTool, post, rpc } from "../../../support/clients/mcp.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";
import { until } from "../../../support/until.ts";

/** What the tools of MCP do, and what they say when they do it not. */

type Key = Readonly<Record<string, string>>;

async function open(options: Parameters<typeof openTestHouse>[0] = {}) {
  const house = await openTestHouse(options);
  const key: Key = withKey(await makeKey(house));
  const put = async (path: string, body: string | Uint8Array<ArrayBuffer>) => {
    const response = await house.request(`/dav${path}`, {
      method: "PUT",
      headers: {
        authorization: `Basic ${Buffer.from(`key:${key.authorization?.slice("ApiKey ".length)}`).toString("base64")}`,
      },
      body,
    });
    expect(response.status).toBe(201);
  };
  const call = <Content = Readonly<Record<string, string>>>(name: string, input: object = {}, as = key) =>
    callTool<Content>(house, as, name, input);
  return { house, key, put, call, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

interface Entries {
  readonly entries: readonly { readonly path: string }[];
  readonly next_cursor: string | null;
  readonly total: number;
}

/** Sends bytes as the answer of a tool says it. */
async function send(
  house: TestHouse,
  { content }: Awaited<ReturnType<typeof callTool>>,
  body: string,
): Promise<number> {
  const { url, method, headers } = content as { url: string; method: string; headers: Record<string, string> };
  const { pathname, search } = new URL(url);
  return (await house.request(pathname + search, { method, headers, body })).status;
}

describe("folders", () => {
  test("are listed in pages", async () => {
    await using one = await open();
    const admin = { kind: "admin", sessionId: null } as const;
    const view = await one.house.house.vfs.as(admin, "mount");
    for (const name of ["a", "b", "c", "d/e"])
      await view.at(`/drive/${name}`).put({ body: new Response("x"), length: 1 });
    const first = await one.call<Entries>("list_folder", { path: "/drive", limit: 3 });
    expect(first.content.entries.map(({ path }) => path)).toEqual(["/drive/a", "/drive/b", "/drive/c"]);
    const cursor = first.content.next_cursor;
    const second = await one.call<Entries>("list_folder", { path: "/drive/", limit: 3, cursor });
    expect(second.content).toMatchObject({
      entries: [{ name: "d", path: "/drive/d", kind: "folder" }],
      next_cursor: null,
    });
    expect(JSON.parse(second.text)).toEqual(second.content);
    expect((await one.call<Entries>("list_folder")).content.entries.map(({ path }) => path)).toEqual(["/drive"]);
  });

  test("are searched by the words of names", async () => {
    await using one = await open();
    for (const name of ["plan one.txt", "plan two.txt", "other.txt"])
      await one.put(`/drive/${encodeURIComponent(name)}`, "x");
    const search = async (input: object) => (await one.call<Entries>("search_files", input)).content;
    const all = await until(
      () => search({ query: "plan", path: "/drive" }),
      ({ total }) => total === 2,
    );
    expect(all.entries.map(({ path }) => path).toSorted()).toEqual(["/drive/plan one.txt", "/drive/plan two.txt"]);
    expect(await search({ query: "plan", limit: 1 })).toMatchObject({ total: 2, total_exact: true, has_more: true });
    expect(await search({ query: "plan", limit: 1, offset: 1 })).toMatchObject({ has_more: false });
    expect((await one.call("search_files", { query: "p" })).isError).toBe(true);
  });

  test("say what is wrong", async () => {
    await using one = await open();
    await one.put("/drive/a.txt", "x");
    const told = async (name: string, input: object) => (await one.call(name, input)).text;
    expect(await told("list_folder", { path: "/drive/none" })).toBe("This file or folder does not exist (404).");
    expect(await told("list_folder", { path: "/drive", cursor: "x" })).toContain("no longer exists");
    expect(await told("list_folder", { path: "/drive", limit: 501 })).toContain("500");
    expect(await told("list_folder", { path: "/drive/../x" })).not.toBe("");
    expect(await told("list_folder", { path: 5 })).toBe("The field path is missing or invalid.");
    expect(await told("list_folder", { paths: "/drive" })).toBe("There is no option paths.");
    expect(await told("list_folder", { ["x".repeat(1000)]: 1 })).toBe(`There is no option ${"x".repeat(60)}.`);
    for (const input of [null, [], "x", 5]) {
      const { message } = await post(one.house, rpc("tools/call", { name: "list_folder", arguments: input }), one.key);
      expect(message.result).toMatchObject({ isError: true });
    }
    const german = await one.call("list_folder", { path: "/drive/none" }, { ...one.key, "accept-language": "de" });
    expect(german.isError).toBe(true);
    expect(german.text).toContain("Ordner");
  });

  test("outside of the base path of a key are closed", async () => {
    await using one = await open();
    await makeMount(one.house, { mount_path: "/team" });
    await one.put("/drive/a.txt", "x");
    const key = withKey(await makeKey(one.house, { basic_path: "/team" }));
    const calls: readonly (readonly [string, object])[] = [
      ["list_folder", { path: "/drive" }],
      ["search_files", { query: "txt", path: "/drive" }],
      ["read_file", { path: "/drive/a.txt" }],
      ["download_file", { path: "/drive/a.txt" }],
      ["upload_file", { path: "/drive/b.txt" }],
      ["share_path", { paths: ["/drive/a.txt"] }],
      ["share_path", { paths: ["/drive"] }],
      ["make_inbound_link", { path: "/drive" }],
    ];
    for (const [name, input] of calls) {
      const { isError, text } = await one.call(name, input, key);
      expect({ name, isError, text }).toMatchObject({ name, isError: true });
      expect(text).not.toContain("a.txt");
    }
    expect((await one.call<Entries>("list_folder", {}, key)).content.entries.map(({ path }) => path)).toEqual([
      "/team",
    ]);
  });
});

describe("a text file", () => {
  const words = "aé数😀 z";

  test("is read piece by piece, and no letter is lost", async () => {
    await using one = await open();
    await one.put("/drive/a.txt", words);
    const marked = `\uFEFF${words}\uFEFF\uFEFF`;
    await one.put("/drive/marked.txt", marked);
    for (let length = 1; length < 8; length++) {
      let [all, offset] = ["", 0 as number | null];
      while (offset !== null) {
        const { content } = await one.call<{ text: string; next_offset: number | null; size: number }>("read_file", {
          ...{ path: "/drive/marked.txt", offset, length },
        });
        expect(content.size).toBe(Buffer.byteLength(marked));
        all += content.text;
        offset = content.next_offset;
      }
      expect({ length, all }).toEqual({ length, all: marked });
    }
    const inside = await one.call("read_file", { path: "/drive/a.txt", offset: 2, length: 4 });
    expect(inside.content).toMatchObject({ offset: 3, text: "数", next_offset: 6 });
    const behind = await one.call("read_file", { path: "/drive/a.txt", offset: 999 });
    expect(behind.content).toMatchObject({ text: "", next_offset: null });
  });

  test("is UTF-8, and anything else is not read", async () => {
    await using one = await open();
    await one.put("/drive/empty.txt", "");
    expect((await one.call("read_file", { path: "/drive/empty.txt" })).content).toMatchObject({ text: "", size: 0 });
    const bytes = [Buffer.from("PK\u0003\u0004\u0000"), Buffer.from([0xff, 0xd8, 0xff]), Buffer.from("é", "latin1")];
    for (const [index, body] of bytes.entries()) {
      await one.put(`/drive/${index}.bin`, new Uint8Array(body));
      const { isError, text } = await one.call("read_file", { path: `/drive/${index}.bin` });
      expect({ index, isError, text }).toEqual({
        ...{ index, isError: true },
        text: "This file is not UTF-8 text (415). Download it instead.",
      });
    }
    expect((await one.call("read_file", { path: "/drive" })).isError).toBe(true);
    expect((await one.call("read_file", { path: "/drive/none" })).isError).toBe(true);
    expect((await one.call("read_file", { path: "/drive/0.bin", length: 256 * 1024 + 1 })).isError).toBe(true);
  });
});

describe("bytes", () => {
  test("come to an address, and are there when the upload has ended", async () => {
    await using one = await open();
    const path = "/drive/new/it's.txt";
    const begun = await one.call("upload_file", { path, size: 5, type: "text/plain" });
    expect(begun.content).toMatchObject({ path, method: "PUT", headers: { "Content-Type": "text/plain" } });
    expect(begun.content.curl).toStartWith("curl -fg -T 'it'\\''s.txt' -H 'Content-Type: text/plain' '");
    const { upload_id } = begun.content;
    const early = await one.call("finish_upload", { path, upload_id });
    expect(early.isError).toBe(true);
    expect(await send(one.house, begun, "hello")).toBe(200);
    expect((await one.call("finish_upload", { path: "/drive/new/other.txt", upload_id })).isError).toBe(true);
    const elsewhere = withKey(await makeKey(one.house, { basic_path: "/team" }));
    expect((await one.call("finish_upload", { path, upload_id }, elsewhere)).isError).toBe(true);
    for (let twice = 0; twice < 2; twice++)
      expect((await one.call("finish_upload", { path, upload_id })).content).toEqual({ path, size: 5 } as never);
    expect((await one.call("read_file", { path })).content.text).toBe("hello");
    expect((await one.call("finish_upload", { path, upload_id: "none" })).isError).toBe(true);
    const got = await one.call("download_file", { path });
    const { pathname, search } = new URL(got.content.url ?? "");
    expect(await (await one.house.request(pathname + search)).text()).toBe("hello");
  });

  test("of a share come the same way", async () => {
    await using one = await open();
    const begun = await one.call("share_file", { name: "-", expire: "1h", views: 1, slug: "mine", remark: "for you" });
    expect(begun.content).toMatchObject({ link: "http://satchel.test/file/mine", slug: "mine", views: 1 });
    expect(begun.content.curl).toContain(" -T ./- ");
    const { upload_id } = begun.content;
    expect((await one.call("finish_file_share", { upload_id })).isError).toBe(true);
    expect(await send(one.house, begun, "hello")).toBe(200);
    const other = withKey(await makeKey(one.house));
    expect((await one.call("finish_file_share", { upload_id }, other)).isError).toBe(true);
    expect((await one.call("finish_file_share", { upload_id })).content).toEqual({
      ...{ link: "http://satchel.test/file/mine", size: 5 },
    } as never);
    expect((await one.call("share_file", { name: "a/b" })).text).toBe("The field name is missing or invalid.");
  });
});

describe("a text", () => {
  test("is shared with its limits, and read by whoever shared it without a view", async () => {
    await using one = await open();
    const shared = await one.call("share_text", {
      ...{
        content: "one\ntwo",
        expire: "7d",
        views: 1,
        password: "sesame-by-mcp-3",
        slug: "notes",
        remark: "mine",
        plain: true,
      },
    });
    expect(shared.content).toEqual({
      ...{ link: "http://satchel.test/paste/notes", raw: "http://satchel.test/paste/notes?raw", slug: "notes" },
      ...{ expires: new Date(one.house.clock.now() + 7 * 86_400_000).toISOString(), views: 1 },
    } as never);
    for (const text of ["notes", "http://satchel.test/paste/notes", "http://satchel.test/paste/notes?raw"])
      expect((await one.call("read_text", { text, offset: 4 })).content).toMatchObject({ text: "two", remark: "mine" });
    await one.call("share_text", { content: "\uFEFFa\u0000é", slug: "odd" });
    const odd = await one.call("read_text", { text: "odd" });
    expect(odd.content).toMatchObject({ text: "\uFEFFa\u0000é", next_offset: null });
    const other = withKey(await makeKey(one.house));
    for (const text of ["notes", "none", "", "a/b", "/paste/%ff"]) {
      const { isError } = await one.call("read_text", { text }, other);
      expect({ text, isError }).toEqual({ text, isError: true });
    }
    const { views } = await one.house.house.shares.pastes.find({ kind: "admin", sessionId: null }, "notes");
    expect(views).toBe(0);
  });

  test("with an option that cannot be meant is not shared", async () => {
    await using one = await open();
    await one.call("share_text", { content: "x", slug: "taken" });
    for (const [input, said] of [
      [{ content: "" }, "The content is empty."],
      [
        { content: "x", expire: "soon" },
        "The option expire (30m, 12h, 7d, 2026-12-31, never) has a value that cannot be used.",
      ],
      [{ content: "x", expire: "2001-01-01" }, "The expiry time lies in the past."],
      [{ content: "x", expires: "1h" }, "There is no option expires."],
      [{ content: "x", views: -1 }, "The field views is missing or invalid. It is 0 at "],
      [{ content: "x", views: "1" }, "The field views is missing or invalid."],
      [{ content: "x", slug: "taken" }, "Link suffix is already taken, please use another one (409)."],
      [{ content: "x", slug: "a/b" }, "A link suffix has at most"],
      [{ content: "x", password: "" }, "The field password is missing or invalid."],
      [{}, "The field content is missing or invalid."],
      [{ content: "x".repeat(MAX_CONTENT_BYTES + 1) }, "Content too large"],
    ] as const) {
      const { isError, text } = await one.call("share_text", input);
      expect({ isError, text: text.slice(0, said.length) }).toEqual({ isError: true, text: said });
    }
  });
});

describe("links", () => {
  test("lead to a file, to a folder or to several things", async () => {
    await using one = await open();
    await one.put("/drive/a.txt", "x");
    await one.put("/drive/b.txt", "y");
    const kinds = async (paths: readonly string[]) => (await one.call("share_path", { paths, expire: "1h" })).content;
    expect(await kinds(["/drive/a.txt"])).toMatchObject({ kind: "file" });
    expect(await kinds(["/drive/"])).toMatchObject({ kind: "link" });
    const { link } = await kinds(["/drive/a.txt", "/drive/b.txt"]);
    const list = await one.house.request(new URL(link ?? "").pathname, { headers: { "user-agent": "curl/8" } });
    expect((await list.text()).split("\n").map((line) => line.split("\t")[0])).toEqual(["a.txt", "b.txt", ""]);
    expect((await one.call("share_path", { paths: ["/drive/none"] })).isError).toBe(true);
    expect((await one.call("share_path", { paths: [] })).isError).toBe(true);
  });

  test("take files into a folder, within their limits", async () => {
    await using one = await open();
    const inside = await one.call("upload_file", { path: "/drive/in/a.txt" });
    expect(await send(one.house, inside, "x")).toBe(200);
    await one.call("finish_upload", { path: "/drive/in/a.txt", upload_id: inside.content.upload_id });
    const made = await one.call("make_inbound_link", {
      path: "/drive/in",
      max_files: 1,
      title: "Photos",
      slug: "photos",
    });
    expect(made.content).toMatchObject({ link: "http://satchel.test/in/photos", slug: "photos" });
    const bring = async (name: string) =>
      (await one.house.request(`/in/photos/${name}`, { method: "PUT", body: "hello" })).status;
    expect([await bring("b.txt"), await bring("c.txt")]).toEqual([201, 409]);
    expect((await one.call("make_inbound_link", { path: "/drive/in/a.txt" })).isError).toBe(true);
    expect((await one.call("make_inbound_link", { path: "/drive/in", title: "\u202e" })).isError).toBe(true);
  });
});

test("whoever loses the key while the call is on its way has nothing done", async () => {
  await using house = await openTestHouse();
  const row = await makeKey(house);
  const bytes = Buffer.from(JSON.stringify(rpc("tools/call", { name: "share_text", arguments: { content: "x" } })));
  const body = new ReadableStream({
    async pull(controller) {
      await house.house.access.keys.remove(row.id);
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const response = await house.request("/mcp", { method: "POST", headers: withKey(row), body });
  expect(response.status).toBe(401);
  const { rows } = await house.house.shares.pastes.list({
    owners: undefined,
    limit: 1,
    offset: 0,
    sort: "created",
    order: "desc",
  });
  expect(rows).toEqual([]);
});
