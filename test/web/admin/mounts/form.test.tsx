import { beforeEach, describe, expect, test } from "bun:test";
import { screen, within } from "@testing-library/react";
import { credential } from "../../../../web/api/session/credential.ts";
import { emptyMount, mountValues, newMount } from "../../../../web/features/admin/mounts/form/form-values.ts";
import { mountProblems } from "../../../../web/features/admin/mounts/form/problems.ts";
import { changedFields } from "../../../../web/ui/form/fields.ts";
import { answer, refusal } from "../../../support/page-servers/fake-server.ts";
import { drive, keeping, PATH, sent, team } from "../../../support/page-servers/kept-mounts.ts";
import { card, dialogGone, field, press } from "../../../support/pages/form-dialog.ts";
import { openAt } from "../../../support/pages/open-at.tsx";

async function openForm(name?: string) {
  const place = await openAt(PATH);
  const button = name ? (await card(name)).getByRole("button", { name: "Edit" }) : undefined;
  await place.user.click(button ?? (await screen.findByRole("button", { name: "Add mount" })));
  await screen.findByRole("dialog");
  return place;
}

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("a storage that is mounted already", () => {
  const hint = () => within(screen.getByRole("dialog")).queryByText(/Both mounts show the same files/)?.textContent;

  test("is said to show the same files, with the path of the other mount", async () => {
    await using _api = keeping([drive]);
    const { user } = await openForm();
    expect(hint()).toBeUndefined();
    await user.click(field("Attic · Built-in disk"));
    expect(hint()).toBe("This storage is already mounted at /drive. Both mounts show the same files.");
    await user.click(field("Cloud · MinIO"));
    expect(hint()).toBeUndefined();
  });

  test("is not, of the mount that is changed itself", async () => {
    await using _api = keeping([drive, team]);
    const { user } = await openForm("Team");
    expect(hint()).toBeUndefined();
    await user.click(field("Attic · Built-in disk"));
    expect(hint()).toContain("/drive");
  });
});

describe("a new mount", () => {
  test("is described and added", async () => {
    await using api = keeping([drive]);
    const { user } = await openForm();
    await user.type(field("Name"), "Photos");
    await user.click(field("Cloud · MinIO"));
    await user.type(field("Mount path"), "team/照片");
    await user.click(field("Give files public addresses"));
    await user.click(field("Addresses must be signed"));
    await user.type(field("Signature lifetime (seconds)"), "0");
    await user.click(field("Redirect to storage"));
    await user.click(field("Show a README below the list of its folder"));
    await user.click(press("Save"));
    await dialogGone();
    expect(sent(api, "POST /admin/mounts")).toEqual([
      {
        name: "Photos",
        storage_type: "S3",
        storage_config_id: "cloud",
        mount_path: "/team/照片",
        remark: "",
        is_active: true,
        sort_order: 0,
        cache_ttl: 300,
        web_proxy: true,
        webdav_policy: "302_redirect",
        enable_sign: true,
        sign_expires: 0,
        readme: false,
        trash: true,
      },
    ]);
    expect(await (await card("Photos")).findByText("Added. It is now in the explorer.")).toBeDefined();
  });

  test("that lacks something is not sent, and the first gap has the focus", async () => {
    await using api = keeping([drive]);
    const { user } = await openForm();
    await user.click(press("Save"));
    expect(document.activeElement).toBe(field("Name"));
    for (const problem of ["Please give it a name.", "Please choose a storage."]) {
      expect(screen.getByText(problem)).toBeDefined();
    }
    expect(screen.getByText(/^Please enter a path after the slash/)).toBeDefined();
    expect(api.lines()).not.toContain("POST /admin/mounts");
  });

  test("whose path is taken meanwhile says so at the path", async () => {
    await using _api = keeping([drive], { "POST /admin/mounts": () => refusal("mount.pathTaken") });
    const { user } = await openForm();
    await user.type(field("Name"), "Photos");
    await user.click(field("Cloud · MinIO"));
    await user.type(field("Mount path"), "drive");
    await user.click(press("Save"));
    expect(await screen.findByText(/^There is already a mount at this path/)).toBeDefined();
    expect(document.activeElement).toBe(field("Mount path"));
  });

  test("has its only storage chosen already, and none says where to add one", async () => {
    await using _api = keeping([drive], { "GET /s3-configs": () => answer({ data: [] }) });
    await openForm();
    expect(screen.getByRole("link", { name: "Add a storage" }).getAttribute("href")).toBe("/admin/storage-config");
  });
});

describe("a mount that is there", () => {
  test("is changed in what differs and nothing else", async () => {
    await using api = keeping([drive, team]);
    const { user } = await openForm("Team");
    expect(field("Cloud · MinIO").checked).toBe(true);
    await user.clear(field("Listing cache (seconds)"));
    await user.type(field("Listing cache (seconds)"), "60");
    await user.clear(field("Signature lifetime (seconds)"));
    await user.click(press("Save"));
    await dialogGone();
    expect(sent(api, "PUT /admin/mounts/team")).toEqual([{ cache_ttl: 60, sign_expires: null }]);
  });

  test("asks before changes are thrown away", async () => {
    await using api = keeping([drive, team]);
    const { user } = await openForm("Team");
    await user.type(field("Name"), "s");
    await user.click(press("Cancel"));
    await user.click(screen.getByRole("button", { name: "Discard" }));
    await dialogGone();
    expect(api.lines()).not.toContain("PUT /admin/mounts/team");
  });
});

describe("the rules of a mount", () => {
  const right = { ...emptyMount("disk"), name: "x", path: "/x" };
  test.each([
    [{ path: "x" }, { path: "mount.problem.pathInvalid" }],
    [{ path: "/x/" }, { path: "mount.problem.pathInvalid" }],
    [{ path: "/a b" }, { path: "mount.problem.pathInvalid" }],
    [{ path: "/etc/x" }, { path: "mount.problem.pathReserved" }],
    [{ path: "/" }, { path: "mount.problem.pathMissing" }],
    [{ path: "/团队/é" }, {}],
    [{ name: "  " }, { name: "mount.problem.name" }],
    [{ cacheTtl: "86401" }, { cacheTtl: "mount.problem.cacheTtl" }],
    [{ cacheTtl: "-1" }, { cacheTtl: "mount.problem.cacheTtl" }],
    [{ cacheTtl: "1.5" }, { cacheTtl: "mount.problem.cacheTtl" }],
    [{ cacheTtl: "" }, { cacheTtl: "mount.problem.cacheTtl" }],
    [{ sortOrder: "-3" }, {}],
    [{ sortOrder: "x" }, { sortOrder: "mount.problem.sortOrder" }],
    [{ proxy: true, sign: true, signExpires: "1e3" }, { signExpires: "mount.problem.signExpires" }],
    [{ proxy: false, sign: true, signExpires: "x" }, {}],
  ])("%p", (part, problems) => {
    expect(mountProblems({ ...right, ...part })).toEqual(problems as object);
  });

  test("a text that is hidden and says nothing is none", () => {
    expect(newMount({ ...right, signExpires: "x" }).sign_expires).toBeNull();
    const same = newMount({ ...right, name: "Drive", path: "/drive" });
    expect(changedFields(newMount(mountValues(drive)), same)).toEqual({});
  });
});
