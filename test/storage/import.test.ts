import { expect, test } from "bun:test";
import { imports } from "#contract/imports";
import { backupOf, file, key, mount, type Row, s3Config, signed, storage } from "../support/backups/cloudpaste.ts";
import { openS3Store } from "../support/stores/s3-store.ts";
import { openTestHouse, type TestHouse } from "../support/test-house.ts";

const CONTENT = "from the other server";
const headersOf = async (house: TestHouse) => ({ authorization: `Bearer ${await house.signIn()}` });

/** Where a bucket is, as the other server kept it. */
type Place = Readonly<Record<"endpoint_url" | "bucket_name" | "access_key_id" | "secret_access_key", string>>;

const generations: Readonly<Record<string, (place: Place) => { bucket: Row; table: string }>> = {
  storage_configs: (config) => ({ bucket: storage({ config }), table: "storage_configs" }),
  s3_configs: (place) => ({ bucket: s3Config(place), table: "s3_configs" }),
};

test.each(Object.keys(generations))(
  "what was shared and mounted of a real bucket is there after an import of %s, and stays in it",
  async (generation) => {
    await using s3 = await openS3Store();
    await using house = await openTestHouse({ now: Date.now() });
    await s3.store.put("shared/notes.txt", new Response(CONTENT), { type: "text/plain", length: CONTENT.length });
    const place = {
      endpoint_url: s3.server.endpoint,
      bucket_name: s3.bucket,
      access_key_id: signed(s3.server.accessKey),
      secret_access_key: signed(s3.server.secret),
    };
    const { bucket, table } = generations[generation]?.(place) ?? { bucket: {}, table: "" };
    const shared = file({ slug: "notes", storage_config_id: bucket.id, size: CONTENT.length });
    const lost = file({ slug: "lost", storage_config_id: bucket.id, storage_path: "shared/nowhere.txt" });
    const program = key({ key: "a-program-key", permissions: 256 });
    const backup = backupOf({
      [table]: [bucket],
      files: [shared, lost],
      storage_mounts: [mount({ storage_config_id: bucket.id })],
      api_keys: [program],
    });
    const run = { method: "POST", headers: await headersOf(house), body: JSON.stringify(backup) };
    expect(await (await house.request(`/api${imports.run.path}`, run)).text()).toContain('"report"');
    expect(await s3.keys()).toEqual(["shared/notes.txt"]);

    const content = await house.request("/api/file-download/notes");
    expect([content.status, await content.text()]).toEqual([200, CONTENT]);
    expect((await house.request("/api/file-download/lost")).status).not.toBe(200);
    const listed = await house.request("/api/fs/list?path=/pictures/shared", {
      headers: { "x-api-key": "a-program-key" },
    });
    expect(await listed.text()).toContain('"notes.txt"');

    const removal = {
      method: "DELETE",
      headers: { ...(await headersOf(house)), "content-type": "application/json" },
      body: JSON.stringify({ ids: [shared.id], delete_mode: "both" }),
    };
    expect((await house.request("/api/files/batch-delete", removal)).status).toBe(200);
    expect((await house.request("/api/file-download/notes")).status).toBe(404);
    expect(await s3.keys()).toEqual(["shared/notes.txt"]);
  },
);
