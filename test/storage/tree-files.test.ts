import { describe, expect, test } from "bun:test";
import { storage as storages } from "#contract/storage";
import { textsIn } from "../support/files/read-zip.ts";
import { makeMount } from "../support/make-mount.ts";
import { ask } from "../support/share-file.ts";
import { openS3House, type S3House } from "../support/stores/s3-house.ts";
import { addressesOf, oddNames, treeFile, treeFolder } from "../support/tree/files.ts";

const MiB = 1024 * 1024;

/** A house with a bucket mounted at /cloud. */
async function open(fields: { readonly web_proxy?: boolean } = {}): Promise<S3House> {
  const here = await openS3House();
  await makeMount(here.house, { mount_path: "/cloud", storage_config_id: here.storage.id, ...fields });
  return here;
}

async function get({ house }: S3House, call: string, query: [string, string][], headers: Record<string, string> = {}) {
  const authorization = `Bearer ${await house.signIn()}`;
  return await house.request(`/api/fs/${call}?${new URLSearchParams(query)}`, {
    headers: { authorization, ...headers },
  });
}

describe("a file of the tree in a storage elsewhere", () => {
  test.each(oddNames)("passes through the server, and has addresses of its storage: %s", async (name) => {
    await using here = await open();
    const path = `/cloud/dir/${name}`;
    await treeFile(here.house, path, name);
    const through = await get(here, "download", [["path", path]]);
    expect([through.status, await through.text()]).toEqual([200, name]);
    const { preview_url, download_url } = await addressesOf(here.house, path);
    for (const [url, kind] of [
      [preview_url, "inline;"],
      [download_url, "attachment;"],
    ] as const) {
      expect(new URL(url).host).toBe(new URL(here.s3.server.endpoint).host);
      const response = await fetch(url);
      expect([await response.text(), response.headers.get("content-disposition")?.split(" ")[0]]).toEqual([name, kind]);
    }
  });

  test("streams when it is large, in ranges too", async () => {
    await using here = await open();
    const content = new Uint8Array(9 * MiB).map((_, index) => index % 251);
    await treeFile(here.house, "/cloud/large.bin", content);
    const whole = await get(here, "download", [["path", "/cloud/large.bin"]]);
    expect(await whole.bytes()).toEqual(content);
    const range = await get(here, "download", [["path", "/cloud/large.bin"]], { range: `bytes=1-${6 * MiB}` });
    expect(range.status).toBe(206);
    expect(await range.bytes()).toEqual(content.slice(1, 6 * MiB + 1));
  });

  test("has links of its storage for as long as they are asked for, whatever the mount shows in public", async () => {
    await using here = await open({ web_proxy: true });
    await treeFile(here.house, "/cloud/a.txt");
    const link = async (...more: [string, string][]) => {
      const response = await get(here, "file-link", [["path", "/cloud/a.txt"], ...more]);
      return ((await response.json()) as { data: { presignedUrl: string; expiresIn: number } }).data;
    };
    await ask(here.house, storages.update, { params: { id: here.storage.id }, body: { signature_expires_in: 120 } });
    const [usual, long] = [await link(), await link(["expires_in", "86400"], ["force_download", "true"])];
    expect([usual.expiresIn, long.expiresIn]).toEqual([120, 86_400]);
    for (const { presignedUrl, expiresIn } of [usual, long]) {
      const url = new URL(presignedUrl);
      expect([url.host, url.searchParams.get("X-Amz-Expires")]).toEqual([
        new URL(here.s3.server.endpoint).host,
        String(expiresIn),
      ]);
      expect((await fetch(url)).status).toBe(200);
    }
    const { preview_url } = await addressesOf(here.house, "/cloud/a.txt");
    expect(preview_url).toStartWith("http://satchel.test/api/p/cloud/a.txt?sign=");
    expect(await (await here.house.request(preview_url)).text()).toBe("hello");
  });
});

describe("an archive of a storage elsewhere", () => {
  test("has small and large files and empty folders, and what its keys say leads nowhere else", async () => {
    await using here = await open();
    const large = "0123456789".repeat(MiB / 2);
    await treeFile(here.house, "/cloud/d/large.txt", large);
    await treeFile(here.house, "/cloud/d/small.txt", "small");
    await treeFolder(here.house, "/cloud/d/empty");
    for (const key of ["d/..\\..\\up.txt", "d//root.txt"])
      await here.s3.store.put(key, new Response("up"), { type: "text/plain" });
    const response = await get(here, "zip", [["path", "/cloud/d"]]);
    expect(textsIn(await response.bytes())).toEqual({
      "d/..%5C..%5Cup.txt": "up",
      "d/%2F/root.txt": "up",
      "d/": "",
      "d/empty/": "",
      "d/large.txt": large,
      "d/small.txt": "small",
    });
  });

  test("names what has vanished since it was listed", async () => {
    await using here = await open();
    for (const name of ["a", "b", "c"]) await treeFile(here.house, `/cloud/d/${name}.txt`, name);
    await treeFile(here.house, "/cloud/d/0.bin", new Uint8Array(24 * MiB));
    const response = await get(here, "zip", [["path", "/cloud/d"]]);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await here.s3.store.remove(["d/b.txt"]);
    const pieces = [first?.value ?? new Uint8Array()];
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) pieces.push(next.value);
    const texts = textsIn(Buffer.concat(pieces));
    expect(Object.keys(texts)).toEqual(["d/0.bin", "d/a.txt", "d/c.txt", "not-included.txt"]);
    expect(texts["not-included.txt"]).toContain("/cloud/d/b.txt");
  });
});
