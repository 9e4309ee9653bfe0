import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Visit } from "../../support/browser/chromium.ts";
import { until } from "../../support/browser/editor-page.ts";
import { until as becomes, gone, seen, startJourney } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";

const journey = await startJourney();
const people = peopleOf(journey);

/** Puts a file into the drive as any client would. */
const put = async (name: string, content: string | Uint8Array): Promise<void> => {
  const authorization = `Basic ${btoa(`admin:${journey.server.adminPassword}`)}`;
  const init = { method: "PUT", headers: { authorization }, body: content as BodyInit };
  const answer = await fetch(`${journey.server.address}/dav/drive/${name}`, init);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
};

const get = async (name: string): Promise<Uint8Array> => {
  const authorization = `Basic ${btoa(`admin:${journey.server.adminPassword}`)}`;
  return await (await fetch(`${journey.server.address}/dav/drive/${name}`, { headers: { authorization } })).bytes();
};
const textOf = async (name: string) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(await get(name));

const editor = (page: Page) => page.locator(".cm-content");

async function open(visit: Visit, name: string): Promise<Page> {
  const { page } = visit;
  await page.goto(`/mount-explorer/drive?preview=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await seen(editor(page));
  return page;
}

/** Begins a session of its own, which may be ended. */
const signIn = (page: Page): Promise<void> =>
  page.evaluate(async (password) => {
    const body = JSON.stringify({ username: "admin", password });
    const answer = await fetch("/api/admin/login", { method: "POST", body });
    localStorage.setItem("admin_username", "admin");
    localStorage.setItem("admin_token", (await answer.json()).data.token);
  }, journey.server.adminPassword);

/** Ends the session of a page as from another device: the page hears nothing of it. */
const endSession = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem("admin_token")}`;
    await fetch("/api/admin/logout", { method: "POST", headers: { authorization } });
  });

