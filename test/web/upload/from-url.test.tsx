import { beforeEach, describe, expect, test } from "bun:test";
import { act, screen, within } from "@testing-library/react";
import type { SourceFile } from "#contract/url-uploads";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import type { OpenUrl } from "../../../web/transfer/from-url/download.ts";
import { answer, refusal } from "../../support/page-servers/fake-server.ts";
import { fileOf } from "../../support/page-servers/uploads-at.ts";
import { openUpload, pageServer, storage } from "./open-upload.tsx";

beforeEach(() => credential.signIn("token", "admin", Date.now()));

const found: SourceFile = {
  url: "https://files.test/photo.png",
  filename: "photo.png",
  contentType: "image/png",
  size: 5,
  lastModified: null,
  method: "HEAD",
  corsSupported: true,
  type: 5,
  typeName: "image",
};

const gives: OpenUrl = async () => new Response(fileOf("x", 5));

/** Opens the tab over a web where every address leads to this file, or to this answer. */
async function openTab(
  server: ReturnType<typeof pageServer>,
  info: () => Response = () => answer({ data: found }),
  open = gives,
) {
  server.instead((line) => (line === "POST /url/info" ? info() : undefined));
  const page = await openUpload(server, { address: "/upload?tab=url", open: { direct: open, proxy: open } });
  const analyze = async (url: string) => {
    const field = await screen.findByRole("textbox", { name: "Address of the file" });
    await page.user.clear(field);
    await page.user.type(field, url);
    await page.user.click(screen.getByRole("button", { name: "Analyze" }));
  };
  return { ...page, analyze };
}

const uploadButton = () => screen.getByRole("button", { name: "Upload" }) as HTMLButtonElement;

