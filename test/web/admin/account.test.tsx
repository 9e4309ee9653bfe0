import { beforeEach, describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { AuditEntry } from "#contract/admin";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const PATH = "/admin/account";
const now = new Date().toISOString();
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36";

const session = (id: string, user_agent: string, is_current = false) => ({
  id,
  created_at: now,
  last_used: now,
  expires_at: now,
  address: "192.0.2.7",
  user_agent,
  is_current,
});

const entry = (id: number, fields: Partial<AuditEntry>): AuditEntry => ({
  id,
  at: now,
  action: "login.done",
  actor: "admin",
  address: "192.0.2.7",
  subject: null,
  name: null,
  fields: [],
  ...fields,
});

const entries = [
  entry(4, { action: "settings.update", name: "global", fields: ["max_upload_size", "of_another_version"] }),
  entry(3, { action: "account.update", fields: ["currentPassword", "newUsername"] }),
  entry(2, { action: "login.failed", actor: "nobody" }),
  entry(1, { action: "of.another.version", actor: "apikey:k1", address: "" }),
];

type Routes = Parameters<typeof fakeServer>[0];

const server = (routes: Routes = {}) => {
  let sessions = [session("s1", CHROME, true), session("s2", "curl/8.5.0"), session("s3", "")];
  return fakeServer({
    "GET /admin/sessions": () => answer({ data: sessions, total: sessions.length }),
    "DELETE /admin/sessions/s2": () => {
      sessions = sessions.filter(({ id }) => id !== "s2");
      return answer({ data: null });
    },
    "DELETE /admin/sessions": () => {
      const ended = sessions.length - 1;
      sessions = sessions.slice(0, 1);
      return answer({ data: { ended } });
    },
    "GET /admin/audit": (_seen, url) => {
      const action = url.searchParams.get("action");
      const found = entries.filter((one) => action === null || one.action === action);
      const offset = Number(url.searchParams.get("offset"));
      return answer({ data: found, pagination: { total: action ? 1 : 45, limit: 20, offset, hasMore: true } });
    },
    ...routes,
  });
};

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

const save = (name = "Save") => screen.getByRole("button", { name });

describe("changing name and password", () => {
  /** What is entered, and what the page says before it asks the server (SPEC section 5). */
  const rows: readonly [fields: Record<string, string>, en: string, zh: string][] = [
    [{}, "Enter the current password.", "请输入当前密码。"],
    [{ current: "secret" }, "Enter a new username or a new password.", "请输入新的用户名或新密码。"],
    [
      { current: "secret", username: "a:b" },
      "A username can have up to 64 characters and no colon.",
      "用户名最多 64 个字符，不能有冒号。",
    ],
    [
      { current: "secret", password: "short" },
      "The new password needs at least 8 characters.",
      "新密码至少需要 8 个字符。",
    ],
    [
      { current: "long enough", password: "long enough" },
      "The new password must differ from the current one.",
      "新密码不能与当前密码相同。",
    ],
  ];
  const labels = {
    en: { current: "Current password", username: "New username", password: "New password" },
    zh: { current: "当前密码", username: "新用户名", password: "新密码" },
  } as const;

  test.each(rows)("%p is refused in both languages", async (fields, en, zh) => {
    for (const [language, sentence] of [
      ["en", en],
      ["zh", zh],
    ] as const) {
      await using api = server();
      await act(() => setLanguage(language));
      const { user } = await openAt(PATH);
      for (const [field, text] of Object.entries(fields))
        await user.type(screen.getByLabelText(labels[language][field as keyof typeof labels.en]), text);
      await user.click(save(language === "en" ? undefined : "保存"));
      expect(screen.getByRole("alert").textContent).toBe(sentence);
      const wrong = document.querySelector('[aria-invalid="true"]');
      if (wrong) expect(document.activeElement).toBe(wrong);
      // Nothing filled in is nobody's fault but the form's.
      else expect(en).toBe("Enter a new username or a new password.");
      expect(api.lines()).not.toContain("POST /admin/change-password");
      cleanup();
    }
  });

  const renewed = { username: "root", token: "tok2", expiresAt: now };

  test("is sent once and said, and only other devices are signed out", async () => {
    await using api = server({ "POST /admin/change-password": () => answer({ data: renewed }) });
    const { user } = await openAt(PATH);
    await user.type(screen.getByLabelText("Current password"), "secret");
    await user.type(screen.getByLabelText("New username"), "root");
    const typed = screen.getByLabelText("New password") as HTMLInputElement;
    await user.type(typed, "longer than before");
    const listed = () => api.seen.filter(({ line }) => line === "GET /admin/sessions").length;
    const before = listed();
    const form = save().closest("form");
    act(() => {
      for (const _ of [1, 2, 3]) form?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    });
    expect(await screen.findByText("Saved. Other devices were signed out.")).toBeDefined();
    expect(typed.value).toBe("");
    expect(screen.getByText(/Currently root/)).toBeDefined();
    expect(credential.state.get()).toMatchObject({ authType: "admin", token: "tok2", username: "root" });
    await waitFor(() => expect(listed()).toBeGreaterThan(before));
    expect(api.seen.filter(({ line }) => line === "POST /admin/change-password").map(({ body }) => body)).toEqual([
      { currentPassword: "secret", newUsername: "root", newPassword: "longer than before" },
    ]);
    await act(() => setLanguage("zh"));
    expect(screen.getByText("已保存，其他设备均已退出登录。")).toBeDefined();
  });

  test("asks to sign in again where the server answers no session", async () => {
    await using _api = server({ "POST /admin/change-password": () => answer({ data: null }) });
    const { user } = await openAt(PATH);
    await user.type(screen.getByLabelText("Current password"), "secret");
    await user.type(screen.getByLabelText("New password"), "longer than before");
    await user.click(save());
    expect(await screen.findByText("Saved. Please sign in with your new account details.")).toBeDefined();
  });

  test("says at its field that the current password is wrong", async () => {
    await using _api = server({ "POST /admin/change-password": () => refusal("account.wrongPassword") });
    const { user } = await openAt(PATH);
    await user.type(screen.getByLabelText("Current password"), "guess");
    await user.type(screen.getByLabelText("New username"), "root");
    await user.click(save());
    expect((await screen.findByRole("alert")).textContent).toBe("The current password is wrong.");
    expect(credential.state.get().authType).toBe("admin");
  });

  test("asks before what was typed is left", async () => {
    await using _api = server();
    const { user, where } = await openAt(PATH);
    await user.type(screen.getByLabelText("New username"), "root");
    await user.click(screen.getByRole("link", { name: "Global" }));
    expect(await screen.findByRole("dialog", { name: "Discard your changes?" })).toBeDefined();
    expect(where.path).toBe(PATH);
  });
});

describe("the sessions", () => {
  test("name their devices, and each but this one can be ended", async () => {
    await using api = server();
    const { user } = await openAt(PATH);
    const list = within(screen.getByRole("region", { name: "Signed-in devices" }));
    expect(await list.findByText("Chrome on Windows")).toBeDefined();
    expect(list.getByText("This device")).toBeDefined();
    expect(list.getByText("Unknown device")).toBeDefined();
    const row = within(list.getByText("curl").closest("li") as HTMLElement);
    await user.click(row.getByRole("button", { name: "Sign this device out" }));
    await waitFor(() => expect(list.queryByText("curl")).toBeNull());
    // The keyboard goes on with the next device, not at the top of the page.
    const next = list.getByText("Unknown device").closest("li") as HTMLElement;
    await waitFor(() => expect(next.contains(document.activeElement)).toBe(true));
    expect(list.getByText("The device is signed out.")).toBeDefined();
    expect(api.lines()).toContain("DELETE /admin/sessions/s2");
  });

  test("are all ended but this one after a question", async () => {
    await using _api = server();
    const { user } = await openAt(PATH);
    const list = within(screen.getByRole("region", { name: "Signed-in devices" }));
    await user.click(await list.findByRole("button", { name: "Sign out all others" }));
    const question = within(screen.getByRole("dialog", { name: "Sign out all other devices?" }));
    await user.click(question.getByRole("button", { name: "Sign out all others" }));
    expect(await list.findByText("2 sessions signed out.")).toBeDefined();
    await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(1));
    expect(list.queryByRole("button", { name: "Sign out all others" })).toBeNull();
  });
});

