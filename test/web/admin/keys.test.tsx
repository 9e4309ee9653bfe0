import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { type KeyRecord, NEVER, type NewKey } from "#contract/keys";
import { ALL_PERMISSIONS, bitsOf, permissionsOf } from "#contract/permissions";
import { credential } from "../../../web/api/session/credential.ts";
import { emptyKey, newKey } from "../../../web/features/admin/keys/form/form-values.ts";
import { keyProblems } from "../../../web/features/admin/keys/form/problems.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { dialogGone } from "../../support/pages/form-dialog.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const PATH = "/admin/key-management";
const made = "2026-01-02T03:04:05.000Z";

const key = (number: number, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id: `id-${number}`,
  name: `Key ${number}`,
  key: `secret-number-${number}-abcdef`,
  key_masked: "secret...",
  permissions: 3,
  permission_names: permissionsOf(more.permissions ?? 3),
  role: "GENERAL",
  basic_path: "/",
  is_guest: 0,
  s3_access_key_id: `ACCESS${number}`,
  expires_at: NEVER,
  is_expired: false,
  suspended_at: null,
  last_used: null,
  created_at: new Date(Date.parse(made) + number * 1000).toISOString(),
  updated_at: made,
  ...more,
});

/** What a server answers that suspends one of its keys and resumes it. */
const suspending = (keys: KeyRecord[], index: number) =>
  (
    [
      ["suspend", made],
      ["resume", null],
    ] as const
  ).map(([verb, suspended_at]) => [
    `POST /admin/api-keys/${keys[index]?.id}/${verb}`,
    () => {
      const [one] = keys.splice(index, 1);
      if (one) keys.splice(index, 0, { ...one, suspended_at });
      return answer({});
    },
  ]);

/** A server that keeps keys: enough of it for the page. */
function keeping(keys: KeyRecord[], stuck: readonly string[] = []) {
  const removals = keys.map(({ id }) => [
    `DELETE /admin/api-keys/${id}`,
    () => {
      if (stuck.includes(id)) return refusal("server.busy", "The server is busy.");
      keys.splice(0, keys.length, ...keys.filter((one) => one.id !== id));
      return answer({ data: null });
    },
  ]);
  return fakeServer({
    "GET /admin/api-keys": () => answer({ data: keys }),
    "GET /admin/api-keys/id-9/connect": () =>
      answer({
        data: {
          server: "https://share.example",
          dav_address: "https://share.example/dav",
          s3_access_key_id: "ACCESS9",
          s3_region: "us-east-1",
          may_sign: true,
          protocols: ["webdav"],
          texts: [
            { tool: "curl", does: "check", via: "API", text: "curl …", file: null },
            { tool: "rclone", does: "sync", via: "WebDAV", text: "rclone … pass=fresh-key-0123456789", file: null },
            { tool: "sharex", does: "shareFile", via: "", text: "{}\n", file: "share.example.sxcu" },
          ],
          form: { address: "https://share.example/", field: "file", header: { name: "X-API-KEY", value: "the-key" } },
        },
      }),
    "POST /admin/api-keys": ({ body }) => {
      const { name, permissions } = body as NewKey;
      if (name === "second guest") return refusal("key.guestTaken", "There can be only one (409).");
      if (name === "taken") return refusal("key.nameTaken", "Another key has this name (409).");
      const added = key(9, { name, permissions: permissions as number, key: "fresh-key-0123456789" });
      keys.unshift(added);
      return answer({ code: 201, data: added });
    },
    "PUT /admin/api-keys/id-1": () => answer({ data: null }),
    ...Object.fromEntries(keys.flatMap((_one, index) => suspending(keys, index))),
    ...Object.fromEntries(removals),
  });
}

const sent = (api: ReturnType<typeof keeping>, method: string) =>
  api.seen.filter(({ line }) => line.startsWith(method)).map(({ body }) => body);
