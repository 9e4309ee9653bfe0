import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { MountRecord } from "#contract/mounts";
import type { StorageConfig } from "#contract/storage";
import { credential } from "../../../../web/api/session/credential.ts";
import { answer, fakeServer, refusal } from "../../../support/page-servers/fake-server.ts";
import { drive } from "../../../support/page-servers/kept-mounts.ts";
import { builtIn, cloud, keeping, PATH, sent } from "../../../support/page-servers/kept-storages.ts";
import { card, dialogGone } from "../../../support/pages/form-dialog.ts";
import { openAt } from "../../../support/pages/open-at.tsx";

const names = () => screen.getAllByRole("region").map((region) => within(region).getByRole("heading").textContent);

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("the list of storages", () => {
  test("shows of each where it is, how full it is and who may use it", async () => {
    await using _api = keeping([builtIn, cloud]);
    await openAt(PATH);
    const shown = await card("Cloud");
    for (const part of ["MinIO", "files", "eu-1", "http://minio.lan:9000", "AKIA...", "On", "Top level"]) {
      expect(shown.getByText(part)).toBeDefined();
    }
    for (const part of ["1 GB of 5 GB used", "4 GB free", "May not use it"])
      expect(shown.getByText(part)).toBeDefined();
    expect(shown.queryByText("Default")).toBeNull();
    expect(document.title).toBe("Storages · Satchel");
    expect(screen.getByRole("link", { name: "Storages" }).getAttribute("aria-current")).toBe("page");
  });

  test("shows of the built-in one only what it has", async () => {
    await using _api = keeping([builtIn]);
    await openAt(PATH);
    const shown = await card("Attic");
    for (const part of ["Built-in disk", "objects/drive", "shares/", "3 GB used, no limit", "40 GB free"]) {
      expect(shown.getByText(part)).toBeDefined();
    }
    for (const part of ["Default", "Never", "May use it"]) expect(shown.getByText(part)).toBeDefined();
    for (const part of ["Endpoint", "Region", "Access key", "Path style"]) expect(shown.queryByText(part)).toBeNull();
    for (const name of ["Set CORS", "Make default"]) expect(shown.queryByRole("button", { name })).toBeNull();
  });

  test("says nothing of free space that nobody knows", async () => {
    await using _api = keeping([{ ...builtIn, free_bytes: null }]);
    await openAt(PATH);
    expect((await card("Attic")).queryByText(/free/)).toBeNull();
  });

  test("speaks Chinese", async () => {
    await using _api = keeping([builtIn, cloud]);
    const { user } = await openAt(PATH);
    await card("Cloud");
    await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "中文");
    expect(await screen.findByText("已用 1 GB / 5 GB")).toBeDefined();
    for (const part of ["已用 3 GB，容量不限", "剩余 4 GB", "内置磁盘", "默认"]) {
      expect(screen.getByText(part)).toBeDefined();
    }
  });

  test("says what it is for while it is empty, and offers the form", async () => {
    await using _api = keeping([]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Add the first storage" }));
    expect(screen.getByRole("dialog", { name: "Add storage" })).toBeDefined();
    expect(screen.queryAllByRole("button", { name: "Add storage" }).length).toBe(0);
  });

  test("says what went wrong and tries again", async () => {
    let broken = true;
    await using _api = fakeServer({
      "GET /s3-configs": () => (broken ? refusal("internal", "Server error.") : answer({ data: [cloud] })),
    });
    const { user } = await openAt(PATH);
    expect((await screen.findByRole("alert")).textContent).toContain("Server error.");
    broken = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await card("Cloud")).toBeDefined();
  });
});

test("a card tells what came of the last test", async () => {
  const at = new Date(Date.now() - 120_000).toISOString();
  await using _api = keeping([{ ...builtIn, last_test: { at, passed: false } }, cloud]);
  await openAt(PATH);
  expect((await card("Attic")).getByText("Failed")).toBeDefined();
  expect((await card("Cloud")).getByText("Never tested")).toBeDefined();
});

