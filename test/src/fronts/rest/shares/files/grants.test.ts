import { describe, expect, test } from "bun:test";
import { type FileChange, files, type OpenedFile } from "#contract/files";
import { send } from "../../../../../support/scenario.ts";
import { ask, commit, presign, put, shareFile } from "../../../../../support/share-file.ts";
import { hours } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

/** Opens a share as its page does and answers what it is told. */
async function open(house: TestHouse, slug: string, password?: string): Promise<OpenedFile> {
  const response = await (password === undefined
    ? house.request(`/api/public/files/${slug}`)
    : house.request(`/api/public/files/${slug}/verify`, { method: "POST", body: JSON.stringify({ password }) }));
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: OpenedFile }).data;
}

const downloadOf = (opened: OpenedFile): string => opened.downloadUrl ?? "missing";
const statusOf = async (house: TestHouse, url: string, init?: RequestInit) => (await house.request(url, init)).status;

describe("the grant of a visitor", () => {
  test("fetches, previews and resumes without a further view, even after the last one", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "once", content: "0123456789", max_views: 1 });
    const opened = await open(house, "once");
    for (const url of [
      opened.downloadUrl,
      opened.previewUrl,
      opened.proxy_download_url,
      opened.s3_direct_preview_url,
    ]) {
      const response = await house.request(url ?? "");
      expect([response.status, await response.text()]).toEqual([200, "0123456789"]);
    }
    const part = await house.request(downloadOf(opened), { headers: { range: "bytes=2-4" } });
    expect([part.status, await part.text()]).toEqual([206, "234"]);
    expect(await statusOf(house, downloadOf(opened), { method: "HEAD" })).toBe(200);
    expect(await statusOf(house, downloadOf(opened), { headers: { "sec-fetch-mode": "navigate" } })).toBe(200);
    expect(await statusOf(house, "/api/file-download/once")).toBe(410);
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(1);
  });

  test("stands in for the password it was got with", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "secret", password: "sesame", max_views: 1 });
    const opened = await open(house, "secret", "sesame");
    expect(await (await house.request(downloadOf(opened))).text()).toBe("hello");
    expect(downloadOf(opened)).not.toContain("sesame");
  });

  test("ends after six hours, and with the share's own expiry", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "once", max_views: 1 });
    await shareFile(house, { slug: "short", expires_in: 1 });
    const [once, short] = [await open(house, "once"), await open(house, "short")];
    house.clock.advance(hours(1) - 1);
    expect(await statusOf(house, downloadOf(short))).toBe(200);
    house.clock.advance(1);
    expect(await statusOf(house, downloadOf(short))).toBe(410);
    house.clock.advance(hours(5) - 1);
    expect(await statusOf(house, downloadOf(once))).toBe(200);
    house.clock.advance(1);
    expect(await statusOf(house, downloadOf(once))).toBe(410);
    expect(await statusOf(house, downloadOf(once), { method: "HEAD" })).toBe(410);
  });

  test.each([{ remark: "other" }, { password: "new" }, { slug: "guarded" }, { max_views: 9 }, { use_proxy: true }])(
    "is void after an edit: %j",
    async (body) => {
      await using house = await openTestHouse();
      const { id } = await shareFile(house, { slug: "guarded", password: "sesame", max_views: 5 });
      const opened = await open(house, "guarded", "sesame");
      expect((await ask(house, files.update, { params: { id }, body })).status).toBe(200);
      expect(await statusOf(house, downloadOf(opened))).toBe(403);
    },
  );

  test("spends nothing once it is void, and leads a person back to the page", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "five", max_views: 5 });
    const link = downloadOf(await open(house, "five"));
    await ask(house, files.update, { params: { id }, body: { remark: "other" } });
    const refused = await house.request(link);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("may have expired")]);
    const led = await house.request(link, { headers: { "sec-fetch-mode": "navigate" } });
    expect([led.status, led.headers.get("location")]).toEqual([303, "/file/five"]);
    expect((await open(house, "five")).views).toBe(2);
  });

  test("nothing that was just read outlives an edit or a deletion", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "hot" });
    const change = async (body: object) =>
      expect((await ask(house, files.update, { params: { id }, body })).status).toBe(200);
    const view = "/api/file-view/hot";
    const warm = async () => {
      for (let index = 0; index < 3; index++) expect(await statusOf(house, view)).toBe(200);
      return downloadOf(await open(house, "hot"));
    };
    const granted = await warm();
    await change({ password: "sesame" });
    expect([await statusOf(house, view), await statusOf(house, granted)]).toEqual([401, 403]);
    await change({ password: "" });
    await warm();
    await change({ max_views: 1, resetViews: true });
    expect([await statusOf(house, view), await statusOf(house, view)]).toEqual([200, 410]);
    await change({ max_views: 0 });
    await warm();
    await change({ slug: "moved" });
    expect(await statusOf(house, view)).toBe(404);
    await change({ slug: "hot" });
    const again = await warm();
    await ask(house, files.remove, { body: { ids: [id] } });
    expect([await statusOf(house, view), await statusOf(house, again)]).toEqual([404, 404]);
    await shareFile(house, { slug: "hot", content: "another" });
    expect(await (await house.request(view)).text()).toBe("another");
  });

  test("is void after a deletion", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "plain" });
    const opened = await open(house, "plain");
    await ask(house, files.remove, { body: { ids: [id] } });
    expect(await statusOf(house, downloadOf(opened))).toBe(404);
  });

  test("of another share, or made up, opens nothing", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "secret", password: "sesame" });
    await shareFile(house, { slug: "other", password: "sesame" });
    const own = new URL(downloadOf(await open(house, "secret", "sesame"))).searchParams.get("grant") ?? "";
    const foreign = new URL(downloadOf(await open(house, "other", "sesame"))).searchParams.get("grant") ?? "";
    expect(await statusOf(house, `/api/file-view/secret?grant=${own}`)).toBe(200);
    const later = `${(house.clock.now() + hours(100)).toString(36)}.${own.split(".")[1]}`;
    const made = [
      foreign,
      later,
      "",
      ".",
      "x",
      "NaN.x",
      `${own}x`,
      own.slice(1),
      own.toUpperCase(),
      "%00",
      "zzzz.zzzz",
    ];
    for (const grant of made) {
      // What looks like a grant that held once is told so; anything else is as good as none.
      const status = grant.includes(".") ? 403 : 401;
      for (const way of ["file-view", "file-download"]) {
        expect(await statusOf(house, `/api/${way}/secret?grant=${grant}`)).toBe(status);
        expect(await statusOf(house, `/api/${way}/secret?grant=${grant}`, { method: "HEAD" })).toBe(status);
      }
    }
  });
});