const sheet = () => within(screen.getByRole("dialog"));

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("the list of keys", () => {
  test("shows what each is called and may do, masks it, and copies all of it", async () => {
    const guest = key(1, { permissions: ALL_PERMISSIONS, is_guest: 1, basic_path: "/team" });
    await using _api = keeping([guest, key(2, { expires_at: made, permissions: 0, last_used: made })]);
    const { user } = await openAt(PATH);
    const row = within(await screen.findByRole("row", { name: /Key 1/ }));
    for (const part of ["Visitors", "secret...", "Everything", "/team"]) expect(row.getByText(part)).toBeDefined();
    await user.click(row.getByRole("button", { name: "Copy key" }));
    expect(await navigator.clipboard.readText()).toBe("secret-number-1-abcdef");
    const other = within(screen.getByRole("row", { name: /Key 2/ }));
    for (const part of ["Expired", "None"]) expect(other.getByText(part)).toBeDefined();
    expect(screen.queryAllByText("secret-number-1-abcdef").length).toBe(0);
  });

  test("suspends a key, says so, and resumes it", async () => {
    await using api = keeping([key(1), key(2)]);
    const { user } = await openAt(PATH);
    const row = () => within(screen.getByRole("row", { name: /Key 1/ }));
    await screen.findByRole("row", { name: /Key 1/ });
    expect(screen.queryByText("Suspended")).toBeNull();
    await user.click(row().getByRole("button", { name: "Suspend" }));
    expect(await screen.findByText("“Key 1” is suspended: nobody gets in with it until you resume it.")).toBeDefined();
    expect(row().getByText("Suspended")).toBeDefined();
    await user.click(row().getByRole("button", { name: "Resume" }));
    expect(await screen.findByText("“Key 1” works again.")).toBeDefined();
    expect(screen.queryByText("Suspended")).toBeNull();
    expect(api.lines().filter((line) => line.startsWith("POST"))).toEqual([
      "POST /admin/api-keys/id-1/suspend",
      "POST /admin/api-keys/id-1/resume",
    ]);
  });

  test("is searched, sorted and paged by its address", async () => {
    await using _api = keeping(Array.from({ length: 23 }, (_, index) => key(index + 1)));
    const { user, where } = await openAt(`${PATH}?sort=name&order=asc&page=2`);
    expect(await screen.findByText("Key 21")).toBeDefined();
    expect(screen.queryAllByText("Key 1").length).toBe(0);
    await user.type(screen.getByRole("searchbox"), "key 7{Enter}");
    await waitFor(() => expect(where.path).toBe(`${PATH}?sort=name&order=asc&search=key+7`));
    expect(screen.getByText("2 in total")).toBeDefined();
  });

  test("deletes several after a question, and says which are left", async () => {
    await using api = keeping([key(1), key(2), key(3, { is_guest: 1 })], ["id-2"]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Delete" }));
    expect(screen.getByRole("dialog", { name: "Delete 3 keys?" }).textContent).toContain("visitors' key");
    await user.click(sheet().getByRole("button", { name: "Delete" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Not deleted: 1. The server is busy.");
    expect(api.lines().filter((line) => line.startsWith("DELETE")).length).toBe(3);
    expect(screen.getByRole("toolbar").getAttribute("aria-label")).toBe("1 selected");
  });

  test("says what it is for while it is empty", async () => {
    await using _api = keeping([]);
    await openAt(PATH);
    expect(await screen.findByRole("button", { name: "Create the first key" })).toBeDefined();
  });
});

describe("the form of a key", () => {
  test("makes a key by a template, says what the server refuses, and shows the key once more with ready lines", async () => {
    await using api = keeping([]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Create the first key" }));
    await user.type(sheet().getByLabelText("Name"), "taken");
    await user.click(sheet().getByRole("button", { name: "WebDAV full" }));
    await user.click(sheet().getByRole("radio", { name: "Never" }));
    await user.click(sheet().getByRole("button", { name: "Save" }));
    expect((await sheet().findByRole("alert")).textContent).toBe("Another key already has this name.");
    await user.clear(sheet().getByLabelText("Name"));
    await user.type(sheet().getByLabelText("Name"), "TV");
    await user.click(sheet().getByRole("button", { name: "Save" }));
    await screen.findByRole("dialog", { name: "Key created" });
    expect(sheet().getByText("fresh-key-0123456789")).toBeDefined();
    expect(sheet().getByText("“TV” is ready to use; the key is copied.")).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe("fresh-key-0123456789");
    expect(sent(api, "POST")[1]).toEqual({
      name: "TV",
      permissions: bitsOf(["webdav_read", "webdav_manage"]),
      role: "GENERAL",
      custom_key: null,
      basic_path: "/",
      is_guest: false,
      expires_at: null,
    });
    await user.click(await sheet().findByRole("radio", { name: "rclone" }));
    const region = sheet().getByRole("region", { name: "Copy and sync, WebDAV" });
    expect(region.textContent).toContain("pass=fresh-key-0123456789");
    await user.click(sheet().getByRole("button", { name: "Done" }));
    await dialogGone();
    expect(await screen.findByText("TV")).toBeDefined();
  });

  test("offers what a program is told, to copy or to save, with a word on the key in a file", async () => {
    await using _api = keeping([key(9, { name: "TV" })]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "How to use it" }));
    const programs = (await sheet().findAllByRole("radio")).map((radio) => radio.parentElement?.textContent);
    expect(programs).toEqual(["curl", "ShareX", "iOS Shortcut", "rclone", "WebDAV"]);
    expect(sheet().getByRole("region", { name: "Check the key, API" })).toBeDefined();

    await user.click(sheet().getByRole("radio", { name: "ShareX" }));
    expect(sheet().getByText("The file contains the key, so treat it like the key.")).toBeDefined();
    const saved: Blob[] = [];
    using _made = spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      saved.push(blob as Blob);
      return "blob:made";
    });
    // A page that follows it is another page here, which has no way to save.
    using _followed = spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    await user.click(sheet().getByRole("button", { name: "Save share.example.sxcu" }));
    expect(await saved[0]?.text()).toBe("{}\n");

    await user.click(sheet().getByRole("radio", { name: "iOS Shortcut" }));
    const steps = sheet().getAllByRole("listitem");
    expect(steps.length).toBe(5);
    expect(steps[1]?.textContent).toContain("https://share.example/");
    expect(sheet().getByText(/The QR code holds the address only/)).toBeDefined();

    await user.click(sheet().getByRole("radio", { name: "WebDAV" }));
    expect(sheet().getByText("https://share.example/dav")).toBeDefined();
  });

  test("explains what visitors will be able to do, in the rights that are ticked", async () => {
    await using _api = keeping([]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Create the first key" }));
    await user.click(sheet().getByRole("checkbox", { name: "Visitors' key" }));
    const may = () =>
      sheet()
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent);
    expect(may()).toEqual(["write texts and share them by link", "upload files and share them by link"]);
    await user.click(sheet().getByRole("checkbox", { name: "Share texts" }));
    expect(may()).toEqual(["upload files and share them by link"]);
    await user.click(sheet().getByRole("checkbox", { name: "Share files" }));
    expect(sheet().getByText(/let visitors do nothing more/)).toBeDefined();
    await user.click(sheet().getByRole("checkbox", { name: "Share texts" }));
    await user.type(sheet().getByLabelText("Name"), "second guest");
    await user.click(sheet().getByRole("button", { name: "Save" }));
    expect((await sheet().findByRole("alert")).textContent).toStartWith("There is already a visitors' key");
    expect(document.activeElement).toBe(sheet().getByRole("checkbox", { name: "Visitors' key" }));
  });

  test("saves only what changed, and nothing when nothing did", async () => {
    await using api = keeping([key(1, { expires_at: "2031-05-06T07:08:09.123Z" })]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    await user.click(sheet().getByRole("button", { name: "Save" }));
    await dialogGone();
    await user.click(screen.getByRole("button", { name: "Edit" }));
    await user.click(sheet().getByRole("checkbox", { name: "Share texts" }));
    await user.click(sheet().getByRole("button", { name: "Save" }));
    await dialogGone();
    expect(sent(api, "PUT")).toEqual([{ permissions: bitsOf(["file_share"]) }]);
    expect(await screen.findByText("“Key 1” was saved.")).toBeDefined();
  });

  test("nothing is wrong with what is not shown, nor with the old expiry of a key", () => {
    expect(keyProblems({ ...emptyKey, name: "ok", own: false, key: "x", basePath: "nowhere" })).toEqual({});
    const past = "2020-01-01T00:00";
    expect(keyProblems({ ...emptyKey, name: "ok", expires: "custom", expiry: past }, past)).toEqual({});
    expect(newKey({ ...emptyKey, name: " ok ", own: true, key: "abcdefgh" })).toMatchObject({
      name: "ok",
      custom_key: "abcdefgh",
    });
  });
});
