import { describe, expect, test } from "bun:test";
import type { KeyRecord } from "#contract/keys";
import { bitsOf } from "#contract/permissions";
import { screenshot } from "../../support/browser/chromium.ts";
import { overhang, seen, startJourney } from "../../support/browser/journey.ts";

/** How the way in and the way out look, on a phone as on a desk. */

const journey = await startJourney();

describe("the way out of the admin area", () => {
  const rows = [
    ["en-US", "Admin panel", "Log out"],
    ["zh-CN", "管理面板", "退出登录"],
  ] as const;
  test.each(rows)("is in the drawer of a phone, below every module: %s", async (locale, panel, name) => {
    await using visit = await journey.admin({ locale, width: 390, height: 844 });
    const { page } = visit;
    await page.goto("/admin/storage-config");
    await page.locator("main button[aria-haspopup=dialog]").first().click();
    const modules = page.getByRole("navigation", { name: panel });
    await seen(modules);
    const cut = await modules.evaluate((element) => element.scrollWidth - element.clientWidth);
    const box = await page.getByRole("button", { name, exact: true }).boundingBox();
    expect([cut, (box?.x ?? 999) + (box?.width ?? 999) <= 390]).toEqual([0, true]);
    await screenshot(page, `admin-phone-${locale}`);
    // The session is that of the whole journey.
    await page.getByRole("button", { name, exact: true }).click({ trial: true });
  });
});

describe("the sign-in card is fit to be seen", () => {
  const words = {
    "en-US": { key: "Use an API key instead", submit: "Sign in" },
    "zh-CN": { key: "改用 API 密钥", submit: "登录" },
  } as const;
  const rows = (["en-US", "zh-CN"] as const).flatMap((locale) =>
    (["light", "dark"] as const).flatMap((theme) => [1280, 390].map((width) => [locale, theme, width] as const)),
  );

  test.each(rows)("%s, %s, %d px", async (locale, theme, width) => {
    await using visit = await journey.visitor({ locale, theme, width, height: width === 390 ? 844 : 800 });
    const { page } = visit;
    const look = async (name: string) => {
      await seen(page.getByRole("button", { name: words[locale].submit, exact: true }));
      await screenshot(page, `card-${name}-${locale}-${theme}-${width}`);
      expect(await overhang(page)).toBe(0);
    };
    await page.goto("/admin");
    await look("admin");
    await page.getByRole("button", { name: words[locale].key }).click();
    await look("key");
    await page.getByRole("button", { name: words[locale].submit, exact: true }).click();
    await look("key-empty");
    await page.locator("input[name=api-key]").fill("a-key-that-is-none-1234");
    await page.keyboard.press("Enter");
    await seen(page.getByRole("alert"));
    await look("key-wrong");
    await page.evaluate(() => localStorage.setItem("admin_token", "a.made-up.token"));
    await page.reload();
    await seen(page.getByRole("status"));
    await look("admin-expired");
    await page.evaluate(() => {
      localStorage.setItem("api_key", "an-old-key-that-is-gone");
      localStorage.setItem("api_key_permissions", "3");
      localStorage.setItem("api_key_info", '{"id":"x","name":"x","basic_path":"/"}');
    });
    await page.reload();
    await seen(page.getByRole("status"));
    await look("key-invalid");
    await page.goto("/admin#setup=used");
    await seen(page.getByRole("alert"));
    await seen(page.locator("input[name=username]"));
    await look("link-dead");
    const fields = {
      name: `市场部的密钥 with a rather long name ${crypto.randomUUID()}`,
      permissions: bitsOf(["text", "file_share"]),
      expires_at: null,
    };
    const key = (await journey.call<{ data: KeyRecord }>("POST", "/api/admin/api-keys", fields)).data;
    await page.evaluate(({ key, id, name }) => {
      localStorage.setItem("api_key", key);
      localStorage.setItem("api_key_permissions", "3");
      localStorage.setItem("api_key_info", JSON.stringify({ id, name, basic_path: "/" }));
    }, key);
    await page.goto("/admin");
    await page.waitForURL("**/admin/text-management");
    await seen(page.getByRole("heading", { level: 1 }));
    await screenshot(page, `card-panel-${locale}-${theme}-${width}`);
    expect(await overhang(page)).toBe(0);
  });
});