describe("the grant of an owner", () => {
  test("stands in for the password and spends views, until the share changes", async () => {
    await using house = await openTestHouse();
    const { id, grant = "" } = await shareFile(house, { slug: "shared", password: "sesame", max_views: 3 });
    expect(grant).not.toBe("");
    const read = await ask(house, files.read, { params: { id } });
    expect(await (await house.request(read.data.urls.proxyDownloadUrl)).text()).toBe("hello");
    expect(await statusOf(house, `/api/public/files/shared?grant=${grant}`)).toBe(200);
    house.clock.advance(hours(1000));
    expect(await statusOf(house, read.data.urls.previewUrl, { method: "HEAD" })).toBe(200);
    expect(await statusOf(house, read.data.urls.previewUrl)).toBe(200);
    expect(await statusOf(house, read.data.urls.previewUrl)).toBe(410);
    await send(house, {
      as: "admin",
      method: "PUT",
      url: `/api/files/${id}`,
      body: { resetViews: true },
      status: 200,
    });
    expect(await statusOf(house, read.data.urls.previewUrl)).toBe(401);
    expect(await statusOf(house, `/api/public/files/shared?grant=${grant}&peek=1`)).toBe(200);
    const again = await ask(house, files.read, { params: { id } });
    expect(await statusOf(house, again.data.urls.previewUrl)).toBe(200);
  });

  test("that a begun upload answers opens the share once it is there", async () => {
    await using house = await openTestHouse();
    const shared = await shareFile(house, { slug: "begun", password: "sesame" });
    expect(await statusOf(house, `/api/file-view/begun?grant=${shared.grant}`)).toBe(200);
  });

  test("that a begun upload answers outlives every try to change the share before it is there", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house, { slug: "begun", password: "sesame" });
    const changes: FileChange[] = [{ remark: "x" }, { password: "other" }, { password: "" }, { slug: "moved" }, {}];
    for (const body of changes) {
      const changed = await ask(house, files.update, { params: { id: data.file_id }, body });
      expect(changed).toMatchObject({ status: 404, error: "share.missing" });
    }
    await put(house, data.upload_url, "hello");
    expect((await commit(house, data.file_id)).data).toMatchObject({ slug: "begun", remark: null });
    expect(await statusOf(house, `/api/file-view/begun?grant=${data.grant}`)).toBe(200);
  });
});
