import { beforeEach, describe, expect, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { ListedPaste, WholePaste } from "#contract/pastes";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openedPaste } from "../../support/page-servers/paste-answers.ts";
import { dialogGone } from "../../support/pages/form-dialog.ts";
import { openAt } from "../../support/pages/open-at.tsx";
import { choose } from "../../support/pages/row-menu.ts";

const made = "2026-01-02T03:04:05.000Z";

const text = (number: number, more: Partial<ListedPaste> = {}): ListedPaste => ({
  id: `id-${number}`,
  slug: `slug${number}`,
  remark: null,
  content_preview: `Text number ${number}`,
  plain: false,
  size: 14,
  has_password: 0,
  expires_at: null,
  max_views: 0,
  views: number,
  view_count: number,
  created_by: "admin",
  created_at: made,
  updated_at: made,
  ...more,
});

const whole = (more: Partial<WholePaste> = {}): WholePaste => ({
  id: "id-1",
  slug: "slug1",
  content: "Text number 1",
  plain: false,
  remark: null,
  has_password: false,
  version: 1,
  expires_at: null,
  max_views: 0,
  views: 1,
  created_by: "admin",
  created_at: made,
  updated_at: made,
  ...more,
});

/** A server that keeps texts: enough of it for the list. */
function keeping(texts: ListedPaste[]) {
  return fakeServer({
    "GET /pastes": (_, url) => {
      const [limit, offset] = [Number(url.searchParams.get("limit")), Number(url.searchParams.get("offset"))];
      const page = offset / limit + 1;
      const totalPages = Math.ceil(texts.length / limit);
      return answer({
        data: texts.slice(offset, offset + limit),
        pagination: { total: texts.length, page, limit, offset, totalPages, hasMore: false },
      });
    },
    "DELETE /pastes/batch-delete": ({ body }) => {
      const { ids } = body as { ids: string[] };
      const before = texts.length;
      texts.splice(0, before, ...texts.filter(({ id }) => !ids.includes(id)));
      return answer({ data: { deleted: before - texts.length } });
    },
    "POST /pastes/clear-expired": () => answer({ data: { deleted: 3 } }),
    "GET /pastes/id-1": () => answer({ data: whole() }),
    "PUT /pastes/id-1": ({ body }) => {
      const { newSlug } = body as { newSlug?: string };
      return newSlug === "taken" ? refusal("slug.taken") : answer({ data: { id: "id-1", slug: newSlug ?? "slug1" } });
    },
  });
}

const many = (count: number) => Array.from({ length: count }, (_, index) => text(index + 1));

