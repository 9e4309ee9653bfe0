import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { KeyRecord } from "#contract/keys";
import { bitsOf, type Permission } from "#contract/permissions";
import { findings } from "../../support/browser/axe.ts";
import { openBrowser, type Visit } from "../../support/browser/chromium.ts";
import { gone, seen, startJourney, until } from "../../support/browser/journey.ts";
import { signIn } from "../../support/clients/sign-in.ts";
import { startServer } from "../../support/server.ts";

/** The session of an API key in the browser, from the card to its end. */

const journey = await startJourney();

const makeKey = async (name: string, ...rights: Permission[]): Promise<KeyRecord> => {
  const fields = { name, permissions: bitsOf(rights), expires_at: null };
  return (await journey.call<{ data: KeyRecord }>("POST", "/api/admin/api-keys", fields)).data;
};
const removeKey = ({ id }: KeyRecord) => journey.call("DELETE", `/api/admin/api-keys/${id}`);
const changeKey = ({ id }: KeyRecord, change: Record<string, unknown>) =>
  journey.call("PUT", `/api/admin/api-keys/${id}`, change);

const path = (page: Page) => new URL(page.url()).pathname;
const stored = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => /^(api_key|admin_)/.test(name))
      .sort(),
  );

/** Signs in by the card, as a person does. */
async function giveKey(page: Page, key: string): Promise<void> {
  await page.goto("/admin");
  await page.getByRole("button", { name: "Use an API key instead" }).click();
  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
}

/** Somebody who has signed in by the card. */
async function holder(key: KeyRecord): Promise<Visit> {
  const visit = await journey.visitor();
  await giveKey(visit.page, key.key);
  await seen(visit.page.getByRole("navigation", { name: "User panel" }));
  return visit;
}

/** Notes the names of the session's events on the page that is open now. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const heard: string[] = [];
    for (const name of ["auth-state-changed", "admin-token-expired", "api-key-invalid"])
      window.addEventListener(name, () => heard.push(name));
    Object.assign(window, { heard });
  });
const heard = (page: Page) => page.evaluate(() => (window as { heard?: string[] }).heard);

describe("signing in with a key", () => {
  test("leads to the texts, survives a reload, and is over after logging out", async () => {
    const key = await makeKey("texts and files", "text", "file_share");
    await using visit = await holder(key);
    const { page } = visit;
    await seen(page.getByRole("heading", { name: "Texts", exact: true }));
    expect(path(page)).toBe("/admin/text-management");
    expect(await stored(page)).toEqual(["api_key", "api_key_info", "api_key_permissions"]);
    await seen(page.getByText("texts and files"));

    await page.reload();
    await seen(page.getByRole("heading", { name: "Texts", exact: true }));
    await page.goto("/admin/account");
    await page.waitForURL("**/admin/text-management");

    await page.getByRole("button", { name: "Log out" }).click();
    await seen(page.getByLabel("API key"));
    expect(await stored(page)).toEqual([]);
    const [alive] = (await journey.call<{ data: KeyRecord[] }>("GET", "/api/admin/api-keys")).data.filter(
      ({ id }) => id === key.id,
    );
    expect(alive?.key).toBe(key.key);
  });

  test("tells its holder how programs use it, and saves what they read, by the keyboard alone", async () => {
    const key = await makeKey("programs", "text", "file_share");
    await using visit = await holder(key);
    const { page } = visit;
    await page.getByRole("button", { name: "Other programs" }).press("Enter");
    const sheet = page.getByRole("dialog", { name: "Use “programs”" });
    await seen(sheet.getByRole("region", { name: "Share a text" }));
    const chosen = sheet.getByRole("radio", { name: "curl" });
    await chosen.focus();
    for (const name of ["satchel", "PowerShell", "ShareX"]) {
      await page.keyboard.press("ArrowRight");
      await until(() => sheet.getByRole("radio", { name, exact: true }).isChecked(), Boolean);
    }
    const arriving = page.waitForEvent("download");
    await sheet.getByRole("button", { name: "Save localhost.sxcu" }).press("Enter");
    const saved = await (await arriving).path();
    expect(JSON.parse(await Bun.file(saved).text())).toMatchObject({ Headers: { "X-API-KEY": key.key } });
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await gone(sheet);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Other programs");
  });

  test("for files leads to the files, and from the texts there", async () => {
    await using visit = await holder(await makeKey("files only", "file_share"));
    const { page } = visit;
    await seen(page.getByRole("heading", { name: "Files", exact: true }));
    expect(path(page)).toBe("/admin/file-management");
    expect(await page.getByRole("navigation", { name: "User panel" }).getByRole("link").allInnerTexts()).toEqual([
      "Files",
    ]);
    await page.goto("/admin/text-management");
    await page.waitForURL("**/admin/file-management");
  });

  test("for mounts leads Home, and so does the admin area", async () => {
    const key = await makeKey("mounts only", "mount_view");
    await using visit = await journey.visitor();
    const { page } = visit;
    await giveKey(page, key.key);
    await page.waitForURL(`${journey.server.address}/`);
    for (const place of ["/admin", "/admin/text-management", "/admin/account"]) {
      await page.goto(place);
      await page.waitForURL(`${journey.server.address}/`);
    }
  });

  test("says what is wrong with a key, and stores nothing of it", async () => {
    const weak = await makeKey("webdav only", "webdav_read");
    await using visit = await journey.visitor();
    const { page } = visit;
    await giveKey(page, "no-such-key-at-all");
    await seen(page.getByText("Invalid or unauthorized API key."));
    await page.getByLabel("API key").fill(weak.key);
    await page.keyboard.press("Enter");
    await seen(page.getByText("Insufficient API key permissions."));
    expect(await stored(page)).toEqual([]);
  });

  test("says how long to wait after too many guesses", async () => {
    await using server = await startServer();
    await using visit = await (await openBrowser()).newPage({ address: server.address });
    const { page } = visit;
    await giveKey(page, "guess-number-0");
    const alert = page.getByRole("alert");
    for (let guess = 1; guess < 100; guess += 1) {
      await seen(alert);
      if (/in \d+ (s|min)\b/.test((await alert.textContent()) ?? "")) return;
      const answered = page.waitForResponse("**/api/test/api-key");
      await page.getByLabel("API key").fill(`guess-number-${guess}`);
      await page.keyboard.press("Enter");
      await answered;
    }
    throw new Error("A hundred guesses were let pass.");
  });
});

