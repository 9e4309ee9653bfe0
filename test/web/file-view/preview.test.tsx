import { describe, expect, test } from "bun:test";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { OpenedFile } from "#contract/files";
import { answer, fakeServer } from "../../support/page-servers/fake-server.ts";
import { openedFile } from "../../support/page-servers/file-answers.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const LOOK = "GET /public/files/abc234";
const BYTES = "GET /file-view/abc234";
const file = (more: Partial<OpenedFile>) => ({ [LOOK]: () => answer({ data: openedFile(more) }) });

const note: Partial<OpenedFile> = { filename: "note.txt", mimetype: "text/plain", typeName: "text", size: 20 };
const readme: Partial<OpenedFile> = { ...note, filename: "README.md", mimetype: "text/markdown" };

describe("a picture", () => {
  test("is enlarged by a press, made larger, turned and mirrored there; Esc leads back", async () => {
    await using _server = fakeServer(file({}));
    const { user } = await openAt("/file/abc234");
    const picture = await screen.findByAltText("holiday.png");
    const enlarge = screen.getByRole("button", { name: "Enlarge holiday.png" }) as HTMLButtonElement;
    expect(enlarge.disabled).toBe(true);
    fireEvent.load(picture);
    await user.click(enlarge);
    const large = within(await screen.findByRole("dialog", { name: "holiday.png" }));
    await user.click(large.getByRole("button", { name: "Zoom in" }));
    await user.click(large.getByRole("button", { name: "Rotate" }));
    await user.click(large.getByRole("button", { name: "Flip" }));
    const { transform } = large.getByAltText("holiday.png").style;
    expect(transform).toBe("translate(0px, 0px) scale(1.4) rotate(90deg) scaleX(-1)");
    await user.click(large.getByRole("button", { name: /^Show all of it/ }));
    expect(large.getByAltText("holiday.png").style.transform).toContain("scale(1) ");
    fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(document.activeElement === enlarge).toBe(true));
  });

  test.each([
    [{ max_views: 5 }, "?w=1280&grant=visitor"],
    [{ has_password: true }, "?w=1280&grant=visitor"],
    [{}, "?w=1280"],
  ])("of a share with %j is asked for by %s", async (more, query) => {
    const proxy_preview_url = "/api/file-view/abc234?grant=visitor&proxy=1";
    await using server = fakeServer(file({ proxy_preview_url, ...more }));
    await openAt("/file/abc234");
    const picture = await screen.findByAltText("holiday.png");
    expect(picture.getAttribute("src")).toBe(`${server.base}/api/file-thumb/abc234${query}`);
  });

  test("that the browser cannot show leaves a sentence and Download", async () => {
    await using _server = fakeServer(file({ filename: "scan.tiff", mimetype: "image/tiff" }));
    await openAt("/file/abc234");
    fireEvent.error(await screen.findByAltText("scan.tiff"));
    expect(screen.getByRole("alert").textContent).toBe("The browser cannot show this picture. Download it to open it.");
    expect(screen.getByRole("link", { name: "Download" })).toBeDefined();
  });
});

describe("film and sound", () => {
  test.each([
    ["video", "clip.mkv", "video/x-matroska"],
    ["audio", "song.wma", "audio/x-ms-wma"],
  ] as const)("%s plays in the browser's own player, or says that it cannot", async (typeName, filename, mimetype) => {
    await using server = fakeServer(file({ typeName, filename, mimetype }));
    const { container } = await openAt("/file/abc234");
    await screen.findByRole("heading", { level: 1, name: filename });
    const player = (await screen.findByLabelText(filename)) as HTMLMediaElement;
    expect(player.tagName.toLowerCase()).toBe(typeName);
    expect(player.getAttribute("preload")).toBe("metadata");
    expect(player.hasAttribute("controls")).toBe(true);
    expect(player.getAttribute("src")).toBe(`${server.base}/api/file-view/abc234?grant=visitor`);
    if (typeName === "video") expect(player.hasAttribute("playsinline")).toBe(true);
    fireEvent.error(player);
    expect(screen.getByRole("alert").textContent).toBe("The browser cannot play this format. Download it to open it.");
    expect(container.querySelector("iframe, embed, object")).toBeNull();
  });
});

const cloud = {
  previewUrl: "http://storage.example/holiday.png?signed=1",
  downloadUrl: "http://storage.example/holiday.png?signed=2",
  proxy_preview_url: "/api/file-view/abc234?grant=visitor&proxy=1",
  proxy_download_url: "/api/file-download/abc234?grant=visitor&proxy=1",
};
const download = () => screen.getByRole("link", { name: "Download" }).getAttribute("href");

