import { describe, expect, test } from "bun:test";
import { keys, type ReadyLines } from "#contract/keys";
import { sql } from "../../../../src/database/sql.ts";
import { type KeyOptions, makeKey } from "../../../support/make-key.ts";
import { makeMount, mountOther } from "../../../support/make-mount.ts";
import { scenarios } from "../../../support/scenario.ts";
import { ask } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const KEY = "ready-key-0123456789";

/** What the server says of a new key, with its lines by protocol and tool. */
async function connection(house: TestHouse, key: KeyOptions = {}) {
  const { id } = await makeKey(house, { name: "mine", custom_key: KEY, ...key });
  const { data } = await ask(house, keys.connect, { params: { id } });
  if (!data) throw new Error("No lines.");
  const of = (protocol: ReadyLines["protocol"], tool: string) =>
    data.lines.find((one) => one.protocol === protocol && one.tool === tool)?.lines ?? "";
  return { ...data, of, protocols: [...new Set(data.lines.map(({ protocol }) => protocol))] };
}

describe("the lines of a key", () => {
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

  test("carry the key, its S3 name and an address that programs understand", async () => {
    await using house = await openTestHouse({ publicUrl: "https://share.example" });
    const { lines, of, protocols, server } = await connection(house);
    expect(protocols).toEqual(["rest", "webdav", "s3"]);
    expect(server).toBe("https://share.example");
    // davfs2 asks for the password when it mounts.
    for (const one of lines.filter(({ tool }) => tool !== "davfs2")) expect(one.lines).toContain(KEY);
    expect(of("s3", "awscli")).toEndWith("aws --endpoint-url https://share.example s3 ls s3://drive/");
    expect(of("s3", "restic")).toEndWith("restic -r s3:https://share.example/drive/backup init");
    expect(of("s3", "s3cmd")).not.toContain("--no-ssl");
  });

  test("lead to the mount in which the base path lies, and there to the folder, whatever it is called", async () => {
    await using house = await openTestHouse();
    await makeMount(house, { mount_path: "/team" });
    await mountOther(house, "/team/inner", true);
    const { of } = await connection(house, { basic_path: "/team/inner/it's 照片" });
    expect(of("s3", "rclone")).toEndWith("rclone lsf 'satchel-s3:team.inner/it'\\''s 照片/'");
    expect(of("s3", "restic")).toContain("/team.inner/it'\\''s%20%E7%85%A7%E7%89%87/backup' init");
    expect(of("webdav", "curl")).toContain("/dav/team/inner/it'\\''s%20%E7%85%A7%E7%89%87/'");
    expect(of("s3", "s3cmd")).toContain("--no-ssl");
  });

  test("name a mount by its id where its path is no name of a bucket", async () => {
    await using house = await openTestHouse();
    const { id } = await makeMount(house, { mount_path: "/照片" });
    const { of } = await connection(house, { basic_path: "/照片" });
    expect(of("s3", "awscli")).toContain(`s3://${id}/`);
  });

  test("are for the protocols that the key's rights open, and without a mount for no bucket", async () => {
    await using house = await openTestHouse();
    await house.configure(sql`delete from mounts`);
    expect((await connection(house, { permissions: ["text"] })).protocols).toEqual(["rest"]);
    const short = await connection(house, { name: "short", custom_key: "short-key", permissions: ["mount_view"] });
    expect(short).toMatchObject({ protocols: ["rest", "s3"], may_sign: false });
    expect(short.of("s3", "restic")).toBe("");
    expect(short.of("s3", "awscli")).toEndWith("s3 ls s3://");
  });
});
