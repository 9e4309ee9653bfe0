import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { credential } from "../../../web/api/credential.ts";
import { writing } from "../../../web/features/paste/home/writing.ts";
import { uploads } from "../../../web/transfer/share-uploads.ts";
import { fakeServer, refusal } from "../fake-server.ts";
import { openAt } from "../place.tsx";

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