describe("a text file in the explorer", () => {
  test("is made in a folder, and open to be written", async () => {
    await put("taken.txt", "as it was");
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/mount-explorer/drive");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "New text file" }).click();
    const name = page.getByRole("dialog").getByRole("textbox", { name: "File name" });
    await becomes(
      () => name.inputValue(),
      (value) => value === "Untitled.txt",
    );
    await name.fill("taken.txt");
    await page.keyboard.press("Enter");
    await seen(page.getByText("taken.txt").and(page.locator("[role=alert], .text-danger")).first());
    await name.fill("made.md");
    await page.keyboard.press("Enter");
    await seen(editor(page));
    await page.keyboard.type("# New");
    await page.keyboard.press("ControlOrMeta+s");
    await seen(page.getByText("Saved", { exact: true }));
    expect(await textOf("made.md")).toBe("# New");
    expect(await textOf("taken.txt")).toBe("as it was");
  });

  test("is changed, saved by key, and keeps its line ends", async () => {
    await put("notes.ts", "const a = 1;\r\nconst b = 2;\r\n");
    await using visit = await journey.admin();
    const page = await open(visit, "notes.ts");
    await seen(page.getByText("CRLF"));
    await becomes(
      () => page.getByRole("main").getByRole("combobox", { name: "Language" }).inputValue(),
      (language) => language === "TypeScript",
    );
    // Coloured once the language is there.
    await seen(editor(page).locator("span").filter({ hasText: "const" }).first());
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("const c = 3;");
    await seen(page.getByText("Unsaved changes"));
    await page.keyboard.press("ControlOrMeta+s");
    await seen(page.getByText("Saved", { exact: true }));
    expect(await textOf("notes.ts")).toBe("const a = 1;\r\nconst b = 2;\r\nconst c = 3;");
    await page.keyboard.press("ControlOrMeta+f");
    await seen(page.getByRole("textbox", { name: "Find" }));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+z");
    expect(await page.getByRole("button", { name: "Wrap lines (Alt+Z)" }).getAttribute("aria-pressed")).toBe("false");
    await page.getByRole("button", { name: "Close", exact: true }).first().click();
    await gone(editor(page));
  });

  test("asks before what is not saved is lost", async () => {
    await put("draft.txt", "first");
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/mount-explorer/drive");
    await page.getByText("draft.txt", { exact: true }).first().dblclick();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await editor(page).fill("second");
    await page.getByRole("button", { name: "Close", exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    await seen(dialog);
    await page.keyboard.press("Escape");
    await gone(dialog);
    await page.goBack();
    await seen(dialog);
    await dialog.getByRole("button", { name: "Discard" }).click();
    await gone(editor(page));
    expect(await textOf("draft.txt")).toBe("first");
  });

  test("that somebody else has changed is shown beside mine", async () => {
    await put("both.md", "begin");
    await using visit = await journey.admin();
    const page = await open(visit, "both.md");
    await editor(page).fill("mine");
    await put("both.md", "theirs");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "There is a newer version" });
    await seen(dialog.getByText("theirs", { exact: true }));
    expect(await textOf("both.md")).toBe("theirs");
    await dialog.getByRole("button", { name: "Overwrite with mine" }).click();
    await gone(dialog);
    expect(await textOf("both.md")).toBe("mine");
  });

  test("outlives its session: it is saved after a sign-in in another tab", async () => {
    await put("long.md", "begin");
    await using visit = await journey.visitor();
    const { page, context } = visit;
    await page.goto("/");
    await signIn(page);
    await open(visit, "long.md");
    await editor(page).fill("mine");
    await endSession(page);
    await page.keyboard.press("ControlOrMeta+s");
    const notice = page.getByRole("alert").filter({ hasText: "You are signed out. Sign in in a new tab" });
    await seen(notice.getByRole("link", { name: "Sign in" }));
    expect(await editor(page).textContent()).toBe("mine");
    const tab = await context.newPage();
    await tab.goto("/");
    await signIn(tab);
    await becomes(
      async () => {
        await page.keyboard.press("ControlOrMeta+s");
        return textOf("long.md");
      },
      (text) => text === "mine",
    );
    await seen(page.getByText("Saved", { exact: true }));
  });

  test("that is opened after the session has ended offers the sign-in, which leads back to it", async () => {
    await put("later.txt", "later");
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto("/");
    await signIn(page);
    await page.goto("/mount-explorer/drive");
    const row = page.getByText("later.txt", { exact: true }).first();
    await seen(row);
    // At once, because the page soon hears that the session has ended, and shows no row any more.
    await row.evaluate(async (shown) => {
      const authorization = `Bearer ${localStorage.getItem("admin_token")}`;
      await fetch("/api/admin/logout", { method: "POST", headers: { authorization } });
      shown.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
    });
    await seen(page.getByRole("heading", { name: "Sign in to browse files" }).and(page.locator(":visible")));
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Username").fill("admin");
    await page.getByLabel("Password", { exact: true }).fill(journey.server.adminPassword);
    await page.keyboard.press("Enter");
    await seen(page.getByRole("heading", { name: "later.txt" }));
    await seen(page.getByText("later", { exact: true }));
  });

  test("takes the time, and letters of another case", async () => {
    await put("acts.txt", "straße und WEG");
    await using visit = await journey.admin();
    const page = await open(visit, "acts.txt");
    const act = async (name: string) => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await page.keyboard.press("ControlOrMeta+Home");
    await act("UPPER CASE");
    await until(async () => (await editor(page).textContent()) === "STRASSE und WEG");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Alt+Shift+L");
    await until(async () => (await editor(page).textContent()) === "strasse und weg");
    await page.keyboard.press("ControlOrMeta+End");
    await act("Date and time");
    await until(async () =>
      /^strasse und weg\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test((await editor(page).textContent()) ?? ""),
    );
  });

  test("in another encoding says that it becomes UTF-8, and does only after a question", async () => {
    // 中文文件，这是一个测试。 in GB18030
    const bytes = Uint8Array.from(
      "d6d0cec4cec4bcfea3acd5e2cac7d2bbb8f6b2e2cad4a1a3".match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? [],
    );
    await put("old.txt", bytes);
    await using visit = await journey.admin();
    const page = await open(visit, "old.txt");
    await seen(editor(page).getByText("中文文件，这是一个测试。"));
    await seen(page.getByText("This file is in GB18030"));
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("!");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    expect(await get("old.txt")).toEqual(bytes);
    await page.getByRole("button", { name: "Save as UTF-8" }).click();
    await until(async () => (await textOf("old.txt")) === "中文文件，这是一个测试。!");
  });

  test("is read in another encoding after typing, and what was typed stays", async () => {
    // 中文 in GB18030, on each of two lines
    const bytes = Uint8Array.from([0xd6, 0xd0, 0xce, 0xc4, 0x0a, 0xd6, 0xd0, 0xce, 0xc4]);
    await put("typed.txt", bytes);
    await using visit = await journey.admin();
    const page = await open(visit, "typed.txt");
    const lines = async () => (await editor(page).locator(".cm-line").allTextContents()).join("|");
    const encoding = page.getByRole("combobox", { name: "Encoding" }).last();
    await seen(editor(page));
    await encoding.selectOption("Windows-1251");
    await until(async () => (await lines()) === "ЦРОД|ЦРОД");
    await editor(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("!");
    await encoding.selectOption("GB18030");
    await until(async () => (await lines()) === "中文|ЦРОД!");
    // In UTF-16 these bytes are one line.
    await encoding.selectOption("UTF-16BE");
    await seen(page.getByText("In UTF-16BE the lines of this file end elsewhere"));
    expect(await lines()).toBe("中文|ЦРОД!");
  });

  test("cannot be edited by who may not upload, nor when it is no text", async () => {
    await put("closed.txt", "text");
    await put("bytes.bin", new Uint8Array([0, 1, 2, 3]));
    const key = await people.makeKey(["mount_view"]);
    await using reader = await people.holder(key);
    await reader.page.goto("/mount-explorer/drive?preview=closed.txt");
    await seen(reader.page.getByRole("button", { name: "Download" }).first());
    expect(await reader.page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
    await using admin = await journey.admin();
    await admin.page.goto("/mount-explorer/drive?preview=bytes.bin");
    await seen(admin.page.getByRole("button", { name: "Download" }).first());
    expect(await admin.page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
  });

  test("is edited on a phone, too", async () => {
    await put("phone.json", '{ "a": 1 }');
    await using visit = await journey.admin({ width: 390, height: 844, theme: "dark" });
    const page = await open(visit, "phone.json");
    await editor(page).fill('{ "a": 2 }');
    await seen(page.getByText("Unsaved changes"));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await until(async () => (await textOf("phone.json")) === '{ "a": 2 }');
  });
});
