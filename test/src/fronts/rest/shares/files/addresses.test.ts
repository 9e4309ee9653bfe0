import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { uploads } from "#contract/uploads";
import { sql } from "../../../../../../src/database/sql.ts";
import { ask, shareFile } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

describe("addresses that are handed out", () => {
  const origins = async (house: TestHouse, headers: Record<string, string>) => {
    const { upload_url, s3_url } = (
      await ask(house, uploads.presign, { body: { filename: "a.txt", size: 5 } }, headers)
    ).data;
    const init = await ask(house, uploads.begin, { body: { filename: "b", size: 6, part_size: 5 << 20 } }, headers);
    const { id } = await shareFile(house, { slug: "shared" });
    const { urls } = (await ask(house, files.read, { params: { id } }, headers)).data;
    const opened = await house.request("/api/public/files/shared", { headers });
    const { downloadUrl } = ((await opened.json()) as { data: { downloadUrl: string } }).data;
    const part = init.data.presigned_urls[0]?.url ?? "";
    const sent = await house.request(upload_url, {
      method: "PUT",
      headers: { "content-type": "text/plain", "content-length": "5", ...headers },
      body: "hello",
    });
    expect(sent.status).toBe(200);
    expect(s3_url).not.toContain("X-Amz");
    const all = [upload_url, s3_url, part, init.data.s3Url, urls.previewUrl, urls.proxyDownloadUrl, downloadUrl];
    return [...new Set(all.map((url) => new URL(url).origin))];
  };

  test("begin with the Host that was asked", async () => {
    await using house = await openTestHouse();
    expect(await origins(house, {})).toEqual(["http://satchel.test"]);
    expect(await origins(await fresh(house), { host: "nas:8787" })).toEqual(["http://nas:8787"]);
  });

  test("begin with what a trusted proxy says, and with what no other says", async () => {
    const forwarded = { "x-forwarded-host": "share.example", "x-forwarded-proto": "https" };
    await using trusting = await openTestHouse({ trustedProxies: ["192.0.2.1"] });
    expect(await origins(trusting, forwarded)).toEqual(["https://share.example"]);
    await using other = await openTestHouse();
    expect(await origins(other, forwarded)).toEqual(["http://satchel.test"]);
  });

  test("are secure when the page that asks is, and follow no foreign page", async () => {
    await using house = await openTestHouse();
    expect(await origins(house, { origin: "https://satchel.test" })).toEqual(["https://satchel.test"]);
    expect(await origins(await fresh(house), { origin: "https://evil.example" })).toEqual(["http://satchel.test"]);
  });

  test("begin with PUBLIC_URL whenever there is one", async () => {
    await using house = await openTestHouse({ publicUrl: "https://share.example", trustedProxies: ["192.0.2.1"] });
    const forwarded = { "x-forwarded-host": "other.example", "x-forwarded-proto": "http" };
    expect(await origins(house, forwarded)).toEqual(["https://share.example"]);
  });

  test.each(["text/plain;charset=utf-8", "image/jpeg", ""])("take a body of any type: %p", async (type) => {
    await using house = await openTestHouse();
    const { upload_url, file_id } = (
      await ask(house, uploads.presign, { body: { filename: "a.html", size: 5, mimetype: "text/html" } })
    ).data;
    // As a browser sends a Blob, which bears a type of its own or none.
    const sent = await house.request(upload_url, {
      method: "PUT",
      headers: { "content-length": "5", ...(type !== "" && { "content-type": type }) },
      body: new TextEncoder().encode("hello"),
    });
    expect(sent.status).toBe(200);
    await ask(house, uploads.commit, { body: { file_id } });
    const { data } = await ask(house, files.read, { params: { id: file_id } });
    expect(data.mimetype).toBe("text/html");
  });

  /** The same house without the shares of the call before. */
  async function fresh(house: TestHouse): Promise<TestHouse> {
    await house.db.run(sql`delete from files`);
    return house;
  }
});
