import { beforeEach, describe, expect, test } from "bun:test";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { LinkItem, LinkRecord } from "#contract/links";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { linkRecord } from "../../support/page-servers/link-record.ts";
import { openAt } from "../../support/pages/open-at.tsx";

/** What a link leads to, in the form that changes it. */

const item = (name: string, path: string | null = `/m/${name}`): LinkItem => ({
  id: `id of ${name}`,
  name,
  path,
  isDirectory: false,
});

const record = (items: readonly LinkItem[], item_count = items.length): LinkRecord =>
  linkRecord({ items: [...items], item_count });

const pathsOf = (items: readonly LinkItem[]): string[] => items.flatMap(({ path }) => path ?? []);

const many = Array.from({ length: 12 }, (_, index) => item(`${index}.txt`));

type Routes = Parameters<typeof fakeServer>[0];

const server = (items: readonly LinkItem[], routes: Routes = {}) =>
  fakeServer({
    "GET /links": () => answer({ data: { links: [record(items.slice(0, 10), items.length)], total: 1 } }),
    "GET /links/one": () => answer({ data: record(items) }),
    "PUT /links/one": () => answer({ data: record(items) }),
    ...routes,
  });

/** Opens the form of the link. */
async function openForm(): Promise<HTMLElement> {
  await openAt("/admin/link-management");
  fireEvent.click(await screen.findByRole("button", { name: "Trip" }));
  return await screen.findByRole("dialog");
}

