import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { KeyConnection, KeyRecord } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { basic } from "../support/dav.ts";
import { openWorkshop } from "../support/programs.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** The lines that a key's page offers, pasted as they stand into a shell with the programs of Debian. */

const servers = [await startServer(), await startServer({ environment: { BASE_PATH: "/shared/satchel" } })];
const shop = openWorkshop({ AWS_EC2_METADATA_DISABLED: "true", RESTIC_PASSWORD: "sesame" });
afterAll(async () => {
  for (const server of servers) await server.stop();
  shop[Symbol.dispose]();
});
const atRoot = (server: TestServer): boolean => server === servers[0];

async function call<Answer>(server: TestServer, method: string, path: string, body?: object): Promise<Answer> {
  const headers = { ...basic("admin", server.adminPassword), "content-type": "application/json" };
  const response = await fetch(`${server.address.replace("localhost", "127.0.0.1")}/api${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: Answer }).data;
}

/** A key that sees one folder, and its lines. */
async function connect(server: TestServer, name: string, basic_path: string): Promise<KeyConnection> {
  const fields = { name, permissions: ALL_PERMISSIONS, expires_at: null, basic_path };
  const { id } = await call<KeyRecord>(server, "POST", "/admin/api-keys", fields);
  return await call<KeyConnection>(server, "GET", `/admin/api-keys/${id}/connect`);
}

beforeAll(async () => {
  for (const server of servers) await call(server, "POST", "/fs/mkdir", { path: "/drive/it's 照片 100%" });
  await Bun.write(`${shop.path}/photo.jpg`, "a picture");
});

describe.each(
  servers.flatMap((server) => [
    ["everything", server, "/"] as const,
    ["a folder with an odd name", server, "/drive/it's 照片 100%"] as const,
  ]),
)("a key for %s", (name, server, base) => {
  let lines: KeyConnection["lines"] = [];
  beforeAll(async () => {
    ({ lines } = await connect(server, name, base));
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

  test("works over S3 with awscli and rclone, and at the root of a host with s3cmd and restic", async () => {
    for (const tool of ["awscli", "rclone"]) expect(await pasted("s3", tool)).toContain("photo.jpg");
    const tools = lines.filter(({ protocol }) => protocol === "s3").map(({ tool }) => tool);
    expect(tools.includes("s3cmd") && tools.includes("restic") && tools.includes("Cyberduck")).toBe(atRoot(server));
    if (!atRoot(server)) return;
    expect(await pasted("s3", "s3cmd")).toContain("photo.jpg");
    expect(await pasted("s3", "restic")).toContain("created restic repository");
  });
});