/** Counts instead of expecting null: an expectation that fails writes down the whole document, which takes half a minute. */

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("the list of texts", () => {
  test("shows link, beginning, end, views and the lock of each", async () => {
    const protectedOne = text(1, { has_password: 1, max_views: 5, remark: "Meeting", grant: "g+1", expires_at: made });
    await using _api = keeping([protectedOne, text(2)]);
    await openAt("/admin/text-management");
    const row = within(await screen.findByRole("row", { name: /slug1/ }));
    expect(row.getByRole("link", { name: "Open" }).getAttribute("href")).toBe("http://localhost:8787/paste/slug1");
    for (const part of ["Meeting", "Text number 1", "Expired", "4 of 5 left", "Password"]) {
      expect(row.getByText(part)).toBeDefined();
    }
    const other = within(screen.getByRole("row", { name: /slug2/ }));
    expect(other.getByText("Never")).toBeDefined();
    expect(other.queryByText("Password")).toBeNull();
  });

  test("copies the raw link of a protected text with its grant", async () => {
    await using api = keeping([text(1, { has_password: 1, grant: "g+1" })]);
    const { user } = await openAt("/admin/text-management");
    await choose(user, "Copy raw link");
    expect(await navigator.clipboard.readText()).toBe(`${api.base}/api/raw/slug1?grant=g%2B1`);
    await waitFor(() =>
      expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toEqual(["", "Copied"]),
    );
  });

  test("turns its pages, the page being in the address", async () => {
    await using _api = keeping(many(22));
    const { user, where } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("button", { name: "Next page" }));
    expect(await screen.findByText("/slug22")).toBeDefined();
    expect(where.path).toBe("/admin/text-management?page=2");
    expect(screen.getByText("Page 2 of 2")).toBeDefined();
  });

  test("asks the server for what its address says, and writes there what is asked for next", async () => {
    await using api = keeping(many(22));
    const asked = "sort=views&order=asc&search=note&state=active&protected=true&created_by=admin&page=2&size=50";
    const { user, where } = await openAt(`/admin/text-management?${asked}&state2=x`);
    await screen.findByRole("button", { name: "Filter · 3" });
    const request = () => api.addresses().find((address) => address.startsWith("/api/pastes"));
    // The bar is there at once; on a busy machine the request comes later.
    await waitFor(() => expect(request()).toBeDefined());
    expect(request()).toBe(
      "/api/pastes?limit=50&offset=50&sort=views&order=asc&search=note&state=active&protected=true&created_by=admin&content=false",
    );
    await user.click(screen.getByRole("button", { name: "Remove filter: Status · Active" }));
    await waitFor(() => expect(where.path).not.toContain("state=active"));
    expect(where.path).not.toContain("page=");
    await user.click(await screen.findByRole("button", { name: "Created" }));
    await waitFor(() => expect(where.path).not.toContain("sort="));
    expect(screen.getByRole("columnheader", { name: /Created/ }).getAttribute("aria-sort")).toBe("descending");
  });

  test("passes over what nobody can ask for", async () => {
    await using api = keeping([text(1)]);
    await openAt("/admin/text-management?page=-1&size=7&sort=password&order=up&state=gone&protected=maybe");
    await screen.findByText("/slug1");
    expect(api.addresses().find((address) => address.startsWith("/api/pastes"))).toBe(
      "/api/pastes?limit=20&offset=0&sort=created&order=desc&content=false",
    );
  });

  test("searches once two letters are typed, says so before, and shows all again when nothing is found", async () => {
    await using api = keeping([]);
    const { user, where } = await openAt("/admin/text-management?state=expired");
    const field = await screen.findByRole("searchbox");
    await user.type(field, "n");
    expect(screen.getByText("Type at least 2 characters.")).toBeDefined();
    await user.type(field, "o{Enter}");
    await waitFor(() => expect(where.path).toBe("/admin/text-management?state=expired&search=no"));
    expect(api.addresses().some((address) => address.includes("search=n&"))).toBe(false);
    await user.click(await screen.findByRole("button", { name: "Show everything" }));
    expect(await screen.findByText("No texts yet")).toBeDefined();
    expect(where.path).toBe("/admin/text-management");
  });

  test("shows all of a text at its side, spending no view", async () => {
    await using api = keeping([text(1, { max_views: 3 })]);
    const { user } = await openAt("/admin/text-management");
    await choose(user, "Preview");
    const sheet = within(await screen.findByRole("dialog", { name: "Text preview" }));
    expect(await sheet.findByText("Text number 1")).toBeDefined();
    expect(sheet.getByRole("link", { name: "Open page" }).getAttribute("href")).toBe(
      "http://localhost:8787/paste/slug1",
    );
    expect(api.lines().filter((line) => line.includes("slug1"))).toEqual([]);
  });

  test("makes a link of the ticked texts that can still be opened, and says how many cannot", async () => {
    const spent = text(3, { max_views: 3 });
    await using api = keeping([text(1), text(2, { expires_at: made }), spent]);
    const { user } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await user.click(screen.getByRole("button", { name: "Create a link" }));
    const dialog = await screen.findByRole("dialog", { name: "Create a link" });
    within(dialog).getByText("2 texts have expired or are used up, and are left out.");
    await user.click(within(dialog).getByRole("button", { name: "Create link" }));
    await waitFor(() => expect(api.lines()).toContain("POST /links"));
    const { body } = api.seen.find(({ line }) => line === "POST /links") ?? {};
    expect(body).toMatchObject({ items: [{ paste: "id-1" }] });
  });

  test("offers no link where none of the ticked texts can be opened", async () => {
    await using _ = keeping([text(2, { expires_at: made })]);
    const { user } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    const title = "All of these texts have expired or are used up";
    expect(screen.getByTitle<HTMLButtonElement>(title).disabled).toBe(true);
  });

  test("deletes the ticked rows after asking, and leaves a page that is empty then", async () => {
    await using api = keeping(many(22));
    const { user, where } = await openAt("/admin/text-management?page=2");
    await user.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await user.click(
      within(screen.getByRole("toolbar", { name: "2 selected" })).getByRole("button", { name: "Delete" }),
    );
    const dialog = within(screen.getByRole("dialog", { name: "Delete 2 texts?" }));
    expect(document.activeElement === dialog.getByRole("button", { name: "Delete" })).toBe(true);
    await user.click(dialog.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("2 entries deleted.")).toBeDefined();
    await waitFor(() => expect(where.path).toBe("/admin/text-management"));
    expect(api.seen.find(({ line }) => line.startsWith("DELETE"))?.body).toEqual({ ids: ["id-21", "id-22"] });
    expect(screen.queryAllByRole("toolbar").length).toBe(0);
    expect(document.activeElement?.id).toBe("main");
  });

  test("deletes nothing when the question is answered with Cancel", async () => {
    await using api = keeping([text(1)]);
    const { user } = await openAt("/admin/text-management");
    await choose(user, "Delete");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryAllByRole("dialog").length).toBe(0);
    expect(api.lines().filter((line) => line.startsWith("DELETE"))).toEqual([]);
  });

  test("says that there are more than were counted", async () => {
    const pagination = {
      total: 1000,
      total_exact: false,
      page: 1,
      limit: 10,
      offset: 0,
      totalPages: 100,
      hasMore: true,
    };
    await using _api = fakeServer({ "GET /pastes": () => answer({ data: [text(1)], pagination }) });
    await openAt("/admin/text-management?search=many");
    expect((await screen.findAllByText("1,000+ in total")).length).toBe(1);
    expect((await screen.findAllByText("Page 1 of 50+")).length).toBe(1);
  });

  test("keeps the question open with the reason when deleting fails", async () => {
    await using _api = fakeServer({
      "GET /pastes": () =>
        answer({
          data: [text(1)],
          pagination: { total: 1, page: 1, limit: 10, offset: 0, totalPages: 1, hasMore: false },
        }),
      "DELETE /pastes/batch-delete": () => refusal("server.busy", "The server is busy."),
    });
    const { user } = await openAt("/admin/text-management");
    await choose(user, "Delete");
    const dialog = within(screen.getByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Delete" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("The server is busy.");
  });

  test("clears what has expired", async () => {
    await using api = keeping([text(1)]);
    const { user } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("button", { name: "Clear expired" }));
    await user.click(screen.getByRole("button", { name: "Clear" }));
    expect(await screen.findByText("3 entries cleared.")).toBeDefined();
    expect(api.seen.find(({ line }) => line.includes("clear-expired"))?.body).toEqual({ clearExpired: true });
  });

  test("says what went wrong and tries again", async () => {
    let broken = true;
    await using _api = fakeServer({
      "GET /pastes": () =>
        broken
          ? refusal("internal", "Server error.")
          : answer({
              data: [text(7)],
              pagination: { total: 1, page: 1, limit: 10, offset: 0, totalPages: 1, hasMore: false },
            }),
    });
    const { user } = await openAt("/admin/text-management");
    expect((await screen.findByRole("alert")).textContent).toContain("Server error.");
    broken = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("/slug7")).toBeDefined();
  });

  test("goes back to the sign-in card when the session has expired", async () => {
    await using _api = fakeServer({ "GET /pastes": () => refusal("auth.expired") });
    await openAt("/admin/text-management");
    expect(await screen.findByText("Your admin session has expired, please sign in again.")).toBeDefined();
  });
});

