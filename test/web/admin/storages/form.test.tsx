import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../../web/api/session/credential.ts";
import { refusal } from "../../../support/page-servers/fake-server.ts";
import { builtIn, cloud, keeping, PATH, sent } from "../../../support/page-servers/kept-storages.ts";
import { card, dialogGone, field, press } from "../../../support/pages/form-dialog.ts";
import { openAt } from "../../../support/pages/open-at.tsx";

async function openForm(name?: string) {
  const place = await openAt(PATH);
  const button = name ? (await card(name)).getByRole("button", { name: "Edit" }) : undefined;
  await place.user.click(button ?? (await screen.findByRole("button", { name: "Add storage" })));
  return place;
}

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("a new storage", () => {
  test("is described, added and offered to be tested", async () => {
    await using api = keeping([builtIn]);
    const { user } = await openForm();
    await user.click(field("AWS S3"));
    await user.type(field("Name"), "Archive");
    await user.type(field("Bucket"), "my-files");
    await user.type(field("Region"), "eu-west-3");
    expect(field("Endpoint").value).toBe("https://s3.eu-west-3.amazonaws.com");
    await user.type(field("Access key ID"), "AKIAEXAMPLE");
    await user.type(field("Secret access key"), "s3cret");
    await user.clear(field("Capacity"));
    await user.type(field("Capacity"), "2");
    await user.click(field("TB"));
    await user.click(field("API keys and visitors may use it"));
    await user.click(press("Save"));
    await dialogGone();
    expect(sent(api, "POST /s3-configs")).toEqual([
      {
        name: "Archive",
        provider_type: "AWS S3",
        bucket_name: "my-files",
        endpoint_url: "https://s3.eu-west-3.amazonaws.com",
        region: "eu-west-3",
        access_key_id: "AKIAEXAMPLE",
        secret_access_key: "s3cret",
        path_style: false,
        default_folder: "",
        is_public: true,
        is_default: false,
        total_storage_bytes: 2 * 1024 ** 4,
        custom_host: "",
        signature_expires_in: 3600,
      },
    ]);
    const added = await card("Archive");
    expect(added.getByText(/^Added\. Make a mount of it .* or test first/)).toBeDefined();
    await user.click(added.getByRole("button", { name: "Test now" }));
    expect(screen.getByRole("dialog", { name: "Test of “Archive”" })).toBeDefined();
    await waitFor(() => expect(api.lines()).toContain("POST /s3-configs/new/test"));
  });

  test("on the built-in disk needs no more than a name and a folder", async () => {
    await using api = keeping([]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Add the first storage" }));
    await user.click(field("Built-in disk"));
    for (const label of ["Endpoint", "Region", "Access key ID", "Secret access key", "Custom host"]) {
      expect(screen.queryAllByLabelText(label).length).toBe(0);
    }
    expect(field("No limit").checked).toBe(true);
    await user.type(field("Name"), "More");
    await user.type(field("Folder name"), "more");
    await user.click(press("Save"));
    await dialogGone();
    expect(sent(api, "POST /s3-configs")).toMatchObject([{ provider_type: "Built-in disk", bucket_name: "more" }]);
  });

  test("that lacks something is not sent, and the first gap has the focus", async () => {
    await using api = keeping([builtIn]);
    const { user } = await openForm();
    await user.type(field("Name"), "Archive");
    await user.click(press("Save"));
    expect(document.activeElement).toBe(field("Bucket"));
    expect(screen.getByText("Replace the part in angle brackets with your own.")).toBeDefined();
    expect(screen.getAllByText("Please fill this in.").length).toBe(3);
    await user.type(field("Bucket"), "b");
    expect(screen.getAllByText("Please fill this in.").length).toBe(2);
    expect(api.lines()).not.toContain("POST /s3-configs");
  });

  test("takes no path style where the provider takes none", async () => {
    await using _api = keeping([builtIn]);
    const { user } = await openForm();
    await user.click(field("MinIO"));
    expect((screen.getByLabelText(/^Path style/) as HTMLInputElement).checked).toBe(true);
    await user.click(field("Aliyun OSS"));
    expect(screen.queryAllByLabelText(/^Path style/).length).toBe(0);
  });

  test("keeps its secret from being read over the shoulder until that is wanted", async () => {
    await using _api = keeping([builtIn]);
    const { user } = await openForm();
    const secret = field("Secret access key");
    expect(secret.className).toContain("text-security:disc");
    await user.click(field("Show secret"));
    expect(secret.className).not.toContain("text-security");
  });
});

describe("changing a storage", () => {
  test("sends what differs, and keys only when there are new ones", async () => {
    await using api = keeping([builtIn, cloud]);
    const { user } = await openForm("Cloud");
    expect(field("Access key ID").value).toBe("");
    expect(screen.getByText("Currently AKIA.... Leave empty to keep it.")).toBeDefined();
    expect(screen.queryAllByLabelText("Make it the default storage").length).toBe(0);
    expect(screen.queryAllByRole("radio", { name: "Built-in disk" }).length).toBe(0);
    await user.clear(field("Name"));
    await user.type(field("Name"), "Sky");
    await user.click(field("No limit"));
    await user.click(press("Save"));
    await dialogGone();
    expect(sent(api, "PUT /s3-configs/cloud")).toEqual([{ name: "Sky", total_storage_bytes: 0 }]);
    expect((await card("Sky")).getByText("1 GB used, no limit")).toBeDefined();
    expect((await card("Sky")).getByText("Saved. Test it to see whether it works.")).toBeDefined();
  });

  test("closes without a call when nothing differs", async () => {
    await using api = keeping([builtIn, cloud]);
    const { user } = await openForm("Cloud");
    await user.click(press("Save"));
    await dialogGone();
    expect(api.lines()).not.toContain("PUT /s3-configs/cloud");
  });

  test("leaves the built-in disk what it is and where it is", async () => {
    await using _api = keeping([builtIn]);
    await openForm("Attic");
    expect(screen.getByText("Built-in disk: files are kept in this server's data folder.")).toBeDefined();
    expect(screen.queryAllByRole("radio", { name: "MinIO" }).length).toBe(0);
    expect(field("Folder name").readOnly).toBe(true);
  });

  test("keeps a provider that the form does not know", async () => {
    await using _api = keeping([{ ...cloud, provider_type: "Other S3 Compatible" }]);
    await openForm("Cloud");
    expect(field("Other S3 Compatible").checked).toBe(true);
  });

  test.each([
    ["storage.bucket", "Bucket", "A bucket name has letters"],
    ["storage.endpoint", "Endpoint", "Enter an http or https address"],
    ["storage.customHost", "Custom host", "Enter an http or https address"],
    ["path.invalid", "Default folder", "A folder's name cannot hold"],
  ] as const)("a refusal (%s) is said at its field", async (code, label, words) => {
    await using _api = keeping([cloud], { "PUT /s3-configs/cloud": () => refusal(code) });
    const { user } = await openForm("Cloud");
    await user.type(field("Name"), "y");
    await user.click(press("Save"));
    await waitFor(() => expect(field(label).getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByRole("alert").textContent).toStartWith(words);
    expect(document.activeElement).toBe(field(label));
  });

  test("of one that holds files says that it stays where it is", async () => {
    await using _api = keeping([cloud], { "PUT /s3-configs/cloud": () => refusal("storage.inUse", "It is in use.") });
    const { user } = await openForm("Cloud");
    await user.type(field("Bucket"), "2");
    await user.click(press("Save"));
    const said = "It is in use. Its endpoint and bucket cannot change meanwhile.";
    expect((await screen.findByRole("alert")).textContent).toBe(said);
  });

  test("any other refusal is said beside the button, below the fields that scroll", async () => {
    await using _api = keeping([cloud], { "PUT /s3-configs/cloud": () => refusal("storage.missing", "It is gone.") });
    const { user } = await openForm("Cloud");
    await user.type(field("Name"), "y");
    await user.click(press("Save"));
    const said = await screen.findByRole("alert");
    expect(said.textContent).toBe("It is gone.");
    expect(said.parentElement?.contains(press("Save"))).toBe(true);
  });

  test("asks before changes are thrown away", async () => {
    await using _api = keeping([cloud]);
    const { user } = await openForm("Cloud");
    await user.type(field("Name"), "y");
    await user.click(press("Cancel"));
    const question = within(screen.getByRole("dialog", { name: /^Discard/ }));
    await user.click(question.getByRole("button", { name: /^Discard/ }));
    await dialogGone();
    expect(await card("Cloud")).toBeDefined();
  });
});
