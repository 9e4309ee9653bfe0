import { beforeEach, describe, expect, mock, test } from "bun:test";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { credential } from "../../../web/api/session/credential.ts";
import { LazyPage, pageSource } from "../../../web/app/lazy-page.tsx";
import { titleAt } from "../../../web/app/routes.tsx";
import { signInMethod } from "../../../web/features/admin/login/sign-in-method.ts";
import { createKeyValue } from "../../../web/lib/storage.ts";
import { createStore } from "../../../web/lib/store.ts";
import { createTheme, theme } from "../../../web/page/theme.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openAt } from "../../support/pages/open-at.tsx";

describe("the shell", () => {
  // A session of another file of tests in this process may have left its own.
  beforeEach(() => signInMethod.set("password"));

  test("frames a page: skip link, places with the current one marked, main, footer with the year", async () => {
    const { container } = await openAt("/admin");
    expect(screen.getByRole("link", { name: "Skip to content" }).getAttribute("href")).toBe("#main");
    expect(container.querySelector("main#main")).not.toBeNull();
    const places = within(screen.getByRole("navigation", { name: "Main" }));
    expect(places.getByRole("link", { name: "Admin" }).getAttribute("aria-current")).toBe("page");
    expect(places.getByRole("link", { name: "Home" }).getAttribute("aria-current")).toBeNull();
    expect(screen.getByText(`© ${new Date().getFullYear()} Satchel`)).toBeDefined();
    // Nobody has said where the source is.
    expect(screen.queryByRole("link", { name: "Source code" })).toBeNull();
  });

  test("offers nothing else of the site to somebody who was sent a link and has no account", async () => {
    await using _server = fakeServer({ "GET /public/links/abc234": () => refusal("share.missing") });
    await openAt("/s/abc234");
    expect(screen.queryByRole("navigation")).toBeNull();
    expect(screen.queryByRole("button", { name: "Open menu" })).toBeNull();
    expect(screen.getByRole("link", { name: "Satchel" }).getAttribute("href")).toBe("/");
  });

  test("leads to the source where the server says it is", async () => {
    Object.assign(window, { appConfig: { backendUrl: "", sourceUrl: "https://code.example/satchel" } });
    try {
      await openAt("/admin");
      const link = screen.getByRole("link", { name: "Source code" });
      expect(link.getAttribute("href")).toBe("https://code.example/satchel");
    } finally {
      Object.assign(window, { appConfig: undefined });
    }
  });

  test("speaks the other language at once, title included, and remembers it", async () => {
    const { user } = await openAt("/admin");
    expect(document.title).toBe("Sign in · Satchel");
    await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "中文");
    expect(await screen.findByRole("link", { name: "首页" })).toBeDefined();
    expect(screen.getByRole("heading", { name: "管理员登录" })).toBeDefined();
    expect(document.title).toBe("登录 · Satchel");
    expect(document.documentElement.lang).toBe("zh-CN");
    expect(localStorage.getItem("language")).toBe("zh");
  });

  test("calls each language as it calls itself, and shows which one is chosen", async () => {
    await openAt("/admin");
    const chooser = screen.getByRole("combobox", { name: "Language" });
    expect([...chooser.children].map(({ textContent }) => textContent)).toEqual([
      "中文",
      "English",
      "日本語",
      "Español",
      "Deutsch",
      "Français",
    ]);
    expect(screen.getByRole<HTMLOptionElement>("option", { name: "English" }).selected).toBe(true);
  });

  test("goes round the themes", async () => {
    const { user } = await openAt("/admin");
    const shown = [];
    for (let step = 0; step < 3; step += 1) {
      await user.click(screen.getByRole("button", { name: /^Theme/ }));
      shown.push([localStorage.getItem("themeMode"), document.documentElement.dataset.theme]);
    }
    expect(shown).toEqual([
      ["light", "light"],
      ["dark", "dark"],
      ["auto", "light"],
    ]);
    expect(theme.mode.get()).toBe("auto");
  });

  test("opens its menu on a phone and closes it with Esc, the focus back on the button", async () => {
    const { user } = await openAt("/admin");
    const button = screen.getByRole("button", { name: "Open menu" });
    await user.click(button);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    expect(screen.getAllByRole("navigation", { name: "Main" })).toHaveLength(2);
    await user.keyboard("{Escape}");
    expect(screen.getAllByRole("navigation", { name: "Main" })).toHaveLength(1);
    expect(document.activeElement === button).toBe(true);
  });

  test("leads from an unknown address Home", async () => {
    const { where } = await openAt("/no/such/page");
    expect(where.path).toBe("/");
  });
});

