import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { offlineFallback, queuedChanges } from "../../../web/api/transport/offline-fallback.ts";
import { writing } from "../../../web/features/paste/home/writing.ts";
import { recentTexts } from "../../../web/page/recent-texts.ts";
import { fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { createdPaste } from "../../support/page-servers/paste-answers.ts";
import { byTouch } from "../../support/pages/by-touch.ts";
import { visitorsMay } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const VISITORS = "GET /system/visitors";
const editor = () => screen.getByRole("textbox", { name: "Text to share" }) as HTMLTextAreaElement;
const chip = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name}:`) });
const createButton = () => screen.getByRole("button", { name: "Create link" }) as HTMLButtonElement;
const created = (more = {}) => Response.json(createdPaste(more), { status: 201 });

beforeEach(() => credential.signIn("token", "admin", Date.now()));
afterEach(() => {
  cleanup();
  writing.startOver();
  recentTexts.forget();
  credential.signOut("loggedOut");
});

describe("the home page", () => {
  test("begins with a text area, a sentence of chips and nothing to create", async () => {
    await using _server = fakeServer({});
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

  test("shows the link of a text that waited on this device once it was sent, and no longer that it waits", async () => {
    const queue = Promise.withResolvers<string>();
    let queues = true;
    offlineFallback.set({
      recordAnswer: () => undefined,
      recall: async () => undefined,
      queue: async (_endpoint, { headers }) => {
        const key = headers?.["idempotency-key"] ?? "";
        queuedChanges.set(new Map([[key, { status: "pending" }]]));
        queue.resolve(key);
        return queues;
      },
    });
    const server = fakeServer({});
    const { user } = await openAt("/");
    await server[Symbol.asyncDispose]();
    Object.assign(window, { appConfig: { backendUrl: server.base } });
    await user.type(editor(), "from a train");
    await user.click(createButton());
    expect(await screen.findByText(/The text is kept on this device/)).toBeDefined();
    const key = await queue.promise;
    queues = false;
    act(() => queuedChanges.set(new Map([[key, { status: "sent", answer: createdPaste({ slug: "sent-later" }) }]])));
    expect(screen.queryAllByText(/The text is kept on this device/)).toHaveLength(0);
    expect(screen.getByRole("region", { name: "Your link" }).textContent).toContain("/paste/sent-later");
    // Somebody has seen it at the corner: the link that is shown stays.
    act(() => queuedChanges.set(new Map()));
    expect(screen.getByRole("region", { name: "Your link" }).textContent).toContain("/paste/sent-later");
    Object.assign(window, { appConfig: undefined });
  });

  test("creates a share of text and options, copies its link and begins anew", async () => {
    await using server = fakeServer({
      "POST /paste": () => created({ slug: "notes", hasPassword: true, grant: "g1" }),
    });
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
      "expires in 1 daywith passwordnot sealedat most 5 views/paste/notes“For you”",
    );
    const before = Date.now();
    await user.click(createButton());

    const result = await screen.findByRole("region", { name: "Your link" });
    expect(within(result).getByText("Link created and copied")).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/paste/notes");
    const { expiresAt, ...body } = (server.seen[0]?.body ?? {}) as Record<string, unknown>;
    const options = { slug: "notes", password: "secret", maxViews: 5, remark: "For you" };
    expect(body).toEqual({ content: "# Hello", plain: true, ...options });
    expect(Math.abs(Date.parse(String(expiresAt)) - before - 86_400_000)).toBeLessThan(60_000);
    expect(editor().value).toBe("");
    expect(localStorage.getItem("satchel-draft")).toBeNull();

    await user.click(within(result).getByRole("button", { name: "Copy raw link" }));
    expect(await navigator.clipboard.readText()).toBe(`${server.base}/api/raw/notes?grant=g1`);
    await user.click(within(result).getByRole("button", { name: "Keep writing" }));
    expect(chip("Link suffix").textContent).toBe("random link");
  });

  test("Ctrl+Enter creates from the text, once however often it is pressed, and the next text while a link is shown", async () => {
    await using server = fakeServer({ "POST /paste": () => created({ id: `id-${server.seen.length}` }) });
    const { user } = await openAt("/");
    await user.type(editor(), "quick");
    const press = () => fireEvent.keyDown(editor(), { key: "Enter", ctrlKey: true });
    act(() => void [press(), press(), press()]);
    await screen.findByRole("region", { name: "Your link" });
    expect(document.activeElement).toBe(editor());
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.getByRole("region", { name: "Your link" })).toBeDefined();
    await user.type(editor(), "more");
    expect(chip("Password").textContent).toBe("no password");
    const result = screen.getByRole("region", { name: "Your link" });
    expect(result.textContent).toContain("/paste/");
    // It waits for somebody to put it away, and for no clock.
    expect(result.textContent).not.toMatch(/\d s\b/);
    await user.keyboard("{Control>}{Enter}{/Control}");
    const both = ["quick", "more"].map((content) => ({ content, plain: true }));
    await waitFor(() => expect(server.seen.map(({ body }) => body)).toEqual(both));
    await waitFor(() => expect(editor().value).toBe(""));
  });

  test("what is typed while the link is made stays, without the options of the one before", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await using _server = fakeServer({ "POST /paste": () => promise });
    const { user } = await openAt("/");
    await user.type(editor(), "first");
    await user.click(chip("Views"));
    await user.click(screen.getByRole("button", { name: "5" }));
    await user.click(createButton());
    await user.type(editor(), " and more");
    resolve(created());
    const result = await screen.findByRole("region", { name: "Your link" });
    expect(editor().value).toBe("first and more");
    await user.click(within(result).getByRole("button", { name: "Keep writing" }));
    expect(document.activeElement).toBe(editor());
    expect(chip("Views").textContent).toBe("unlimited views");
  });

  test("Ctrl+Enter with nothing written says why there is no link", async () => {
    await using server = fakeServer({});
    const { user } = await openAt("/");
    await user.click(editor());
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.getByText("Write something first")).toBeDefined();
    await user.type(editor(), "a");
    expect(screen.queryByText("Write something first")).toBeNull();
    expect(server.lines()).toEqual([]);
  });

  test("a view limit that is none is not sent as unlimited", async () => {
    await using server = fakeServer({});
    const { user } = await openAt("/");
    await user.type(editor(), "text");
    await user.click(chip("Views"));
    await user.type(screen.getByRole("textbox", { name: "View limit" }), "5x{Enter}");
    expect(screen.queryByRole("textbox", { name: "View limit" })).toBeNull();
    await user.click(createButton());
    const field = screen.getByRole("textbox", { name: "View limit" }) as HTMLInputElement;
    expect(field.value).toBe("5x");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(server.lines()).toEqual([]);
    await user.clear(field);
    await user.type(field, "7");
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(chip("Views").textContent).toBe("at most 7 views");
  });

  test("views and expiry are typed at once, as the other options are", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    await user.click(chip("Views"));
    await user.keyboard("2{Enter}");
    expect(chip("Views").textContent).toBe("at most 2 views");
    await user.click(chip("Expiry"));
    expect(document.activeElement).toBe(screen.getByLabelText("Custom date and time"));
  });

  test("their fields wait for a press where they would bring up a keyboard over the usual values", async () => {
    await using _server = fakeServer({});
    using _touch = byTouch();
    const { user } = await openAt("/");
    await user.click(chip("Views"));
    expect(document.activeElement).toBe(screen.getByRole("dialog", { name: "Views" }));
  });

  test("a tap beside the sheet of an option closes it and nothing else", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    await user.click(chip("Expiry"));
    const scrim = document.querySelector(".popover-scrim");
    if (!scrim) throw new Error("There is no scrim.");
    fireEvent.pointerDown(scrim);
    expect(fireEvent.mouseDown(scrim)).toBe(false);
    expect(screen.getByRole("dialog", { name: "Expiry" })).toBeDefined();
    fireEvent.click(scrim);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(chip("Expiry"));
  });

  test("text and options are there again after a look at another page", async () => {
    await using _server = fakeServer({});
    const { user, unmount } = await openAt("/");
    await user.type(editor(), "long");
    await user.click(chip("Views"));
    await user.click(screen.getByRole("button", { name: "5" }));
    unmount();
    localStorage.clear();
    await openAt("/");
    expect(editor().value).toBe("long");
    expect(chip("Views").textContent).toBe("at most 5 views");
  });

  test("a taken suffix opens its chip again and says so", async () => {
    await using server = fakeServer({ "POST /paste": () => refusal("slug.taken", "Taken (409)") });
    const { user } = await openAt("/");
    await user.type(editor(), "text");
    await user.click(chip("Link suffix"));
    await user.type(screen.getByRole("textbox", { name: "Your own suffix" }), "mine{Enter}");
    await user.click(createButton());
    const field = await screen.findByRole("textbox", { name: "Your own suffix" });
    expect(screen.getByRole("alert").textContent).toBe("This suffix is taken. Please choose another one.");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(editor().value).toBe("text");
    await user.type(field, "2");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(server.lines()).toHaveLength(1);
  });

  test("a suffix that cannot be is told while it is typed and not sent", async () => {
    await using server = fakeServer({});
    const { user } = await openAt("/");
    await user.type(editor(), "text");
    await user.click(chip("Link suffix"));
    const field = () => screen.getByRole("textbox", { name: "Your own suffix" });
    await user.type(field(), "a b");
    expect(screen.getByRole("alert").textContent).toContain("Only letters, digits");
    await user.clear(field());
    await user.type(field(), "admin{Enter}");
    await user.click(createButton());
    expect(screen.getByRole("alert").textContent).toContain("This suffix is reserved");
    expect(server.lines()).toEqual([]);
  });

  test("any other refusal stands above the chips and keeps the text", async () => {
    await using _server = fakeServer({ "POST /paste": () => refusal("server.busy", "The server is busy.") });
    const { user } = await openAt("/");
    await user.type(editor(), "text");
    await user.click(createButton());
    expect((await screen.findByRole("alert")).textContent).toBe("The server is busy.");
    expect(editor().value).toBe("text");
  });

  test("who is not signed in may write and is shown the way", async () => {
    credential.signOut("loggedOut");
    await using server = fakeServer({ [VISITORS]: visitorsMay() });
    const { user } = await openAt("/");
    await user.type(editor(), "kept");
    const link = await screen.findByRole("link", { name: "Sign in to share" });
    expect(server.lines()).toEqual([VISITORS]);
    expect(link.getAttribute("href")).toBe("/admin");
    await user.click(link);
    await waitFor(() => expect(localStorage.getItem("satchel-draft")).toBe("kept"));
  });

  test("Ctrl+Enter leads who is not signed in to the sign-in", async () => {
    credential.signOut("loggedOut");
    await using server = fakeServer({ [VISITORS]: visitorsMay() });
    const { user, where } = await openAt("/");
    await screen.findByRole("link", { name: "Sign in to share" });
    await user.type(editor(), "kept");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(where.path).toStartWith("/admin"));
    expect(server.lines()).toEqual([VISITORS]);
  });

  test("the draft of an earlier visit is there again, and clearing asks first", async () => {
    localStorage.setItem("satchel-draft", "from yesterday");
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    expect(editor().value).toBe("from yesterday");
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Clear" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Clear" }));
    await waitFor(() => expect(editor().value).toBe(""));
  });

  test("leaving the page keeps the draft at once", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    await user.type(editor(), "leaving");
    fireEvent(window, new Event("pagehide"));
    expect(localStorage.getItem("satchel-draft")).toBe("leaving");
  });

  test("a text file is read in, one that is no text is refused by name", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    const picker = screen.getByLabelText("Import file", { selector: "input" });
    await user.upload(picker, new File(["# From a file\r\n"], "a.md", { type: "text/markdown" }));
    await waitFor(() => expect(editor().value).toBe("# From a file\n"));
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.upload(picker, new File([new Uint8Array([0xff, 0xfe, 0])], "b.txt", { type: "text/plain" }));
    expect((await screen.findByRole("alert")).textContent).toContain("“b.txt” is not a text file");
    expect(editor().value).toBe("# From a file\n");
  });

  test("a file takes the place of what is written only after a question, wherever it is dropped", async () => {
    await using _server = fakeServer({});
    const { user } = await openAt("/");
    await user.type(editor(), "mine");
    const dataTransfer = { types: ["Files"], files: [new File(["theirs"], "a.txt", { type: "text/plain" })] };
    const drop = () => expect(fireEvent.drop(screen.getByRole("banner"), { dataTransfer })).toBe(false);
    drop();
    const question = await screen.findByRole("dialog", { name: "Replace what you wrote with “a.txt”?" });
    expect(editor().value).toBe("mine");
    await user.click(within(question).getByRole("button", { name: "Cancel" }));
    expect(editor().value).toBe("mine");
    drop();
    const again = await screen.findByRole("dialog");
    await user.click(within(again).getByRole("button", { name: "Replace" }));
    await waitFor(() => expect(editor().value).toBe("theirs"));
  });
});

describe("what is pasted", () => {
  const json = '{\n  "a": 1\n}';
  const mode = (name: string) => screen.getByRole("button", { name, pressed: true });

  test("code and data are recognised, said and shared plainly, and as Markdown to who wants that", async () => {
    await using server = fakeServer({ "POST /paste": () => created() });
    const { user } = await openAt("/");
    await user.click(editor());
    await user.paste(json);
    await waitFor(() => expect(mode("Plain text")).toBeDefined());
    expect(screen.getByText("Recognized as JSON, shared as plain text")).toBeDefined();
    await user.click(createButton());
    await screen.findByRole("region", { name: "Your link" });
    expect(server.seen[0]?.body).toEqual({ content: json, plain: true });
    expect(screen.queryByText(/Recognized as/)).toBeNull();
  });

  test("a choice holds for that text alone", async () => {
    await using server = fakeServer({ "POST /paste": () => created() });
    const { user } = await openAt("/");
    await user.click(editor());
    await user.paste(json);
    expect(screen.getByText("Recognized as JSON, shared as plain text")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Markdown" }));
    await waitFor(() => expect(screen.queryByText(/Recognized as/)).toBeNull());
    await user.click(createButton());
    await screen.findByRole("region", { name: "Your link" });
    expect(server.seen[0]?.body).toEqual({ content: json, plain: false });
    expect(localStorage.getItem("satchel-editor")).toBe("plain");
    expect(mode("Plain text")).toBeDefined();
  });
});

describe("recent texts", () => {
  const list = () => screen.queryByRole("region", { name: "My recent texts" });

  test("stand below an empty editor until the next text is begun, one by one and all can go", async () => {
    await using server = fakeServer({ "POST /paste": () => created({ slug: `s${server.seen.length}` }) });
    const { user } = await openAt("/");
    expect(list()).toBeNull();
    for (const text of ["# One", "two"]) {
      await user.type(editor(), text);
      await user.keyboard("{Control>}{Enter}{/Control}");
      await waitFor(() => expect(editor().value).toBe(""));
    }
    // The link of the second is in sight already.
    expect(
      within(list() as HTMLElement)
        .getAllByRole("link")
        .map(({ textContent }) => textContent),
    ).toEqual(["One"]);
    await user.click(screen.getByRole("button", { name: "Keep writing" }));
    expect(
      within(list() as HTMLElement)
        .getAllByRole("link")
        .map(({ textContent }) => textContent),
    ).toEqual(["two", "One"]);
    await user.click(screen.getByRole("button", { name: "Copy the link of “One”" }));
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/paste/s1");
    await user.type(editor(), "x");
    expect(list()).toBeNull();
    await user.clear(editor());
    await user.click(screen.getByRole("button", { name: "Remove “two” from the list" }));
    expect(within(list() as HTMLElement).getAllByRole("link")).toHaveLength(1);
    expect(document.activeElement).toBe(editor());
    await user.click(screen.getByRole("button", { name: "Clear list" }));
    expect(list()).toBeNull();
    expect(localStorage.getItem("satchel-recent-texts")).toBeNull();
  });
});