describe("the audit log", () => {
  const log = () => within(screen.getByRole("region", { name: "Audit log" }));

  test("speaks in words, of what it does not know by its name", async () => {
    await using _api = server();
    await openAt(PATH);
    expect(await log().findByText("Fields: largest file, of_another_version")).toBeDefined();
    expect(log().getByText("Changed settings", { selector: "span" })).toBeDefined();
    expect(log().getByText("Fields: username")).toBeDefined();
    expect(log().getByText("Not signed in")).toBeDefined();
    expect(log().getByText("of.another.version")).toBeDefined();
    expect(log().getByText("Key k1")).toBeDefined();
    await act(() => setLanguage("zh"));
    expect(screen.getByText("涉及：最大文件、of_another_version")).toBeDefined();
  });

  test("is read page by page, and of one action", async () => {
    await using api = server();
    const { user } = await openAt(PATH);
    await user.click(await log().findByRole("button", { name: "Next page" }));
    expect(await log().findByText("Page 2 of 3")).toBeDefined();
    await user.selectOptions(log().getByRole("combobox", { name: "Action" }), "Sign-in failed");
    await waitFor(() => expect(log().getAllByRole("listitem")).toHaveLength(1));
    expect(api.addresses().filter((address) => address.includes("/audit"))).toEqual([
      "/api/admin/audit?limit=20&offset=0",
      "/api/admin/audit?limit=20&offset=20",
      "/api/admin/audit?limit=20&offset=0&action=login.failed",
    ]);
  });
});