describe("a key that changes", () => {
  test("deleted on the server ends with the next call, says so, and leaves nothing behind", async () => {
    const key = await makeKey("to be deleted", "text", "file_share");
    await using visit = await holder(key);
    const { page } = visit;
    await seen(page.getByRole("heading", { name: "Texts", exact: true }));
    // Else what the page still asks for ends the session before anything is pressed.
    await page.waitForLoadState("networkidle");
    await listen(page);
    await removeKey(key);
    await page.getByRole("link", { name: "Files" }).click();
    await seen(page.getByText("API key invalid or expired, please sign in again."));
    await seen(page.getByLabel("API key"));
    expect(await stored(page)).toEqual([]);
    expect(await heard(page)).toEqual(["auth-state-changed", "api-key-invalid"]);
  });

  test("that was deleted while nobody looked leads to the card at the next visit, without a page in between", async () => {
    const key = await makeKey("deleted unseen", "text");
    await using visit = await holder(key);
    const { page } = visit;
    // What the page before asks for must not be taken for what the next one does.
    await page.waitForLoadState("networkidle");
    await removeKey(key);
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    await page.reload();
    await seen(page.getByText("API key invalid or expired, please sign in again."));
    expect(asked.filter((address) => address.startsWith("/api/"))).toEqual(["/api/test/api-key"]);
  });

  test("has its new rights and name taken over at the next visit", async () => {
    const key = await makeKey("before the change", "text", "file_share");
    await using visit = await holder(key);
    const { page } = visit;
    await changeKey(key, { permissions: bitsOf(["file_share"]), name: "after the change", basic_path: "/team" });
    await page.reload();
    await page.waitForURL("**/admin/file-management");
    await seen(page.getByText("after the change"));
    const kept = await page.evaluate(() => [localStorage.api_key_permissions, localStorage.api_key_info]);
    expect(kept).toEqual(["2", JSON.stringify({ id: key.id, name: "after the change", basic_path: "/team" })]);
  });
});