describe("editing a text", () => {
  test("shows a taken suffix at its field, then saves only what changed", async () => {
    await using api = keeping([text(1)]);
    const { user } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    const slug = await screen.findByLabelText("Link suffix");
    await user.clear(slug);
    await user.type(slug, "taken");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect((await screen.findByRole("alert")).textContent).toBe("This suffix is taken. Please choose another one.");
    expect(slug.getAttribute("aria-invalid")).toBe("true");
    await user.clear(slug);
    await user.type(slug, "free");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await dialogGone();
    expect(api.seen.filter(({ line }) => line.startsWith("PUT")).map(({ body }) => body)).toEqual([
      { newSlug: "taken" },
      { newSlug: "free" },
    ]);
  });

  test("asks before changes are thrown away", async () => {
    await using api = keeping([text(1)]);
    const { user } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    await user.type(await screen.findByLabelText("Note"), "x");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Discard" }));
    await dialogGone();
    expect(api.lines().some((line) => line.startsWith("PUT"))).toBe(false);
  });

  test("a session that ends takes nothing that was typed with it", async () => {
    let ended = true;
    await using api = fakeServer({
      "GET /pastes": () =>
        answer({
          data: [text(1)],
          pagination: { total: 1, page: 1, limit: 10, offset: 0, totalPages: 1, hasMore: false },
        }),
      "GET /pastes/id-1": () => answer({ data: whole() }),
      "PUT /pastes/id-1": () => (ended ? refusal("auth.expired") : answer({ data: { id: "id-1", slug: "slug1" } })),
      "POST /admin/login": () =>
        answer({ data: { token: "tok2", username: "admin", expiresAt: "2031-01-01T00:00:00.000Z" } }),
    });
    const { user } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    await user.type(await screen.findByLabelText("Note"), "long thought");
    await user.click(screen.getByRole("button", { name: "Save" }));
    const name = await screen.findByLabelText("Username");
    expect(document.querySelectorAll("dialog[open]").length).toBe(0);
    ended = false;
    await user.type(name, "admin");
    await user.type(screen.getByLabelText("Password", { selector: "[name=password]" }), "secret{Enter}");
    await waitFor(() => expect(document.querySelectorAll("dialog[open]").length).toBe(1));
    expect(screen.queryAllByRole("alert").length).toBe(0);
    await user.click(screen.getByRole("button", { name: "Save" }));
    await dialogGone();
    expect(api.seen.findLast(({ line }) => line.startsWith("PUT"))?.body).toEqual({ remark: "long thought" });
  });

  test("says what is wrong at the first field that is, and saves once however often it is asked", async () => {
    await using api = keeping([text(1)]);
    const { user } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    const views = await screen.findByLabelText("View limit");
    await user.clear(views);
    await user.type(views, "5x");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Enter 0 or a larger whole number.");
    await waitFor(() => expect(document.activeElement === views).toBe(true));
    await user.type(views, "{Backspace}");
    const form = views.closest("form");
    act(() => {
      for (const _ of [1, 2, 3]) form?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    });
    await dialogGone();
    expect(api.seen.filter(({ line }) => line.startsWith("PUT")).map(({ body }) => body)).toEqual([{ maxViews: 5 }]);
  });

  test("a long text is edited on its own page, without spending a view", async () => {
    const content = "line\n".repeat(50_000);
    await using api = fakeServer({
      "GET /pastes": () =>
        answer({
          data: [text(1)],
          pagination: { total: 1, page: 1, limit: 10, offset: 0, totalPages: 1, hasMore: false },
        }),
      "GET /pastes/id-1": () => answer({ data: whole({ content }) }),
      "GET /pastes/slug1": () => answer({ data: whole({ content }) }),
      "GET /paste/slug1": () => Response.json(openedPaste({ slug: "slug1", maxViews: 1, views: 0, viewsLeft: 1 })),
    });
    const { user, where } = await openAt("/admin/text-management");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    await user.click(await screen.findByRole("link", { name: "Edit the text" }));
    expect(await screen.findByRole("heading", { name: "Edit share" })).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await screen.findByRole("button", { name: "Open · opens once" });
    expect(where.path).toBe("/paste/slug1");
    expect(api.lines().filter((line) => line === "GET /paste/slug1").length).toBe(1);
  });
});
