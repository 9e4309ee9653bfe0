import { describe, expect, test } from "bun:test";
import type { ConnectTool, ReadyText } from "#contract/connect";
import { keys } from "#contract/keys";
import { sql } from "../../../../src/database/sql.ts";
import { type KeyOptions, makeKey } from "../../../support/make-key.ts";
import { makeMount, mountOther } from "../../../support/make-mount.ts";
import { scenarios } from "../../../support/scenario.ts";
import { ask } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const KEY = "ready-key-0123456789";

/** What the server says of a new key, with what it says to a program to do something by some way. */
async function connection(house: TestHouse, key: KeyOptions = {}) {
  const { id } = await makeKey(house, { name: "mine", custom_key: KEY, ...key });
  const { data } = await ask(house, keys.connect, { params: { id } });
  if (!data) throw new Error("No texts.");
  const of = (tool: ConnectTool, does: ReadyText["does"], via = "") =>
    data.texts.find((one) => one.tool === tool && one.does === does && one.via === via)?.text ?? "";
  return { ...data, of, tools: [...new Set(data.texts.map(({ tool }) => tool))] };
}

describe("what programs are told of a key", () => {
  const url = "/api/admin/api-keys/mine/connect";
  scenarios(
    [
      { method: "GET", url, status: 401, has: ["auth.required"], hasNot: [KEY] },
      { method: "GET", url, as: "visitor", status: 401, has: ["auth.required"], hasNot: [KEY] },
      { method: "GET", url, as: "any key", status: 403, has: ["auth.forbidden"], hasNot: [KEY] },
      { method: "GET", url: "/api/admin/api-keys/nothing/connect", as: "admin", status: 404, has: ["key.missing"] },
      { method: "GET", url, as: "admin", status: 200, has: ['"s3_region":"us-east-1"'] },
    ],
    async (house) => {
      await makeKey(house, { name: "mine", custom_key: KEY });
      await house.db.run(sql`update api_keys set id = name where name = 'mine'`);
    },
  );

  const own = "/api/test/api-key/connect";
  scenarios([
    { method: "GET", url: own, status: 401, has: ["auth.required"] },
    { method: "GET", url: own, as: "visitor", status: 401, has: ["auth.required"] },
    { method: "GET", url: own, as: "admin", status: 404, has: ["key.missing"] },
    { method: "GET", url: own, as: "any key", status: 200, has: ['"s3_region":"us-east-1"'] },
  ]);

  test("are told to its holder as they are to the administrator", async () => {
    await using house = await openTestHouse();
    const { id } = await makeKey(house, { name: "mine", custom_key: KEY });
    const { data } = await ask(house, keys.connect, { params: { id } });
    const response = await house.request("/api/test/api-key/connect", { headers: { "x-api-key": KEY } });
    expect(await response.json()).toMatchObject({ data });
  });

  test("carry the key, its S3 name and an address that programs understand", async () => {
    await using house = await openTestHouse({ publicUrl: "https://share.example" });
    const { texts, of, protocols, server, form } = await connection(house);
    expect(protocols).toEqual(["webdav", "s3"]);
    expect(of("curl", "shareText")).toBe(`curl -u :${KEY} -d text=hello https://share.example/`);
    expect(form).toEqual({
      address: "https://share.example/",
      field: "file",
      header: { name: "X-API-KEY", value: KEY },
    });
    expect(server).toBe("https://share.example");
    // davfs2 asks for the password when it mounts, and the program for terminals keeps the key.
    const keyed = texts.filter(({ tool, does }) => tool !== "davfs2" && (tool !== "satchel" || does === "install"));
    for (const { text } of keyed) expect(text).toContain(KEY);
    expect(texts.flatMap(({ file }) => file ?? [])).toEqual([
      "share.example.sxcu",
      "share.example-text.sxcu",
      "config.json",
      "satchel-screenshot",
      "mcp.json",
      "mcp.json",
    ]);
    expect(of("awscli", "list", "S3")).toEndWith("aws --endpoint-url https://share.example s3 ls s3://drive/");
    expect(of("restic", "backup", "S3")).toEndWith("restic -r s3:https://share.example/drive/backup init");
    expect(of("s3cmd", "list", "S3")).not.toContain("--no-ssl");
  });

  test("tell assistants the address of MCP below the base path, in the shape that each of them reads", async () => {
    await using house = await openTestHouse({ publicUrl: "https://share.example/satchel" });
    const { of } = await connection(house);
    const told = (tool: ConnectTool) => of(tool, "assist", "MCP");
    const url = "https://share.example/satchel/mcp";
    const headers = { Authorization: `Bearer ${KEY}` };
    expect(told("claude")).toBe(
      `claude mcp add --transport http satchel ${url} \\\n  --header 'Authorization: Bearer ${KEY}'`,
    );
    expect(JSON.parse(told("vscode"))).toEqual({ servers: { satchel: { type: "http", url, headers } } });
    expect(JSON.parse(told("cursor"))).toEqual({ mcpServers: { satchel: { url, headers } } });
    const dav = await connection(house, {
      name: "dav",
      permissions: ["webdav_read"],
      custom_key: "dav-key-0123456789",
    });
    expect(dav.tools).not.toContain("claude");
  });

  test("lead to the mount in which the base path lies, and there to the folder, whatever it is called", async () => {
    await using house = await openTestHouse();
    await makeMount(house, { mount_path: "/team" });
    await mountOther(house, "/team/inner", true);
    const { of } = await connection(house, { basic_path: "/team/inner/it's 照片" });
    expect(of("rclone", "sync", "S3")).toEndWith("rclone lsf 'satchel-s3:team.inner/it'\\''s 照片/'");
    expect(of("restic", "backup", "S3")).toContain("/team.inner/it'\\''s%20%E7%85%A7%E7%89%87/backup' init");
    expect(of("curl", "upload", "WebDAV")).toContain("/dav/team/inner/it'\\''s%20%E7%85%A7%E7%89%87/'");
    expect(of("s3cmd", "list", "S3")).toContain("--no-ssl");
  });

  test("run nothing that a folder is called, in no shell", async () => {
    await using house = await openTestHouse();
    const { of } = await connection(house, { basic_path: "/drive/a\u2019; id; \u2018\u201a\u201b'b;headers=@c" });
    expect(of("powershell", "upload", "API")).toContain(
      "--form-string 'path=/drive/a\u2019\u2019; id; \u2018\u2018\u201a\u201a\u201b\u201b''b;headers=@c/'",
    );
    expect(of("curl", "upload", "API")).toContain(
      "--form-string 'path=/drive/a\u2019; id; \u2018\u201a\u201b'\\''b;headers=@c/'",
    );
  });

  test("of a key that sees several mounts begin above them, and write into the first in the order of the tree", async () => {
    await using house = await openTestHouse();
    await house.configure(sql`update mounts set sort_order = 1`);
    const { id } = await makeMount(house, { mount_path: "/照片" });
    const { of, dav_address } = await connection(house);
    expect(dav_address).toEndWith("/dav");
    expect(of("curl", "list", "API")).toContain("/api/fs/list?path=%2F");
    expect(of("curl", "upload", "API")).toContain("'path=/照片/'");
    expect(of("curl", "upload", "WebDAV")).toEndWith(`/dav/${encodeURIComponent("照片")}/`);
    expect(of("awscli", "list", "S3")).toEndWith(" s3 ls s3://");
    expect(of("restic", "backup", "S3")).toContain(`/${id}/backup init`);
  });

  test("name a mount by its id where its path is no name of a bucket", async () => {
    await using house = await openTestHouse();
    const { id } = await makeMount(house, { mount_path: "/照片" });
    const { of } = await connection(house, { basic_path: "/照片" });
    expect(of("awscli", "list", "S3")).toContain(`s3://${id}/`);
  });

  test("are for what the key's rights open, and without a mount for no bucket", async () => {
    await using house = await openTestHouse();
    await house.configure(sql`delete from mounts`);
    const tools = ["curl", "satchel", "powershell", "sharex", "claude", "vscode", "cursor"];
    const texts = await connection(house, { permissions: ["text"] });
    expect(texts).toMatchObject({ protocols: [], form: null, tools });
    expect(texts.of("sharex", "shareFile")).toBe("");
    const none = await connection(house, { name: "none", custom_key: "key-without-rights", permissions: [] });
    expect(none.texts.map(({ does }) => does)).toEqual(["check", "check"]);
    const short = await connection(house, { name: "short", custom_key: "short-key", permissions: ["mount_view"] });
    expect(short).toMatchObject({ protocols: ["s3"], may_sign: false });
    expect(short.of("restic", "backup", "S3")).toBe("");
    expect(short.of("awscli", "list", "S3")).toEndWith("s3 ls s3://");
  });
});