describe("two tabs", () => {
  test("learn of the end of a session together: both say why, both fire the events, and nothing half filled in is lost", async () => {
    const key = await makeKey("ends in two tabs", "text", "file_share");
    const { slug } = await journey.share({ content: "of the admin" });
    const headers = { authorization: `ApiKey ${key.key}` };
    const own = { method: "POST", headers, body: JSON.stringify({ content: "of the key", slug: `own-${slug}` }) };
    await fetch(`${journey.server.address}/api/paste`, own);
    await using visit = await holder(key);
    const { page, context } = visit;
    const row = page.getByRole("row").filter({ hasText: `own-${slug}` });
    await row.getByRole("button", { name: "Edit" }).click();
    const note = page.locator("dialog").getByLabel("Note");
    await note.fill("half filled in");
    await listen(page);
    const other = await context.newPage();
    await other.goto("/admin/text-management");
    await seen(other.getByRole("heading", { name: "Texts", exact: true }));
    await listen(other);
    await removeKey(key);
    await other.getByRole("link", { name: "Files" }).click();
    for (const tab of [other, page]) {
      await seen(tab.getByText("API key invalid or expired, please sign in again."));
      expect(await heard(tab)).toEqual(["auth-state-changed", "api-key-invalid"]);
    }
    expect(await note.inputValue()).toBe("half filled in");
  });

  test("sign in and out together", async () => {
    const key = await makeKey("in two tabs", "text");
    await using visit = await journey.visitor();
    const { page, context } = visit;
    await page.goto("/admin");
    const other = await context.newPage();
    await giveKey(other, key.key);
    await seen(other.getByRole("navigation", { name: "User panel" }));
    await seen(page.getByRole("navigation", { name: "User panel" }));
    await page.waitForURL("**/admin/text-management");
    await page.getByRole("button", { name: "Log out" }).click();
    await seen(other.getByLabel("API key"));
  });

  test("of which one changes from the key to the administrator change both", async () => {
    await using visit = await holder(await makeKey("then the admin", "file_share"));
    const { page, context } = visit;
    const other = await context.newPage();
    await other.goto("/admin");
    await seen(other.getByRole("heading", { name: "Files", exact: true }));
    await other.getByRole("button", { name: "Log out" }).click();
    await other.getByRole("button", { name: "Sign in as administrator instead" }).click();
    await other.getByLabel("Username").fill("admin");
    await other.getByLabel("Password", { exact: true }).fill(journey.server.adminPassword);
    await other.keyboard.press("Enter");
    await seen(other.getByRole("navigation", { name: "Admin panel" }));
    await seen(page.getByRole("navigation", { name: "Admin panel" }));
    expect(await stored(page)).toEqual(["admin_token", "admin_username"]);
  });
});

test("an administrator's session that the server ended says so, and fires its event", async () => {
  await using server = await startServer();
  const login = () => signIn(server.address, server.adminPassword);
  const token = await login();
  await using visit = await (await openBrowser()).newPage({ address: server.address });
  const { page } = visit;
  await page.goto("/");
  await page.evaluate((stored) => localStorage.setItem("admin_token", stored), token);
  await page.goto("/admin/text-management");
  await seen(page.getByRole("heading", { name: "Texts", exact: true }));
  await listen(page);
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${server.address}/api/admin/logout`, { method: "POST", headers });
  await page.getByRole("link", { name: "Files" }).click();
  await seen(page.getByText("Your admin session has expired, please sign in again."));
  await until(
    () => heard(page),
    (names) => names?.join() === "auth-state-changed,admin-token-expired",
  );
  expect(await stored(page)).toEqual([]);
});

test("after signing in on the way to the upload page that stands once in the history", async () => {
  const key = await makeKey("uploads", "file_share");
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto("/");
  const places = page.getByRole("navigation", { name: "Main" });
  await places.getByRole("link", { name: "Upload" }).click();
  await page.getByRole("link", { name: "Sign in to upload" }).click();
  await page.getByRole("button", { name: "Use an API key instead" }).click();
  await page.getByLabel("API key").fill(key.key);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/upload");
  await seen(page.getByRole("button", { name: "Choose files" }));
  await page.goBack();
  expect(path(page)).toBe("/");
});
