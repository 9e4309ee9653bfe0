import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/credential.ts";
import { openAt } from "../place.tsx";
import { refusal, standIn } from "../stand-in.ts";
import { createdPaste } from "./shares.ts";

const editor = () => screen.getByRole("textbox", { name: "Text to share" }) as HTMLTextAreaElement;
const chip = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name}:`) });
const createButton = () => screen.getByRole("button", { name: "Create link" }) as HTMLButtonElement;
const created = (more = {}) => Response.json(createdPaste(more), { status: 201 });

beforeEach(() => credential.signIn("token", "admin", Date.now()));
afterEach(() => {
  cleanup();
  credential.signOut("loggedOut");
});

describe("the home page", () => {
  test("begins with a text area, a sentence of chips and nothing to create", async () => {
    await using _server = standIn({});
    await openAt("/");
    expect(editor().placeholder).toContain("Write or paste text here");
    const sentence = within(screen.getByRole("group", { name: "Share options" })).getAllByRole("button");
    expect(sentence.map((button) => button.textContent)).toEqual([
      "never expires",
      "no password",
      "unlimited views",
      "random link",
      "no note",
    ]);
    expect(createButton().disabled).toBe(true);
    expect(createButton().title).toBe("Write something first");
  });

  test("creates a share of text and options, copies its link and begins anew", async () => {
    await using server = standIn({ "POST /paste": () => created({ slug: "notes", hasPassword: true, grant: "g1" }) });
    const { user } = await openAt("/");
    await user.type(editor(), "# Hello");
    await user.click(chip("Link suffix"));
    await user.type(screen.getByRole("textbox", { name: "Your own suffix" }), "notes{Enter}");
    await user.click(chip("Password"));
    await user.type(screen.getByLabelText("Password", { selector: "input" }), "secret{Enter}");
    await user.click(chip("Expiry"));
    await user.click(screen.getByRole("button", { name: "1 day" }));
    await user.click(chip("Views"));
    await user.click(screen.getByRole("button", { name: "5" }));
    await user.click(chip("Note"));
    await user.type(screen.getByRole("textbox", { name: "Note" }), "For you{Enter}");
    expect(screen.getByRole("group", { name: "Share options" }).textContent).toBe(
      "expires in 1 daywith passwordat most 5 views/paste/notes“For you”",
    );
    const before = Date.now();
    await user.click(createButton());

    const result = await screen.findByRole("region", { name: "Your link" });
    expect(within(result).getByText("Link created and copied")).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/paste/notes");
    const { expiresAt, ...body } = (server.seen[0]?.body ?? {}) as Record<string, unknown>;
    expect(body).toEqual({ content: "# Hello", slug: "notes", password: "secret", maxViews: 5, remark: "For you" });
    expect(Math.abs(Date.parse(String(expiresAt)) - before - 86_400_000)).toBeLessThan(60_000);
    expect(editor().value).toBe("");
    expect(localStorage.getItem("satchel-draft")).toBeNull();

    await user.click(within(result).getByRole("button", { name: "Copy raw link" }));
    expect(await navigator.clipboard.readText()).toBe(`${server.base}/api/raw/notes?grant=g1`);
    await user.click(within(result).getByRole("button", { name: "Keep writing" }));
    expect(chip("Link suffix").textContent).toBe("random link");
  });

  test("Ctrl+Enter creates, from the text and only once", async () => {
    await using server = standIn({ "POST /paste": () => created() });
    const { user } = await openAt("/");
    await user.type(editor(), "quick");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await screen.findByRole("region", { name: "Your link" });
    await user.type(editor(), "more");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(server.lines()).toEqual(["POST /paste"]);
    expect(server.seen[0]?.body).toEqual({ content: "quick" });
  });

  test("a taken suffix opens its chip again with what the server says", async () => {
    await using server = standIn({ "POST /paste": () => refusal("slug.taken", "This suffix is taken.") });
    const { user } = await openAt("/");
    await user.type(editor(), "text");
    await user.click(chip("Link suffix"));
    await user.type(screen.getByRole("textbox", { name: "Your own suffix" }), "mine{Enter}");
    await user.click(createButton());
    const field = await screen.findByRole("textbox", { name: "Your own suffix" });
    expect(screen.getByRole("alert").textContent).toBe("This suffix is taken.");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(editor().value).toBe("text");
    await user.type(field, "2");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(server.lines()).toHaveLength(1);
  });

  test("a suffix that cannot be is told while it is typed and not sent", async () => {
    await using server = standIn({});
    const { user } = await openAt("/");
    await user.type(editor(), "text");
    await user.click(chip("Link suffix"));
    const field = () => screen.getByRole("textbox", { name: "Your own suffix" });
    await user.type(field(), "a b");
    expect(screen.getByRole("alert").textContent).toContain("Only letters, digits");
    await user.clear(field());
    await user.type(field(), "admin{Enter}");
    await user.click(createButton());
    expect(screen.getByRole("alert").textContent).toContain("The system keeps this suffix");
    expect(server.lines()).toEqual([]);
  });

  test("any other refusal stands above the chips and keeps the text", async () => {
    await using _server = standIn({ "POST /paste": () => refusal("server.busy", "The server is busy.") });
    const { user } = await openAt("/");
    await user.type(editor(), "text");
    await user.click(createButton());
    expect((await screen.findByRole("alert")).textContent).toBe("The server is busy.");
    expect(editor().value).toBe("text");
  });

  test("who is not signed in may write and is shown the way", async () => {
    credential.signOut("loggedOut");
    await using server = standIn({});
    const { user } = await openAt("/");
    await user.type(editor(), "kept");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(server.lines()).toEqual([]);
    const link = screen.getByRole("link", { name: "Sign in to share" });
    expect(link.getAttribute("href")).toBe("/admin");
    await user.click(link);
    await waitFor(() => expect(localStorage.getItem("satchel-draft")).toBe("kept"));
  });

  test("the draft of an earlier visit is there again, and clearing asks first", async () => {
    localStorage.setItem("satchel-draft", "from yesterday");
    await using _server = standIn({});
    const { user } = await openAt("/");
    expect(editor().value).toBe("from yesterday");
    await user.click(screen.getByRole("button", { name: "Clear" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Clear" }));
    await waitFor(() => expect(editor().value).toBe(""));
  });

  test("leaving the page keeps the draft at once", async () => {
    await using _server = standIn({});
    const { user } = await openAt("/");
    await user.type(editor(), "leaving");
    fireEvent(window, new Event("pagehide"));
    expect(localStorage.getItem("satchel-draft")).toBe("leaving");
  });

  test("a text file is read in, one that is no text is refused by name", async () => {
    await using _server = standIn({});
    const { user } = await openAt("/");
    const picker = screen.getByLabelText("Import file", { selector: "input" });
    await user.upload(picker, new File(["# From a file\r\n"], "a.md", { type: "text/markdown" }));
    await waitFor(() => expect(editor().value).toBe("# From a file\n"));
    await user.upload(picker, new File([new Uint8Array([0xff, 0xfe, 0])], "b.txt", { type: "text/plain" }));
    expect((await screen.findByRole("alert")).textContent).toContain("“b.txt” is not a text file");
    expect(editor().value).toBe("# From a file\n");
  });
});