test("going somewhere asks about a session that was not asked about for long", async () => {
  await using api = fakeServer({ "GET /test/admin-token": () => answer() });
  localStorage.setItem("admin_token", "kept");
  act(() => credential.syncFromStorage("admin_token"));
  const { go } = await openAt("/no/such/page");
  const asked = () => api.lines().filter((line) => line === "GET /test/admin-token").length;
  await waitFor(() => expect(credential.state.get().lastValidated).toBeGreaterThan(0));
  expect(asked()).toBe(1);
  act(() => credential.validated(1));
  go("/paste/x");
  await waitFor(() => expect(asked()).toBe(2));
  act(() => credential.signOut("loggedOut"));
});

test("every address has its title", () => {
  const titles = ["/", "/paste/x", "/admin", "/admin/account", "/elsewhere"].map(titleAt);
  expect(titles).toEqual([
    "shell.titles.home",
    "shell.titles.paste",
    "shell.titles.admin",
    // Its pages say their own.
    "shell.titles.admin",
    "shell.titles.home",
  ]);
});

test("auto follows the system at once", () => {
  const dark = createStore(false);
  const root = document.createElement("html");
  createTheme({
    root,
    storage: createKeyValue(() => localStorage),
    systemDark: {
      get matches() {
        return dark.get();
      },
      addEventListener: (_: string, listener: unknown) => void dark.subscribe(listener as () => void),
    },
  });
  expect(root.dataset.theme).toBe("light");
  dark.set(true);
  expect(root.dataset.theme).toBe("dark");
});

describe("a lazy page", () => {
  test("that does not load says so, and loads when tried again", async () => {
    const load = mock(async () => () => <p>the page</p>);
    load.mockImplementationOnce(() => Promise.reject(new Error("no network")));
    const source = pageSource(load);
    render(<LazyPage source={source} />, { wrapper: MemoryRouter });
    const retry = await screen.findByRole("button", { name: "Try again" });
    expect(screen.getByText(/check the network/)).toBeDefined();
    expect(screen.getByRole("link", { name: "Home" })).toBeDefined();
    await userEvent.click(retry);
    expect(await screen.findByText("the page")).toBeDefined();
  });

  test("loads by itself when the network is back, and stays as it is while that brings nothing", async () => {
    const load = mock(async () => () => <p>the page</p>);
    const refused = () => Promise.reject(new Error("no network"));
    load.mockImplementationOnce(refused).mockImplementationOnce(refused);
    await using server = fakeServer({ "GET /health": () => refusal("server.busy") });
    render(<LazyPage source={pageSource(load)} />, { wrapper: MemoryRouter });
    await screen.findByRole("button", { name: "Try again" });
    await act(async () => void window.dispatchEvent(new Event("online")));
    // Nobody answers who could bring the page anew.
    await waitFor(() => expect(server.lines()).toEqual(["GET /health"]));
    await screen.findByRole("button", { name: "Try again" });
    await act(async () => void window.dispatchEvent(new Event("online")));
    expect(await screen.findByText("the page")).toBeDefined();
  });

  test("that is there already is shown at once", async () => {
    const source = pageSource(async () => () => <p>the page</p>);
    await source.load();
    act(() => void render(<LazyPage source={source} />, { wrapper: MemoryRouter }));
    expect(screen.getByText("the page")).toBeDefined();
  });
});
