import { beforeEach, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openAt } from "../../support/pages/open-at.tsx";

/** The page on which an administrator lets people in who have no account. */

const PATH = "/admin/visitors";
const CREATE = "POST /admin/api-keys";

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

const question = () => within(screen.getByRole("dialog", { name: "Let visitors share texts?" }));

test("visitors are let in after it was said what that opens to whom", async () => {
  let isRefused = true;
  await using api = fakeServer({
    "GET /admin/api-keys": () => answer({ data: [] }),
    [CREATE]: () => (isRefused ? refusal("server.busy", "Busy.") : answer({ data: { id: "k1", key: "x" } })),
  });
  const { user } = await openAt(PATH);
  const letIn = await screen.findByRole("button", { name: "Let visitors share texts" });
  await user.click(letIn);
  expect(question().getByText(/^Anyone who can reach this site .* without an account\. They cannot/)).toBeDefined();
  await user.click(question().getByRole("button", { name: "Cancel" }));
  expect(screen.queryAllByRole("dialog").length).toBe(0);
  expect(api.lines()).not.toContain(CREATE);
  await user.click(letIn);
  await user.click(question().getByRole("button", { name: "Let visitors share texts" }));
  expect(await question().findByText("Busy.")).toBeDefined();
  isRefused = false;
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
  const sent = api.seen.filter(({ line }) => line === CREATE).map(({ body }) => body);
  expect(sent.at(-1)).toMatchObject({ is_guest: true, permissions: 1, basic_path: "/" });
});

test("a suspended key of visitors is said to be, and resumed", async () => {
  const visitors = {
    ...{ id: "k1", name: "Visitors", permissions: 1, permission_names: ["text"], basic_path: "/", is_guest: 1 },
    ...{ is_expired: false, expires_at: "9999-12-31T23:59:59.000Z", last_used: null },
  };
  let suspended_at: string | null = "2026-01-02T03:04:05.000Z";
  await using api = fakeServer({
    "GET /admin/api-keys": () => answer({ data: [{ ...visitors, suspended_at }] }),
    "POST /admin/api-keys/k1/resume": () => {
      suspended_at = null;
      return answer({});
    },
  });
  const { user } = await openAt(PATH);
  expect(await screen.findByText("Suspended")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Resume" }));
  await waitFor(() => expect(screen.queryByText("Suspended")).toBeNull());
  expect(screen.getByText("“Visitors” works again.")).toBeDefined();
  expect(api.lines()).toContain("POST /admin/api-keys/k1/resume");
});
