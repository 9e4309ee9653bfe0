import { beforeEach, describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { DashboardStats } from "#contract/dashboard";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { answer, refusal } from "../../support/page-servers/fake-server.ts";
import { dashboardServer, stats } from "../../support/page-servers/kept-dashboard.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const PATH = "/admin/dashboard";
const open = async (change: Partial<DashboardStats> = {}) => {
  const api = dashboardServer(() => ({ ...stats, ...change }));
  return { api, ...(await openAt(PATH)) };
};
const card = async (name: string) => within(await screen.findByRole("region", { name }));

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("the figures", () => {
  test("lead to their lists, and the page to its title", async () => {
    const { api } = await open();
    await using _api = api;
    const texts = await screen.findByRole("link", { name: "Texts 1,234 8 this week" });
    expect(texts.getAttribute("href")).toBe("/admin/text-management");
    expect(screen.getByRole("link", { name: "Files 7 5 this week" })).toBeDefined();
    expect(screen.getByRole("link", { name: "Storages 2 4 GB used" })).toBeDefined();
    expect(document.title).toBe("Dashboard · Satchel");
  });

  test("are read again at a press", async () => {
    let total = 1;
    await using _api = dashboardServer(() => ({ ...stats, totalPastes: total }));
    const { user } = await openAt(PATH);
    await screen.findByRole("link", { name: /^Texts 1 / });
    total = 2;
    await user.click(screen.getByRole("button", { name: "Refresh" }));
    expect(await screen.findByRole("link", { name: /^Texts 2 / })).toBeDefined();
  });

  test("that cannot be read say why, and are tried again", async () => {
    let broken = true;
    await using _api = dashboardServer(() => stats, {
      "GET /admin/dashboard/stats": () => (broken ? refusal("internal", "Server error.") : answer({ data: stats })),
    });
    const { user } = await openAt(PATH);
    expect(await screen.findByText("Server error.")).toBeDefined();
    broken = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: /^Texts 1,234/ })).toBeDefined();
  });
});

describe("the week", () => {
  test("is a table for those who cannot see the chart, with its sums", async () => {
    const { api } = await open();
    await using _api = api;
    const week = await card("Last seven days");
    expect(await week.findByText("Texts 8 · Files 5")).toBeDefined();
    const rows = week
      .getAllByRole("row")
      .slice(1)
      .map(({ textContent }) => textContent);
    expect(rows).toEqual([
      "Mon, Apr 2810",
      "Tue, Apr 2903",
      "Wed, Apr 3000",
      "Thu, May 120",
      "Fri, May 200",
      "Sat, May 340",
      "Sun, May 412",
    ]);
    expect(week.getByText("Sat, May 3", { selector: "dd" })).toBeDefined();
  });

  test("tells each day's values to keyboard and pointer", async () => {
    const { api, user } = await open();
    await using _api = api;
    const week = await card("Last seven days");
    const days = await week.findAllByRole("button", { name: /: texts/ });
    expect(days.filter(({ tabIndex }) => tabIndex === 0)).toEqual([days[6] as HTMLElement]);
    act(() => days[6]?.focus());
    await user.keyboard("{ArrowLeft}");
    expect(document.activeElement).toBe(days[5] as HTMLElement);
    expect(week.getByText("Sat, May 3: texts 4, files 0")).toBeDefined();
    await user.hover(days[1] as HTMLElement);
    expect(week.getByText("Tue, Apr 29: texts 0, files 3")).toBeDefined();
  });

  test("is drawn as bars or lines, as was chosen before", async () => {
    const first = await open();
    const week = async () => (await screen.findByRole("region", { name: "Last seven days" })) as HTMLElement;
    await screen.findAllByRole("button", { name: /: texts/ });
    expect((await week()).querySelectorAll("polyline")).toHaveLength(0);
    await first.user.click(screen.getByRole("button", { name: "Lines" }));
    expect((await week()).querySelectorAll("polyline")).toHaveLength(2);
    cleanup();
    await first.api[Symbol.asyncDispose]();
    const second = await open();
    await using _api = second.api;
    await screen.findAllByRole("button", { name: /: texts/ });
    expect((await week()).querySelectorAll("polyline")).toHaveLength(2);
  });

  test("has room for the numbers beside its axis, however large they are", async () => {
    const { api, container } = await open({ lastWeekPastes: [0, 0, 3_500_000, 0, 0, 0, 0] });
    await using _api = api;
    const axis = () => [...container.querySelectorAll("svg text")].slice(0, 3).map(({ textContent }) => textContent);
    await waitFor(() => expect(axis()).toEqual(["0", "2M", "4M"]));
    await act(() => setLanguage("zh"));
    await waitFor(() => expect(axis()).toEqual(["0", "200万", "400万"]));
  });

  test("without anything has no most active day", async () => {
    const none = [0, 0, 0, 0, 0, 0, 0];
    const { api } = await open({ lastWeekPastes: none, lastWeekFiles: none });
    await using _api = api;
    expect(await (await card("Last seven days")).findByText("None yet")).toBeDefined();
  });
});

