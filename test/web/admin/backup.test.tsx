import { beforeEach, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { BackupStatus } from "#contract/backups";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { stats } from "../../support/page-servers/kept-dashboard.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const PATH = "/admin/settings/backup";

const quiet: BackupStatus = stats.backup;
const whole = {
  started_at: "2031-05-04T03:00:00.000Z",
  ended_at: "2031-05-04T03:01:00.000Z",
  by: "timetable",
  error: null,
  place: "/backups/a.tar.zst",
  size: 5 * 1024 ** 2,
  rows: 321,
  files: 12,
} as const;
const failed = { ...whole, error: "The disk is full.", place: null, size: 0, rows: 0, files: 0 };

const initial = {
  backup_enabled: "false",
  backup_target: "/backups",
  backup_interval: "24",
  backup_hour: "3",
  backup_keep: "14",
  backup_objects: "true",
  backup_s3: "false",
};

type Routes = Parameters<typeof fakeServer>[0];

function server(status: () => BackupStatus, values: Record<string, string> = initial, routes: Routes = {}) {
  const kept: Record<string, string> = { ...values };
  const api = fakeServer({
    "GET /admin/settings": () => answer({ data: Object.entries(kept).map(([key, value]) => ({ key, value })) }),
    "PUT /admin/settings/group/4": ({ body }) => {
      Object.assign(kept, body);
      return answer({ data: { errors: [], success: true } });
    },
    "GET /admin/backups": () => answer({ data: status() }),
    ...routes,
  });
  return Object.assign(api, {
    sent: () => api.seen.filter(({ line }) => line.startsWith("PUT")).map((one) => one.body),
  });
}

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

test("what became of backups is shown, in both languages", async () => {
  await using _api = server(() => ({ ...quiet, last: whole, last_whole: whole }));
  await openAt(PATH);
  expect(await screen.findByText("5 MB, rows: 321, files: 12")).toBeDefined();
  expect(screen.getByText("/backups/a.tar.zst")).toBeDefined();
  expect(screen.getByText("The schedule is off")).toBeDefined();
  await act(() => setLanguage("zh"));
  expect(screen.getByText("5 MB，321 行数据，12 个文件")).toBeDefined();
  expect(document.title).toBe("备份 · Satchel");
});

test("a failure is shown with its reason, and a timetable that is late as well", async () => {
  let status: BackupStatus = { ...quiet, enabled: true, last: failed, problem: "failed" };
  await using _api = server(() => status);
  await openAt(PATH);
  expect(await screen.findByText("The disk is full.")).toBeDefined();
  expect(screen.getByText("No backup yet")).toBeDefined();
  cleanup();
  status = { ...quiet, enabled: true, last: whole, last_whole: whole, problem: "late" };
  await openAt(PATH);
  expect(await screen.findByText("No backup has succeeded for more than two scheduled intervals.")).toBeDefined();
});

test("one is begun at a press, and its end shows by itself", async () => {
  let running = false;
  let looks = 0;
  const status = (): BackupStatus => {
    if (running && ++looks > 1) return { ...quiet, last: whole, last_whole: whole };
    return { ...quiet, running_since: running ? whole.started_at : null };
  };
  await using _api = server(status, initial, {
    "POST /admin/backups": () => {
      running = true;
      return answer({ data: { ...quiet, running_since: whole.started_at } });
    },
  });
  const { user } = await openAt(PATH);
  await user.click(await screen.findByRole("button", { name: "Back up now" }));
  expect((await screen.findByRole("button", { name: "Backing up…" })).getAttribute("aria-busy")).toBe("true");
  expect(await screen.findByText("5 MB, rows: 321, files: 12", {}, { timeout: 20_000 })).toBeDefined();
});

test("without a place none is begun; a refusal is said where it happened", async () => {
  await using _none = server(() => quiet, { ...initial, backup_target: "" });
  await openAt(PATH);
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Back up now" });
  expect(button.disabled).toBe(true);
  expect(screen.getByText("Choose where backups go and save it first.")).toBeDefined();
  cleanup();
  await using _busy = server(() => quiet, initial, {
    "POST /admin/backups": () => refusal("backup.running", "A backup is running already."),
  });
  const { user } = await openAt(PATH);
  await user.click(await screen.findByRole("button", { name: "Back up now" }));
  expect(await screen.findByText("A backup is running already.")).toBeDefined();
});

test("a timetable that cannot begin says why where it was switched on", async () => {
  const error = "The server has no such folder.";
  await using _api = server(() => quiet, initial, {
    "PUT /admin/settings/group/4": () =>
      answer({ data: { errors: [{ key: "backup_enabled", error }], success: false } }),
  });
  const { user } = await openAt(PATH);
  const box = await screen.findByRole("checkbox", { name: "Back up automatically" });
  await user.click(box);
  await user.click(await screen.findByRole("button", { name: "Save" }));
  const said = await screen.findByText(error);
  expect(said.getAttribute("role")).toBe("alert");
  expect(box.closest("section")?.contains(said)).toBe(true);
});

test("what differs is sent, and what is wrong is said before", async () => {
  await using api = server(() => quiet, { ...initial, backup_interval: "48" });
  const { user } = await openAt(PATH);
  const keep = await screen.findByLabelText<HTMLInputElement>("Backups to keep");
  expect(screen.getByLabelText<HTMLSelectElement>("How often").selectedOptions[0]?.textContent).toBe("Every 48 hours");
  await user.clear(keep);
  await user.type(keep, "none");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Enter a whole number from 1 to 1,000.")).toBeDefined();
  expect(api.sent()).toEqual([]);
  await user.clear(keep);
  await user.type(keep, "7");
  await user.click(screen.getByLabelText("Back up automatically"));
  await user.selectOptions(screen.getByLabelText("How often"), "Every week");
  await user.selectOptions(screen.getByLabelText("Starting at"), "05:00 UTC");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(api.sent()).toEqual([
      { backup_enabled: "true", backup_interval: "168", backup_hour: "5", backup_keep: "7" },
    ]),
  );
});