const listed = (form: HTMLElement) =>
  within(within(form).getByRole("region", { name: "What it leads to" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

const takeOut = (form: HTMLElement, name: string) =>
  fireEvent.click(within(form).getByRole("button", { name: `Take “${name}” out of the link` }));

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("what a link leads to", () => {
  test("is shown whole, and what stays is sent whole, though the list has the first ten", async () => {
    await using api = server(many);
    const form = await openForm();
    await waitFor(() => expect(listed(form)).toEqual(pathsOf(many)));
    takeOut(form, "3.txt");
    expect(listed(form)).toHaveLength(11);
    expect(document.activeElement).toBe(within(form).getByRole("list"));
    fireEvent.click(within(form).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(api.seen.some(({ line }) => line === "PUT /links/one")).toBe(true));
    const { body } = api.seen.find(({ line }) => line === "PUT /links/one") ?? {};
    expect(body).toEqual({ items: many.filter(({ name }) => name !== "3.txt").map(({ id }) => ({ kept: id })) });
  });

  test("keeps the last item that is there, and what cannot be reached now", async () => {
    await using api = server([item("a.txt"), item("b.txt"), item("gone.txt", null)]);
    const form = await openForm();
    await waitFor(() => expect(listed(form)).toEqual(["/m/a.txt", "/m/b.txt", "gone.txt (gone)"]));
    takeOut(form, "a.txt");
    expect(listed(form)).toEqual(["/m/b.txt", "gone.txt (gone)"]);
    expect(within(form).queryByRole("button", { name: /“b.txt”/ })).toBeNull();
    fireEvent.click(within(form).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(api.seen.some(({ line }) => line === "PUT /links/one")).toBe(true));
    const kept = [{ kept: "id of b.txt" }, { kept: "id of gone.txt" }];
    expect(api.seen.find(({ line }) => line === "PUT /links/one")?.body).toEqual({ items: kept });
  });

  test("may be texts, of which one that is there is enough", async () => {
    const text: LinkItem = { ...item("Plan.md", null), paste: { id: "p", slug: "plan" } };
    await using _ = server([text, item("a.txt"), item("gone.md", null)]);
    const form = await openForm();
    await waitFor(() => expect(listed(form)).toEqual(["Plan.md", "/m/a.txt", "gone.md (gone)"]));
    takeOut(form, "a.txt");
    expect(within(form).queryByRole("button", { name: /“Plan.md”/ })).toBeNull();
    takeOut(form, "gone.md");
    expect(listed(form)).toEqual(["Plan.md"]);
  });

  test("takes more of the tree, whose folders open, and what it has only once", async () => {
    const listing = (items: readonly unknown[]) => answer({ data: { items, next_cursor: null } });
    const mount = { name: "m", path: "/m/", isDirectory: true, isVirtual: true, mount_id: "one" };
    const inMount = [
      { name: "new.txt", path: "/m/new.txt", isDirectory: false },
      { name: "a.txt", path: "/m/a.txt", isDirectory: false },
      { name: "photos", path: "/m/photos/", isDirectory: true },
    ];
    await using api = server([item("a.txt")], {
      "GET /fs/list": (_, url) => listing(url.searchParams.get("path") === "/" ? [mount] : inMount),
    });
    const form = await openForm();
    fireEvent.click(await within(form).findByRole("button", { name: "Add files or folders" }));
    const branch = async (name: string) => await within(form).findByRole("treeitem", { name });
    const add = () => within(form).getByRole<HTMLButtonElement>("button", { name: "Add to the link" });
    expect(add().disabled).toBe(true);
    fireEvent.doubleClick(await branch("m"));
    await branch("new.txt");
    expect(
      within(form)
        .getAllByRole("treeitem")
        .map(({ textContent }) => textContent),
    ).toEqual(["All files", "m", "photos", "a.txt", "new.txt"]);
    fireEvent.click(await branch("a.txt"));
    expect([add().disabled, within(form).getByText("The link leads there already.")]).toEqual([
      true,
      expect.anything(),
    ]);
    for (const name of ["new.txt", "photos"]) {
      fireEvent.click(await branch(name));
      fireEvent.click(add());
      expect(document.activeElement?.textContent).toBe(name);
    }
    expect(listed(form)).toEqual(["/m/a.txt", "/m/new.txt", "/m/photos/"]);
    takeOut(form, "new.txt");
    fireEvent.click(within(form).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(api.seen.some(({ line }) => line === "PUT /links/one")).toBe(true));
    const items = [{ kept: "id of a.txt" }, { path: "/m/photos/" }];
    expect(api.seen.find(({ line }) => line === "PUT /links/one")?.body).toEqual({ items });
  });

  test("is not sent where nothing was taken out, nor where it could not be read", async () => {
    await using api = server(many, { "GET /links/one": () => refusal("share.missing", "No such link.") });
    const form = await openForm();
    expect((await within(form).findByText("No such link.")).textContent).toBe("No such link.");
    fireEvent.change(within(form).getByDisplayValue("Trip"), { target: { value: "Voyage" } });
    fireEvent.click(within(form).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(api.seen.some(({ line }) => line === "PUT /links/one")).toBe(true));
    expect(api.seen.find(({ line }) => line === "PUT /links/one")?.body).toEqual({ title: "Voyage" });
  });

  test("is said in Chinese too", async () => {
    await using _ = server([item("a.txt"), item("b.txt")]);
    await act(() => setLanguage("zh"));
    const form = await openForm();
    fireEvent.click(await within(form).findByRole("button", { name: "从链接中移除“a.txt”" }));
    expect(within(form).getByText(/已打开此链接的人需要重新打开/)).toBeDefined();
  });
});

test("asks senders only where a link shows nothing", async () => {
  await using _api = server([{ ...item("box", "/m/box/"), isDirectory: true }]);
  const form = within(await openForm());
  const asked = () => form.queryAllByRole("checkbox", { name: /sender/i }).length;
  expect(form.getByRole("switch", { name: /^View/ })).toHaveProperty("checked", true);
  fireEvent.click(form.getByRole("switch", { name: /^Upload/ }));
  expect(form.getByRole("group", { name: "Collect files" })).toBeDefined();
  expect(asked()).toBe(0);
  fireEvent.click(form.getByRole("switch", { name: /^View/ }));
  expect(asked()).toBe(3);
});