describe("the storages", () => {
  test("are shown together, the fullest first, or one by itself", async () => {
    const { api, user } = await open();
    await using _api = api;
    const shown = await card("Storage usage");
    await shown.findByText("92% full");
    // One storage has a limit of its own; on the disk of the other others keep files too, which are a part of their own.
    expect(shown.getAllByText(/% full/).map(({ textContent }) => textContent)).toEqual(["92% full", "Disk 60% full"]);
    expect(shown.getByText("4.6 GB of 5 GB")).toBeDefined();
    const parts = ["This storage 3 GB", "Other data 57 GB", "Free 40 GB"].map((part) => shown.getByText(part));
    const bar = parts[0]?.closest("ul")?.previousElementSibling;
    expect([...(bar?.children ?? [])].map((part) => (part as HTMLElement).style.width)).toEqual(["3%", "57%"]);
    expect(shown.getAllByText("1 · 50%")).toHaveLength(2);
    await user.selectOptions(shown.getByRole("combobox", { name: "Choose a storage" }), "Cloud");
    expect(shown.getByText("MinIO")).toBeDefined();
    expect(shown.queryByText(/60% full/)).toBeNull();
  });
});

describe("what needs attention", () => {
  const attention: DashboardStats["attention"] = {
    problems: [
      { problem: "disk", advice: "The disk is full." },
      { problem: "storage", advice: "A storage is full." },
    ],
    failedJobs: 3,
    failedStorages: [{ id: "cloud", name: "Cloud", tested_at: new Date(Date.now() - 3_600_000).toISOString() }],
    fullStorages: [{ id: "disk", name: "Attic", usagePercent: 93 }],
    expiringKeys: [{ id: "k", name: "ci", expires_at: new Date(Date.now() + 2 * 86_400_000).toISOString() }],
    webhooks: [{ id: "w", name: "phone", reason: "gone" }],
  };

  test("is no part of the page while all is well", async () => {
    const { api } = await open();
    await using _api = api;
    await screen.findByRole("link", { name: /^Texts 1,234/ });
    expect(screen.queryByRole("region", { name: "Needs attention" })).toBeNull();
  });

  test("is said in sentences, in both languages, with the way to it", async () => {
    const { api, user } = await open({ attention });
    await using _api = api;
    const list = await card("Needs attention");
    await user.click(list.getByRole("button", { name: "Show all 6" }));
    expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "The disk is full.",
      "The last test of “Cloud” failed (1 hour ago).See storages",
      "“Attic” is 93% full.See storages",
      "Background tasks that failed, wholly or in part: 3.See tasks",
      "The receiver of the notification “phone” no longer accepts messages (410): it is switched off.See notifications",
      "The key “ci” expires in 2 days.See keys",
    ]);
    await act(() => setLanguage("zh"));
    expect(screen.getByText("存储“Attic”已用 93%。")).toBeDefined();
    expect(screen.getByText("密钥“ci”后天到期。")).toBeDefined();
  });
});

describe("the first steps", () => {
  const firstSteps = { password: false, key: true, storage: false };

  test("are marked as the server knows them, and go for good when they are dismissed", async () => {
    const { api, user } = await open({ firstSteps });
    const steps = await card("Next steps");
    expect(steps.getAllByRole("listitem").map((item) => within(item).queryByText("Done") !== null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(steps.getByRole("link", { name: /Choose your own password/ }).getAttribute("href")).toBe("/admin/account");
    await user.click(steps.getByRole("button", { name: "Don't show again" }));
    expect(screen.queryByRole("region", { name: "Next steps" })).toBeNull();
    cleanup();
    await api[Symbol.asyncDispose]();
    const again = await open({ firstSteps });
    await using _api = again.api;
    await screen.findByRole("link", { name: /^Texts 1,234/ });
    expect(screen.queryByRole("region", { name: "Next steps" })).toBeNull();
  });

  test("go by themselves when all are done", async () => {
    const { api } = await open();
    await using _api = api;
    await screen.findByRole("link", { name: /^Texts 1,234/ });
    expect(screen.queryByRole("region", { name: "Next steps" })).toBeNull();
  });
});

const openSystem = async () => {
  const api = dashboardServer(() => stats);
  return { api, ...(await openAt("/admin/system")) };
};

describe("what happened last", () => {
  test("is told by the titles of what was used, and leads to it", async () => {
    const { api } = await open();
    await using _api = api;
    const recent = await card("Recent activity");
    const link = await recent.findByRole("link", { name: "Meeting notes" });
    expect(link.getAttribute("href")).toBe("/admin/text-management?search=notes1");
    expect(recent.getByText(/^Opened/)).toBeDefined();
    expect(recent.getByText("text · Firefox on Linux · 3 times")).toBeDefined();
    expect(screen.queryByRole("region", { name: "Caches" })).toBeNull();
  });
});

describe("the page of the system", () => {
  test("tells of caches in words and clears them, all of them or those of a mount", async () => {
    const { api, user } = await openSystem();
    await using _api = api;
    const caches = await card("Caches");
    const rows = (await caches.findAllByRole("row")).slice(1).map(({ textContent }) => textContent);
    expect(rows).toEqual(["Texts1275%", "later0Not used yet"]);
    await user.click(caches.getByRole("button", { name: "Clear" }));
    expect(await caches.findByText("12 entries cleared.")).toBeDefined();
    await user.selectOptions(caches.getByRole("combobox", { name: "What to clear" }), "/drive");
    await user.click(caches.getByRole("button", { name: "Clear" }));
    const bodies = () => api.seen.filter(({ line }) => line === "POST /admin/cache/clear").map(({ body }) => body);
    await waitFor(() => expect(bodies()).toEqual([{}, { mountId: "m1" }]));
  });

  test("stand beside what runs here", async () => {
    const { api } = await openSystem();
    await using _api = api;
    const system = await card("System");
    for (const fact of ["0.1.0", "Bun 1.4.5", "SQLite", "1 d 1 h"]) expect(await system.findByText(fact)).toBeDefined();
    expect(system.queryByText("v26.3.0")).toBeNull();
    expect(await system.findByText("91 MB")).toBeDefined();
  });
});
