import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { ask, shareFile } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const docx = { filename: "plan.docx", content: "PK" };

async function preview(house: TestHouse, slug: string, query = "", init?: RequestInit) {
  const response = await house.request(`/api/office-preview/${slug}${query}`, init);
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

describe("the address for an online viewer", () => {
  test("stands alone in the answer and opens the file for ten minutes without a further view", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "plan", ...docx, max_views: 1 });
    const { status, body } = await preview(house, "plan");
    expect(status).toBe(200);
    expect(body).toEqual({
      url: expect.stringMatching(/^http:\/\/[^/]+\/api\/file-view\/plan\?grant=/),
      filename: "plan.docx",
      mimetype: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      expires_in: 600,
      is_temporary: true,
    });
    const url = String(body.url);
    expect(await (await house.request(url)).text()).toBe("PK");
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(1);
    expect((await preview(house, "plan")).status).toBe(410);
    // Whoever has opened it goes on with the grant.
    const grant = new URL(url).searchParams.get("grant") ?? "";
    expect((await preview(house, "plan", `?grant=${grant}`)).status).toBe(200);
    house.clock.advance(600_000);
    expect((await house.request(url)).status).toBe(410);
  });

  test("wants the password, holds no longer than its share, and HEAD spends nothing", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "plan", ...docx, password: "sesame", max_views: 2, expires_in: 1 });
    expect((await preview(house, "plan")).body.error).toBe("password.missing");
    expect((await preview(house, "plan", "?password=wrong")).body.error).toBe("password.wrong");
    expect((await preview(house, "plan", "?password=sesame", { method: "HEAD" })).status).toBe(200);
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(0);
    house.clock.advance(3_600_000 - 60_000);
    const { body } = await preview(house, "plan", "?password=sesame");
    expect(body.expires_in).toBe(60);
    expect(String(body.url)).not.toContain("sesame");
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(1);
  });

  test("is there for office files only, as the settings say now, and asking for others spends nothing", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "note", filename: "note.plan", max_views: 3 });
    expect((await preview(house, "note")).body).toMatchObject({ code: 400, error: "file.notOffice" });
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(0);
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const body = JSON.stringify({ preview_office_types: "plan" });
    expect((await house.request("/api/admin/settings/group/2", { method: "PUT", headers, body })).status).toBe(200);
    expect((await preview(house, "note")).status).toBe(200);
    expect((await preview(house, "nothing")).status).toBe(404);
  });
});