describe("a file in a storage elsewhere", () => {
  test.each([
    ["image", "holiday.png"],
    ["video", "clip.mp4"],
    ["audio", "song.mp3"],
  ] as const)("comes from there (%s), and once through the server when that fails", async (typeName, filename) => {
    await using server = fakeServer(file({ ...cloud, typeName, filename, mimetype: `${typeName}/x` }));
    await openAt("/file/abc234");
    await screen.findByRole("heading", { level: 1, name: filename });
    const shown = () => (typeName === "image" ? screen.getByAltText(filename) : screen.getByLabelText(filename));
    // Its viewer may arrive behind the name.
    await waitFor(shown);
    if (typeName === "image") {
      // A smaller picture comes first, from this server; where there is none, the picture itself.
      expect(shown().getAttribute("src")).toBe(`${server.base}/api/file-thumb/abc234?w=1280`);
      fireEvent.error(shown());
    }
    expect([shown().getAttribute("src"), download()]).toEqual([cloud.previewUrl, cloud.downloadUrl]);
    fireEvent.error(shown());
    // The other way begins anew, with the smaller picture.
    if (typeName === "image") fireEvent.error(shown());
    expect(shown().getAttribute("src")).toBe(server.base + cloud.proxy_preview_url);
    expect(download()).toBe(server.base + cloud.proxy_download_url);
    expect(screen.queryByRole("alert")).toBeNull();
    // What the browser cannot show either way is no fault of the storage's.
    fireEvent.error(shown());
    expect(screen.getByRole("alert")).toBeDefined();
    expect(download()).toBe(cloud.downloadUrl);
  });

  test("is read through the server when it is a text: the storage may let no page read it", async () => {
    await using server = fakeServer({ ...file({ ...note, ...cloud }), [BYTES]: () => new Response("hello") });
    await openAt("/file/abc234");
    expect((await screen.findByTestId("large-text")).textContent).toBe("hello");
    expect(server.addresses().at(-1)).toBe(cloud.proxy_preview_url);
    expect(download()).toBe(cloud.downloadUrl);
  });

  test("is handed on by a link to this server", async () => {
    await using _server = fakeServer(file(cloud));
    const { user } = await openAt("/file/abc234");
    await user.click(await screen.findByRole("button", { name: "Copy direct link" }));
    expect(await navigator.clipboard.readText()).toEndWith("/api/file-download/abc234");
  });
});

describe("a text", () => {
  test("stands as it was written", async () => {
    await using server = fakeServer({ ...file(note), [BYTES]: () => new Response("<b>not bold</b>\n  中文") });
    await openAt("/file/abc234");
    expect((await screen.findByTestId("large-text")).textContent).toBe("<b>not bold</b>\n  中文");
    expect(server.addresses().at(-1)).toBe("/api/file-view/abc234?grant=visitor");
  });

  test("in Markdown is rendered", async () => {
    await using _server = fakeServer({ ...file(readme), [BYTES]: () => new Response("first\n\n# Hello") });
    await openAt("/file/abc234");
    expect((await screen.findByRole("heading", { name: "Hello" })).tagName).toBe("H1");
  });

  test("in Markdown that is very long stands as it was written", async () => {
    const text = "# line\n".repeat(40_000);
    await using _server = fakeServer({ ...file({ ...readme, size: text.length }), [BYTES]: () => new Response(text) });
    await openAt("/file/abc234");
    const shown = await screen.findByTestId("large-text");
    await waitFor(() => expect(shown.textContent?.length).toBe(text.length));
  });

  test("that is empty says so", async () => {
    await using _server = fakeServer({ ...file({ ...note, size: 0 }), [BYTES]: () => new Response("") });
    await openAt("/file/abc234");
    expect(await screen.findByText("There is no text in this file.")).toBeDefined();
  });

  test("that does not arrive can be fetched again", async () => {
    let calls = 0;
    await using _server = fakeServer({
      ...file(note),
      [BYTES]: () => {
        calls += 1;
        return calls === 1 ? new Response("no", { status: 503 }) : new Response("there it is");
      },
    });
    const { user } = await openAt("/file/abc234");
    expect((await screen.findByRole("alert")).textContent).toContain("The file's text did not arrive.");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect((await screen.findByTestId("large-text")).textContent).toBe("there it is");
  });

  test("that is large is fetched at its beginning alone, which says so", async () => {
    await using server = fakeServer({
      ...file({ ...note, size: 11_000_000 }),
      [BYTES]: () => new Response("the beginning\n", { status: 206 }),
    });
    await openAt("/file/abc234");
    expect((await screen.findByTestId("large-text")).textContent).toContain("the beginning");
    expect(server.lines()).toEqual([LOOK, BYTES]);
  });
});

test("any other file is a calm card with what it is and Download, and no more of it is fetched than tells its kind", async () => {
  const head = new Response(new Uint8Array(8), { status: 206 });
  await using server = fakeServer({
    ...file({
      filename: "报告.psd",
      mimetype: "application/octet-stream",
      typeName: "unknown",
      max_views: 3,
      views: 1,
    }),
    [BYTES]: () => head,
  });
  const { container } = await openAt("/file/abc234");
  expect(await screen.findByRole("heading", { level: 1, name: "报告.psd" })).toBeDefined();
  expect(screen.getByText("PSD file")).toBeDefined();
  expect(screen.getByText("1 of 3 views used")).toBeDefined();
  expect(screen.getAllByRole("link", { name: "Download" })).toHaveLength(1);
  expect(container.querySelector("iframe, embed, object")).toBeNull();
  await waitFor(() => expect(server.lines()).toEqual([LOOK, BYTES]));
});

test("a file without a known name is shown as its first bytes say", async () => {
  await using _server = fakeServer({
    ...file({ filename: "mystery", mimetype: "application/octet-stream", typeName: "unknown", size: 12 }),
    [BYTES]: () => new Response("#!/bin/sh\nls", { status: 206 }),
  });
  await openAt("/file/abc234");
  await waitFor(() => expect(screen.queryByRole("toolbar", { name: "Viewer tools" })).not.toBeNull());
});
