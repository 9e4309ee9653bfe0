import { beforeEach, describe, expect, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { ImportReport } from "#contract/imports";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const kind = (name: ImportReport["kinds"][number]["kind"], title: string, rows: number, left = 0) => ({
  ...{ kind: name, title, rows, added: rows - left, present: 0, left, notes: [] },
  reasons: left > 0 ? [{ code: "share.gone", text: "expired or used up", rows: left, examples: ["old-link"] }] : [],
});
const reportOf = (dry_run: boolean): ImportReport => ({
  source: "cloudpaste",
  ...{ dry_run, made_at: "2026-05-04T03:02:01.000Z", schema: "34", checksum: "right" },
  kinds: [kind("storages", "Storages", 1), kind("texts", "Texts", 3, 1), kind("files", "Files", 0)],
  tables: [{ table: "admins", rows: 1, text: "accounts and sessions are never taken over" }],
});
const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const planned = { "POST /admin/import/plan": () => answer({ data: reportOf(true) }) };
const backup = new File(['{"data":{}}'], "cloudpaste.json", { type: "application/json" });

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

type User = Awaited<ReturnType<typeof openAt>>["user"];
const choose = (user: User) => user.upload(screen.getByLabelText("Choose a backup", { selector: "input" }), backup);
const press = async (user: User, name: string) => user.click(await screen.findByRole("button", { name }));

/** The numbers in the row of a kind. */
const numbers = (title: string) =>
  within(within(screen.getByRole("table")).getByRole("row", { name: new RegExp(`^${title}`) }))
    .getAllByRole("cell")
    .map(({ textContent }) => textContent);

describe("the import of a backup", () => {
  test("says how to come from Pingvin Share, whose files no page can send", async () => {
    await using _ = fakeServer({});
    await openAt("/admin/import");
    await screen.findByText(/^Coming from Pingvin Share\? Run satchel import on the server/);
  });

  test("shows what it would do, asks nothing twice, and then what it did", async () => {
    const ending = Promise.withResolvers<void>();
    await using api = fakeServer({
      ...planned,
      "POST /admin/import": () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
              write(lines({ progress: { kind: "texts", rows: 2 } }));
              await ending.promise;
              // Lines do not come whole, and empty ones keep the connection.
              const report = lines({ report: reportOf(false) });
              write(`\n${report.slice(0, 40)}`);
              write(report.slice(40));
              controller.close();
            },
          }),
        ),
    });
    const { user } = await openAt("/admin/import");
    expect(screen.queryByRole("button", { name: "Import" })).toBeNull();
    await choose(user);
    expect(await screen.findByText("What would be imported")).toBeDefined();
    expect(numbers("Texts")).toEqual(["3", "2", "0", "1"]);
    expect(screen.getByText("1 left out: expired or used up")).toBeDefined();
    expect(screen.getByText("old-link")).toBeDefined();
    expect(screen.getByText("admins (1): accounts and sessions are never taken over")).toBeDefined();

    await press(user, "Import");
    expect(await screen.findByText("Importing Texts: 2 of 3")).toBeDefined();
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("75");
    ending.resolve();
    expect(await screen.findByText("What was imported")).toBeDefined();
    expect(screen.getByText(/^Imported\. The files stay/)).toBeDefined();
    expect(screen.queryByRole("button", { name: "Import" })).toBeNull();
    const sent = api.addresses().filter((line) => line.includes("/import"));
    expect(sent).toEqual(["/api/admin/import/plan?private_texts=protect", "/api/admin/import?private_texts=protect"]);
    expect(api.seen.find(({ line }) => line === "POST /admin/import")?.headers.get("authorization")).toBe("Bearer tok");
  });

  test("makes the report anew for another choice, and sends it", async () => {
    await using api = fakeServer({
      ...planned,
      "POST /admin/import": () => new Response(lines({ report: reportOf(false) })),
    });
    const { user } = await openAt("/admin/import");
    await choose(user);
    await screen.findByText("What would be imported");
    await user.click(screen.getByRole("radio", { name: "Leave out" }));
    await press(user, "Import");
    expect(await screen.findByText("What was imported")).toBeDefined();
    const sent = api.addresses().filter((line) => line.includes("/import"));
    expect(sent).toEqual([
      "/api/admin/import/plan?private_texts=protect",
      "/api/admin/import/plan?private_texts=skip",
      "/api/admin/import?private_texts=skip",
    ]);
  });

  test("says why a file is refused, and takes another one", async () => {
    let isWhole = false;
    await using _ = fakeServer({
      "POST /admin/import/plan": () =>
        isWhole ? answer({ data: reportOf(true) }) : refusal("import.malformed", "The file is not a whole backup."),
    });
    const { user } = await openAt("/admin/import");
    await choose(user);
    expect((await screen.findByRole("alert")).textContent).toContain("The file is not a whole backup.");
    expect(screen.queryByRole("table")).toBeNull();
    isWhole = true;
    await user.upload(screen.getByLabelText("Choose a backup", { selector: "input" }), backup);
    expect(await screen.findByRole("table")).toBeDefined();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test.each([
    [
      "the server ends it",
      () => new Response(lines({ failure: { error: "storage.full", message: "No room for texts." } })),
      "No room for texts.",
    ],
    ["the connection breaks", () => new Response(lines({ progress: { kind: "texts", rows: 1 } })), /cannot be reached/],
    ["another one runs", () => refusal("import.running", "Another import is running."), "Another import is running."],
  ] as const)("says what to do when %s, and is begun again", async (_, first, sentence) => {
    let times = 0;
    await using api = fakeServer({
      ...planned,
      "POST /admin/import": () => (times++ === 0 ? first() : new Response(lines({ report: reportOf(false) }))),
    });
    const { user } = await openAt("/admin/import");
    await choose(user);
    await press(user, "Import");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toMatch(sentence);
    expect(alert.textContent).toContain("another import completes it, without doubles");
    await press(user, "Try again");
    expect(await screen.findByText("What was imported")).toBeDefined();
    expect(api.lines().filter((line) => line === "POST /admin/import").length).toBe(2);
  });

  test("goes on while another page is shown, is stopped by a button, and ends with the session", async () => {
    const ended: AbortSignal[] = [];
    await using _ = fakeServer({
      ...planned,
      "GET /admin/settings": () => answer({ data: [] }),
      "POST /admin/import": () => {
        const gone = new AbortController();
        ended.push(gone.signal);
        return new Response(
          new ReadableStream({
            start: (controller) =>
              controller.enqueue(new TextEncoder().encode(lines({ progress: { kind: "texts", rows: 1 } }))),
            cancel: () => gone.abort(),
          }),
        );
      },
    });
    const { user, go } = await openAt("/admin/import");
    await choose(user);
    await press(user, "Import");
    await screen.findByText("Importing Texts: 1 of 3");
    await go("/admin/settings/webdav");
    await go("/admin/import");
    expect(await screen.findByText("Importing Texts: 1 of 3")).toBeDefined();
    await press(user, "Stop");
    expect(await screen.findByText(/^Stopped\. What was imported stays/)).toBeDefined();
    await waitFor(() => expect(ended[0]?.aborted).toBe(true));

    await press(user, "Import");
    await screen.findByText("Importing Texts: 1 of 3");
    act(() => credential.signOut("loggedOut"));
    await waitFor(() => expect(ended[1]?.aborted).toBe(true));
  });

  test("is there in Chinese", async () => {
    await using _ = fakeServer(planned);
    await act(() => setLanguage("zh"));
    const { user } = await openAt("/admin/import");
    await user.upload(screen.getByLabelText("选择备份文件", { selector: "input" }), backup);
    expect(await screen.findByText("将要导入的内容")).toBeDefined();
    expect(screen.getByRole("button", { name: "开始导入" })).toBeDefined();
    expect(document.title).toBe("导入 · Satchel");
  });
});
