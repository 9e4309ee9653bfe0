import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { writing } from "../../../web/features/paste/home/writing.ts";
import { uploads } from "../../../web/transfer/list/share-uploads.ts";
import { fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { byTouch } from "../../support/pages/by-touch.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const editor = () => screen.getByRole("textbox", { name: "Text to share" }) as HTMLTextAreaElement;

beforeEach(() => credential.signIn("token", "admin", Date.now()));
afterEach(() => {
  cleanup();
  writing.startOver();
  for (const { id } of uploads.items.get()) uploads.remove(id);
  credential.signOut("loggedOut");
});

describe("files on the home page", () => {
  const picture = () => new File(["x"], "image.png", { type: "image/png" });
  const text = (name: string, content: BlobPart = "text") => new File([content], name, { type: "text/plain" });

  test.each([
    ["several texts", () => [text("a.txt"), text("b.txt")]],
    ["a picture", () => [picture()]],
    ["a text that cannot be read as one", () => [text("gbk.txt", new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]))]],
  ])("what is no single text goes on to the upload page: %s", async (_, files) => {
    await using _server = fakeServer({ "GET /files": () => refusal("internal") });
    const { where } = await openAt("/");
    fireEvent.drop(screen.getByRole("banner"), { dataTransfer: { types: ["Files"], files: files() } });
    await waitFor(() => expect(where.path).toBe("/upload"));
    const names = () => screen.queryAllByRole("listitem").map((row) => row.querySelector("bdi")?.textContent);
    await waitFor(() => expect(names()).toEqual(files().map(({ name }) => name)));
    expect(writing.text.get()).toBe("");
  });

  test("a pasted picture goes on to the upload page, pasted text stays", async () => {
    await using _server = fakeServer({ "GET /files": () => refusal("internal") });
    const { user, where } = await openAt("/");
    await user.click(editor());
    await user.paste("words");
    expect(editor().value).toBe("words");
    expect(fireEvent.paste(editor(), { clipboardData: { types: ["Files"], files: [picture()] } })).toBe(false);
    await waitFor(() => expect(where.path).toBe("/upload"));
    expect(await screen.findByTitle(/^Pasted image .*\.png$/)).toBeDefined();
  });
});

describe("arriving on the home page", () => {
  test("the editor has the focus, so that letters go into it at once", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    expect(document.activeElement).toBe(editor());
    await user.keyboard("at once");
    expect(editor().value).toBe("at once");
  });

  test("on a touch screen no keyboard comes up by itself", async () => {
    using _ = byTouch();
    await using _server = fakeServer({});
    await openAt("/");
    expect(document.activeElement).toBe(document.body);
  });

  test("what is pasted anywhere goes into the text, at its caret", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    await user.keyboard("onetwo");
    editor().setSelectionRange(3, 3);
    const pasted = { types: ["text/plain"], files: [], getData: () => "\r\nfrom afar\r\n" };
    expect(fireEvent.paste(document.body, { clipboardData: pasted })).toBe(false);
    expect(editor().value).toBe("one\nfrom afar\ntwo");
    expect(document.activeElement).toBe(editor());
  });

  test("what is pasted into a field stays there", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    await user.click(screen.getByRole("button", { name: /^Note:/ }));
    await user.click(screen.getByRole("textbox", { name: "Note" }));
    await user.paste("mine");
    expect((screen.getByRole("textbox", { name: "Note" }) as HTMLInputElement).value).toBe("mine");
    expect(editor().value).toBe("");
  });
});
