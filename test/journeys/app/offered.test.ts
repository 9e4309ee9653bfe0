import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Permission } from "#contract/permissions";
import type { Visit } from "../../support/browser/chromium.ts";
import { seen, startJourney } from "../../support/browser/journey.ts";
import { peopleOf, refusals } from "../../support/browser/people.ts";

/** What one may not do is not offered: to visitors, to keys of different rights, to the administrator. */

const journey = await startJourney();
const { makeKey, removeKey, holder } = peopleOf(journey);

const editor = (page: Page) => page.getByRole("textbox", { name: "Text to share" });
const create = (page: Page) => page.getByRole("button", { name: "Create link" });
const choose = (page: Page) => page.getByRole("button", { name: "Choose files" });
const recent = (page: Page) => page.getByRole("heading", { name: "Recent uploads" });

const ofAdmin = await journey.share({ content: "of the admin", slug: "of-admin" });
const adminsFile = await journey.shareFile(new File(["of the admin"], "of-admin.txt"), { slug: "admins-file" });

interface Person {
  readonly name: string;
  readonly text: boolean;
  readonly files: boolean;
  readonly signedIn: boolean;
  /** Where the admin area leads; a visitor is asked to sign in there. */
  readonly admin: string;
  readonly rights: readonly Permission[];
}

const visitors = { signedIn: false, admin: "/admin" } as const;
const keys = { signedIn: true } as const;
const texts = "/admin/text-management";
const files = "/admin/file-management";
const people: readonly Person[] = [
  { ...visitors, name: "a visitor without a visitors' key", text: false, files: false, rights: [] },
  { ...visitors, name: "a visitor who may share texts", text: true, files: false, rights: ["text"] },
  { ...visitors, name: "a visitor who may share files", text: false, files: true, rights: ["file_share"] },
  { ...visitors, name: "a visitor who may share both", text: true, files: true, rights: ["text", "file_share"] },
  { ...keys, name: "a key for texts", text: true, files: false, admin: texts, rights: ["text"] },
  { ...keys, name: "a key for files", text: false, files: true, admin: files, rights: ["file_share"] },
  { ...keys, name: "a key for both", text: true, files: true, admin: texts, rights: ["text", "file_share"] },
  { ...keys, name: "a key for mounts only", text: false, files: false, admin: "/", rights: ["mount_view"] },
];

async function become({ signedIn, rights }: Person): Promise<Visit & { readonly leave: () => Promise<unknown> }> {
  const key = signedIn || rights.length > 0 ? await makeKey(rights, !signedIn) : undefined;
  const visit = key && signedIn ? await holder(key) : await journey.visitor();
  return { ...visit, leave: async () => key && (await removeKey(key)) };
}

describe("what is offered", () => {
  test.each(people.map((person) => [person.name, person] as const))("to %s", async (_, person) => {
    await using visit = await become(person);
    const { page } = visit;
    const refused = refusals(page);

    await page.goto("/");
    const noTexts = person.signedIn ? page.getByText(/may not share texts/) : page.getByText(/^Sign in to share texts/);
    await seen(person.text ? create(page) : noTexts);
    await editor(page).fill("not lost");
    expect(await create(page).count()).toBe(person.text ? 1 : 0);

    await page.goto("/upload");
    const noFiles = person.signedIn ? "This key may not upload files" : "Sign in to upload";
    await seen(person.files ? choose(page) : page.getByRole("heading", { name: noFiles }));
    expect(await choose(page).count()).toBe(person.files ? 1 : 0);
    if (person.files && person.signedIn) await seen(recent(page));
    else expect(await recent(page).count()).toBe(0);

    for (const path of [`/paste/${ofAdmin.slug}`, adminsFile.url]) {
      await page.goto(path);
      await seen(page.getByRole("toolbar", { name: "Actions" }));
      expect(await page.getByRole("button", { name: /^(Edit|Delete)$/ }).count()).toBe(0);
    }

    expect(await page.getByRole("link", { name: "Admin" }).count()).toBe(person.admin === "/" ? 0 : 1);
    await page.goto("/admin");
    await page.waitForURL((url) => url.pathname === person.admin);
    if (!person.signedIn) await seen(page.getByRole("button", { name: "Sign in" }).first());
    else if (person.admin === "/") await seen(page.getByRole("button", { name: "Sign in another way" }));
    else await seen(page.getByRole("heading", { level: 1 }));
    await page.waitForLoadState("networkidle");
    expect(await page.getByRole("button", { name: "Clear expired" }).count()).toBe(0);
    expect(refused).toEqual([]);
    await visit.leave();
  });

  test("to the administrator is everything", async () => {
    const { slug } = await journey.share({ content: "for all tools" });
    await using visit = await journey.admin();
    const { page } = visit;
    const refused = refusals(page);
    await page.goto("/");
    await seen(create(page));
    await page.goto("/upload");
    await seen(recent(page));
    await page.goto(`/paste/${slug}`);
    await seen(page.getByRole("button", { name: "Edit" }));
    await page.goto("/admin/text-management");
    await seen(page.getByRole("button", { name: "Clear expired" }));
    expect(refused).toEqual([]);
  });
});