describe("the tab for files on the web", () => {
  test("stands beside the other, and arrow keys lead from one to the other", async () => {
    await using server = pageServer();
    const { user } = await openUpload(server);
    const tab = (name: string) => screen.getByRole("tab", { name });
    expect(tab("From this device").getAttribute("aria-selected")).toBe("true");
    tab("From this device").focus();
    await user.keyboard("{ArrowRight}");
    expect(tab("From a URL").getAttribute("aria-selected")).toBe("true");
    expect(document.activeElement).toBe(tab("From a URL"));
    expect(screen.getByRole("textbox", { name: "Address of the file" })).toBeDefined();
    await user.keyboard("{ArrowRight}");
    expect(screen.getByText("Drop files or folders here")).toBeDefined();
  });

  test("asks nobody about an address before the button is pressed", async () => {
    await using server = pageServer();
    const { user } = await openTab(server);
    await user.type(await screen.findByRole("textbox", { name: "Address of the file" }), "https://files.test/x");
    expect(server.asked("POST /url/info")).toBe(0);
    expect(uploadButton().disabled).toBe(true);
  });

  test.each(["files.test/x", "ftp://files.test/x", "https://a:b@files.test/", "javascript:alert(1)", " "])(
    "says of %p that it is no address, and asks nobody",
    async (url) => {
      await using server = pageServer();
      const { analyze } = await openTab(server);
      await analyze(url);
      expect(screen.getByRole("alert").textContent).toStartWith("Enter a full address");
      expect(server.asked("POST /url/info")).toBe(0);
    },
  );

  test("says what the server says of an address, beside it", async () => {
    await using server = pageServer();
    const { analyze } = await openTab(server, () => refusal("url.forbidden", "Public addresses only."));
    await analyze("https://files.test/x");
    expect((await screen.findByRole("alert")).textContent).toBe("Public addresses only.");
  });

  test("shows what was found, and shares it under another name with its options", async () => {
    await using server = pageServer();
    const { analyze, user } = await openTab(server);
    await analyze("https://files.test/photo.png");
    expect(await screen.findByText("PNG image")).toBeDefined();
    expect(screen.getByText("files.test")).toBeDefined();
    const name = screen.getByRole("textbox", { name: "File name" });
    await user.clear(name);
    expect(screen.getByRole("alert").textContent).toStartWith("A file name has 1 to 255");
    await user.click(uploadButton());
    expect(server.lines()).not.toContain("POST /url/presign");
    await user.type(name, "holiday.png");
    await user.click(screen.getByRole("button", { name: /^Link suffix:/ }));
    await user.type(screen.getByRole("textbox", { name: /suffix/i }), "mine{Enter}");
    await user.click(uploadButton());
    const result = await screen.findByRole("region", { name: "Your link" });
    expect(within(result).getByText("Link created and copied")).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/file/mine");
    const begun = server.calls.find(({ line }) => line === "POST /url/presign");
    expect(begun?.body).toMatchObject({ url: found.url, filename: "holiday.png", slug: "mine", size: 5 });
    await user.click(screen.getByRole("button", { name: "Upload another" }));
    expect((screen.getByRole("textbox", { name: "Address of the file" }) as HTMLInputElement).value).toBe("");
  });

  test("another address forgets what was found", async () => {
    await using server = pageServer();
    const { analyze, user } = await openTab(server);
    await analyze("https://files.test/photo.png");
    await screen.findByText("PNG image");
    await user.type(screen.getByRole("textbox", { name: "Address of the file" }), "x");
    expect(screen.queryByText("PNG image")).toBeNull();
    expect(uploadButton().disabled).toBe(true);
  });

  test("offers parts for what is large, and does not send what is above the limit or the storage's room", async () => {
    await using server = pageServer({ limit: 100, storages: [storage("store", { free_bytes: 1024 })] });
    const size = 200 * 1024 * 1024;
    const { analyze } = await openTab(server, () => answer({ data: { ...found, size } }));
    await analyze("https://files.test/photo.png");
    expect(((await screen.findByRole("radio", { name: "In parts" })) as HTMLInputElement).checked).toBe(true);
    expect(screen.getByText("The file is 200 MB, which is over the limit of 100 MB per file.")).toBeDefined();
    expect(screen.getByText(/200 MB to upload, but/)).toBeDefined();
    expect(uploadButton().disabled).toBe(true);
  });

  test("a refused suffix opens its chip, and the next press goes on without fetching again", async () => {
    await using server = pageServer();
    let fetched = 0;
    const { analyze, user } = await openTab(server, undefined, (url, signal) => {
      fetched += 1;
      return gives(url, signal);
    });
    let taken = true;
    server.instead((line) => {
      if (line === "POST /url/info") return answer({ data: found });
      return line === "POST /url/presign" && taken ? refusal("slug.taken") : undefined;
    });
    await analyze("https://files.test/photo.png");
    await screen.findByText("PNG image");
    await user.click(uploadButton());
    expect((await screen.findAllByText(/suffix is taken/)).length).toBeGreaterThan(0);
    taken = false;
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("region", { name: "Your link" });
    expect(fetched).toBe(1);
  });

  test("shows how far it is, and what is cancelled is gone", async () => {
    await using server = pageServer();
    const gate = Promise.withResolvers<void>();
    const { analyze, user, until } = await openTab(server, undefined, async () => {
      await gate.promise;
      return new Response(fileOf("x", 5));
    });
    await analyze("https://files.test/photo.png");
    await screen.findByText("PNG image");
    await user.click(uploadButton());
    expect(await screen.findByRole("progressbar", { name: "Progress of photo.png" })).toBeDefined();
    expect(screen.getAllByText(/Downloading from its source/).length).toBeGreaterThan(0);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await until(() => screen.queryByRole("progressbar") === null);
    expect(screen.getAllByText("Cancelled; what had arrived is deleted.").length).toBeGreaterThan(0);
    await act(async () => gate.resolve());
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(screen.getByText("PNG image")).toBeDefined();
    expect(server.stored()).toEqual([]);
  });

  test("speaks Chinese", async () => {
    await using server = pageServer();
    await openTab(server);
    await act(() => setLanguage("zh"));
    expect(await screen.findByRole("textbox", { name: "文件的网址" })).toBeDefined();
    await act(() => setLanguage("en"));
  });

  test("is closed to who may not upload", async () => {
    credential.signOut("loggedOut");
    await using server = pageServer();
    await openUpload(server, { address: "/upload?tab=url" });
    expect(await screen.findByRole("link", { name: "Sign in to upload" })).toBeDefined();
    expect(screen.queryByRole("textbox")).toBeNull();
  });
});

test("a file that is dropped on this tab comes into the list of the other", async () => {
  await using server = pageServer();
  await openTab(server);
  await screen.findByRole("textbox", { name: "Address of the file" });
  const dropped = new Event("drop", { bubbles: true, cancelable: true });
  const files = [fileOf("dropped.bin", 5)];
  Object.assign(dropped, { dataTransfer: { types: ["Files"], files, items: [] } });
  await act(async () => void document.body.dispatchEvent(dropped));
  expect(dropped.defaultPrevented).toBe(true);
  expect(await screen.findByTitle("dropped.bin")).toBeDefined();
});
