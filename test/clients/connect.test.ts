import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { KeyConnection, KeyRecord } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { basic } from "../support/dav.ts";
import { openWorkshop } from "../support/programs.ts";
import { startServer } from "../support/server.ts";

/** The lines that a key's page offers, pasted as they stand into a shell with the programs of Debian. */

const server = await startServer();
const address = server.address.replace("localhost", "127.0.0.1");
const shop = openWorkshop({ AWS_EC2_METADATA_DISABLED: "true", RESTIC_PASSWORD: "sesame" });
afterAll(async () => {
  await server.stop();
  shop[Symbol.dispose]();
});

const admin = basic("admin", server.adminPassword);

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { ...admin, "content-type": "application/json" };
  const response = await fetch(`${address}/api${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: Answer }).data;
}

/** A key that sees one folder, and its lines. */
async function connect(name: string, basic_path: string): Promise<KeyConnection> {
  const fields = { name, permissions: ALL_PERMISSIONS, expires_at: null, basic_path };
  const { id } = await call<KeyRecord>("POST", "/admin/api-keys", fields);
  return await call<KeyConnection>("GET", `/admin/api-keys/${id}/connect`);
}

beforeAll(async () => {
  await call("POST", "/fs/mkdir", { path: "/drive/it's 照片 100%" });
  await Bun.write(`${shop.path}/photo.jpg`, "a picture");
});

describe.each([
  ["everything", "/"],
  ["a folder with an odd name", "/drive/it's 照片 100%"],
])("a key for %s", (name, base) => {
  let lines: KeyConnection["lines"] = [];
  beforeAll(async () => {
    ({ lines } = await connect(name, base));
  });

  const pasted = async (protocol: string, tool: string): Promise<string> => {
    const found = lines.find((one) => one.protocol === protocol && one.tool === tool);
    if (!found) throw new Error(`No lines for ${tool}.`);
    return await shop.done(["sh", "-ec", found.lines]);
  };

  test("works with curl", async () => {
    expect(await pasted("rest", "POST /api/paste")).toContain('"authorizedBy":"apikey"');
    expect(await pasted("rest", "POST /api/upload")).toContain('"success":true');
    expect(await pasted("rest", "POST /api/fs/upload")).toContain('"success":true');
    expect(await pasted("rest", "GET /api/fs/list")).toContain("photo.jpg");
  });

  test("works over WebDAV with curl and rclone", async () => {
    await pasted("webdav", "curl");
    expect(await pasted("webdav", "rclone")).toContain("photo.jpg");
  });

  test("works over S3 with awscli, rclone, s3cmd and restic", async () => {
    for (const tool of ["awscli", "rclone", "s3cmd"]) expect(await pasted("s3", tool)).toContain("photo.jpg");
    expect(await pasted("s3", "restic")).toContain("created restic repository");
  });
});