describe("the way to a mount", () => {
  const mountedAt = (path: string) => ({ id: "m", name: "Team", path });
  const uses = (mounts: readonly MountRecord[]) => () =>
    answer({
      data: [
        { id: "disk", files: 3, mounts: [mountedAt("/drive")] },
        ...["cloud", "new"].map((id) => ({
          ...{ id, files: 0 },
          mounts: mounts.flatMap((one) => (one.storage_config_id === id ? [mountedAt(one.mount_path)] : [])),
        })),
      ],
    });
  /** A server that keeps mounts too. */
  function keepingMounts(storages: StorageConfig[]) {
    const mounts = [{ ...drive, mount_path: "/cloud" }];
    return keeping(storages, {
      "GET /admin/mounts": () => answer({ data: mounts }),
      "POST /admin/mounts": ({ body }) => {
        const made = { ...drive, ...(body as object), id: "made", is_active: 1 } as MountRecord;
        mounts.push(made);
        return answer({ data: made });
      },
      "GET /s3-configs/uses": () => uses(mounts)(),
      "GET /fs/list": () => refusal("path.missing", "This file or folder does not exist."),
    });
  }

  test("stands at each storage that has none, with a form that is filled in, and ends in the explorer", async () => {
    await using api = keepingMounts([builtIn, cloud]);
    const { user, where } = await openAt(PATH);
    const shown = await card("Cloud");
    expect(await shown.findByText("Not mounted: its files are not in the explorer.")).toBeDefined();
    expect((await card("Attic")).queryByRole("button", { name: "Make a mount" })).toBeNull();
    await user.click(shown.getByRole("button", { name: "Make a mount" }));
    const form = within(await screen.findByRole("dialog", { name: "Add mount" }));
    expect(form.getByLabelText<HTMLInputElement>("Name").value).toBe("Cloud");
    // Another mount has /cloud.
    expect(form.getByLabelText<HTMLInputElement>("Mount path").value).toBe("/cloud-2");
    expect(form.getByRole<HTMLInputElement>("radio", { name: /^Cloud/ }).checked).toBe(true);
    await user.click(form.getByRole("button", { name: "Save" }));
    await dialogGone();
    expect(sent(api, "POST /admin/mounts")).toMatchObject([
      { name: "Cloud", storage_config_id: "cloud", mount_path: "/cloud-2" },
    ]);
    expect(await shown.findByText("Mounted at /cloud-2. It is now in the explorer.")).toBeDefined();
    await waitFor(() => expect(shown.queryByRole("button", { name: "Make a mount" })).toBeNull());
    await user.click(shown.getByRole("button", { name: "Open in the explorer" }));
    await waitFor(() => expect(where.path).toBe("/mount-explorer/cloud-2"));
  });

  test("is offered once a storage was added", async () => {
    await using _api = keepingMounts([]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Add the first storage" }));
    await user.click(screen.getByLabelText("Built-in disk"));
    await user.type(screen.getByLabelText("Name"), "Фото & 照片");
    await user.type(screen.getByLabelText("Folder name"), "more");
    await user.click(screen.getByRole("button", { name: "Save" }));
    const added = await card("Фото & 照片");
    expect(added.getByText(/^Added\. Make a mount of it/)).toBeDefined();
    expect(added.getAllByRole("button", { name: "Make a mount" }).length).toBe(1);
    await user.click(added.getByRole("button", { name: "Make a mount" }));
    const form = within(await screen.findByRole("dialog", { name: "Add mount" }));
    expect(form.getByLabelText<HTMLInputElement>("Mount path").value).toBe("/фото-照片");
  });
});

describe("choosing, allowing and forgetting", () => {
  test("another one becomes the default", async () => {
    await using _api = keeping([builtIn, cloud]);
    const { user } = await openAt(PATH);
    await user.click((await card("Cloud")).getByRole("button", { name: "Make default" }));
    expect(await screen.findByText("New uploads go here unless told otherwise.")).toBeDefined();
    expect((await card("Cloud")).getByText("Default")).toBeDefined();
    expect((await card("Attic")).queryByText("Default")).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("region", { name: "Cloud" }));
  });

  test("a refusal is said at the storage that it is about", async () => {
    await using _api = keeping([builtIn, cloud], {
      "PUT /s3-configs/cloud/set-default": () => refusal("storage.missing", "It does not exist."),
    });
    const { user } = await openAt(PATH);
    await user.click((await card("Cloud")).getByRole("button", { name: "Make default" }));
    expect((await (await card("Cloud")).findByRole("alert")).textContent).toBe("It does not exist.");
  });

  test("CORS is set for this address after a question", async () => {
    await using api = keeping([cloud], { "POST /s3-configs/cloud/cors": () => answer({ data: null }) });
    const { user } = await openAt(PATH);
    await user.click((await card("Cloud")).getByRole("button", { name: "Set CORS" }));
    const question = within(screen.getByRole("dialog", { name: "Set CORS of “Cloud”?" }));
    expect(question.getByText(/^Pages from http:\/\/localhost:8787 will be able/)).toBeDefined();
    await user.click(question.getByRole("button", { name: "Set CORS" }));
    expect(await (await card("Cloud")).findByText(/^Done\. Pages from/)).toBeDefined();
    expect(sent(api, "POST /s3-configs/cloud/cors")).toEqual([{ origins: ["http://localhost:8787"] }]);
  });

  test("one that nothing uses goes after a question", async () => {
    await using _api = keeping([builtIn, cloud]);
    const { user } = await openAt(PATH);
    await user.click((await card("Cloud")).getByRole("button", { name: "Delete" }));
    const question = within(screen.getByRole("dialog", { name: "Delete “Cloud”?" }));
    await user.click(question.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("“Cloud” was deleted.")).toBeDefined();
    expect(names()).toEqual(["Attic"]);
  });

  test("one that is known to be used says by what instead of asking", async () => {
    const mounts = [{ id: "m", name: "Team", path: "/team" }];
    await using api = keeping([builtIn, cloud], {
      "GET /s3-configs/uses": () =>
        answer({
          data: [
            { id: "disk", files: 3, mounts },
            { id: "cloud", files: 0, mounts: [] },
          ],
        }),
    });
    const { user } = await openAt(PATH);
    expect(await (await card("Attic")).findByText("/team · 3 shared files")).toBeDefined();
    expect((await card("Cloud")).getByText("Nothing yet")).toBeDefined();
    await user.click((await card("Attic")).getByRole("button", { name: "Delete" }));
    const told = within(screen.getByRole("dialog", { name: "“Attic” is in use" }));
    expect(told.getByRole("link", { name: "Manage mounts" }).getAttribute("href")).toBe("/admin/mount-management");
    expect(told.getByText("Team")).toBeDefined();
    expect(told.queryByRole("button", { name: "Delete" })).toBeNull();
    await user.click(told.getAllByRole("button", { name: "Close" })[1] as HTMLElement);
    await dialogGone();
    expect(api.lines().filter((line) => line.startsWith("DELETE"))).toEqual([]);
  });

  test("one that is used stays, and the question says what uses it", async () => {
    await using _api = keeping([builtIn, cloud]);
    const { user } = await openAt(PATH);
    await user.click((await card("Attic")).getByRole("button", { name: "Delete" }));
    const question = within(screen.getByRole("dialog"));
    await user.click(question.getByRole("button", { name: "Delete" }));
    expect((await question.findByRole("alert")).textContent).toBe("This storage is in use: 3 file shares, 1 mounts.");
    await user.click(question.getByRole("button", { name: "Cancel" }));
    await dialogGone();
    expect(names()).toEqual(["Attic", "Cloud"]);
  });
});
