import { afterEach, describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { Permission } from "#contract/permissions";
import { credential } from "../../../web/api/session/credential.ts";
import { writing } from "../../../web/features/paste/home/writing.ts";
import { handedOver } from "../../../web/ui/file-drop/dropped.ts";
import { signingOut } from "../../../web/ui/session/signing-out.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { createdPaste } from "../../support/page-servers/paste-answers.ts";
import { signInWithKey, visitorsMay } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const VISITORS = "GET /system/visitors";
const editor = () => screen.getByRole("textbox", { name: "Text to share" }) as HTMLTextAreaElement;
const create = () => screen.getByRole("button", { name: "Create link" });
const created = () => Response.json(createdPaste(), { status: 201 });

/** Drops a file anywhere on the page. */
const drop = (name: string) =>
  act(async () => {
    const transfer = new DataTransfer();
    const file = new File(["content"], name);
    Object.defineProperty(transfer, "files", { value: [file] });
    Object.defineProperty(transfer, "types", { value: ["Files"] });
    const event = new Event("drop", { bubbles: true, cancelable: true });
    window.dispatchEvent(Object.assign(event, { dataTransfer: transfer }));
  });

afterEach(() => {
  cleanup();
  writing.startOver();
  handedOver.set(undefined);
  credential.signOut("loggedOut");
  signingOut.watch("changes", () => false);
});

describe("visitors on the home page", () => {
  test("create when they may", async () => {
    await using server = fakeServer({ [VISITORS]: visitorsMay("text"), "POST /paste": created });
    const { user } = await openAt("/");
    await user.type(editor(), "from anybody");
    await user.click(create());
    expect(await screen.findByRole("region", { name: "Your link" })).toBeDefined();
    expect(server.seen.find(({ line }) => line === "POST /paste")?.headers.get("authorization")).toBeNull();
  });

  test("who may only share files are shown the sign-in, and keep what they write", async () => {
    await using _server = fakeServer({ [VISITORS]: visitorsMay("file_share") });
    const { user } = await openAt("/");
    expect(await screen.findByRole("link", { name: "Sign in to share" })).toBeDefined();
    await user.type(editor(), "kept");
    expect(editor().value).toBe("kept");
    expect(screen.queryByRole("button", { name: "Create link" })).toBeNull();
  });

  test("who may less by now than when the page asked are told, and shown the sign-in", async () => {
    let rights: readonly Permission[] = ["text"];
    await using _server = fakeServer({
      [VISITORS]: () => visitorsMay(...rights)(),
      "POST /paste": () => {
        rights = [];
        return refusal("auth.required", "Unauthorized, please log in.");
      },
    });
    const { user } = await openAt("/");
    await user.type(editor(), "kept");
    await user.click(create());
    expect(await screen.findByRole("link", { name: "Sign in to share" })).toBeDefined();
    expect(screen.getByRole("alert").textContent).toBe("Unauthorized, please log in.");
    expect(editor().value).toBe("kept");
  });

  test("may try when the server does not say what they may", async () => {
    await using _server = fakeServer({ [VISITORS]: () => refusal("internal"), "POST /paste": created });
    const { user } = await openAt("/");
    await user.type(editor(), "text");
    await user.click(create());
    expect(await screen.findByRole("region", { name: "Your link" })).toBeDefined();
  });
});

describe("keys on the home page", () => {
  test("create with the right, and nobody asks what visitors may", async () => {
    signInWithKey("text");
    await using server = fakeServer({ "POST /paste": created });
    const { user } = await openAt("/");
    await user.type(editor(), "from a key");
    await user.click(create());
    expect(await screen.findByRole("region", { name: "Your link" })).toBeDefined();
    expect(server.lines()).toEqual(["POST /paste"]);
    expect(server.seen[0]?.headers.get("authorization")).toBe("ApiKey the-key");
  });

  test("without the right are told so and write on, without a link that leads nowhere", async () => {
    signInWithKey("file_share");
    await using server = fakeServer({});
    const { user, where } = await openAt("/");
    await user.type(editor(), "kept");
    expect(screen.getByText("The key “ci” may not share texts. The administrator can allow it.")).toBeDefined();
    expect(screen.queryByRole("link", { name: "Sign in to share" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Sign in another way" })).toBeNull();
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect([where.path, editor().value]).toEqual(["/", "kept"]);
    expect(server.lines()).toEqual([]);
  });

  test("to which no page of the admin area is open find the way out here", async () => {
    signInWithKey("mount_view");
    await using _server = fakeServer({ [VISITORS]: visitorsMay() });
    const { user, where } = await openAt("/");
    await user.type(editor(), "kept");
    await user.click(screen.getByRole("button", { name: "Sign in another way" }));
    await waitFor(() => expect(where.path).toStartWith("/admin"));
    expect(credential.state.get().authType).toBe("none");
    expect(writing.text.get()).toBe("kept");
  });

  test("are asked on that way out while changes wait that would be lost", async () => {
    signInWithKey("mount_view");
    signingOut.watch("changes", () => true);
    await using _server = fakeServer({ [VISITORS]: visitorsMay() });
    const { user, where } = await openAt("/");
    await user.click(screen.getByRole("button", { name: "Sign in another way" }));
    await user.click(await screen.findByRole("button", { name: "Stay signed in" }));
    expect([where.path, credential.state.get().authType]).toEqual(["/", "apikey"]);
    await user.click(screen.getByRole("button", { name: "Sign in another way" }));
    await user.click(await screen.findByRole("button", { name: "Delete and log out" }));
    await waitFor(() => expect(where.path).toStartWith("/admin"));
    expect(credential.state.get().authType).toBe("none");
  });

  test("that lose the right are told what is wrong", async () => {
    signInWithKey("text");
    await using _server = fakeServer({ "POST /paste": () => refusal("auth.forbidden", "No permission.") });
    const { user } = await openAt("/");
    await user.type(editor(), "kept");
    await user.click(create());
    expect((await screen.findByRole("alert")).textContent).toBe("No permission.");
    expect(editor().value).toBe("kept");
  });

  test("that end are told so, with the way to sign in", async () => {
    signInWithKey("text");
    await using _server = fakeServer({
      [VISITORS]: visitorsMay(),
      "POST /paste": () => refusal("key.invalid", "API key invalid or expired."),
    });
    const { user } = await openAt("/");
    await user.type(editor(), "kept");
    await user.click(create());
    expect(await screen.findByRole("link", { name: "Sign in to share" })).toBeDefined();
    expect(screen.getByText("API key invalid or expired, please sign in again.")).toBeDefined();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(editor().value).toBe("kept");
  });

  test("that turn out to have ended while nobody looked are told so before anything is tried", async () => {
    await using _server = fakeServer({ [VISITORS]: visitorsMay(), "GET /test/api-key": () => refusal("key.invalid") });
    signInWithKey("text");
    act(() => credential.validated(1));
    await openAt("/");
    expect(await screen.findByText("API key invalid or expired, please sign in again.")).toBeDefined();
    expect(screen.getByRole("link", { name: "Sign in to share" })).toBeDefined();
  });

  test("are promised a link in the empty page only when there can be one", async () => {
    await using _server = fakeServer({});
    signInWithKey("text");
    await openAt("/");
    expect(editor().placeholder).toContain("then create a link");
    act(() => signInWithKey("file_share"));
    expect(editor().placeholder).toBe("Write or paste text here. Markdown works.");
  });
});

describe("files dropped on the home page", () => {
  test("lead to the upload page for who may upload", async () => {
    signInWithKey("text", "file_share");
    await using _server = fakeServer({ "GET /files": () => answer({ data: { files: [], pagination: {} } }) });
    const { where } = await openAt("/");
    await drop("picture.png");
    await waitFor(() => expect(where.path).toBe("/upload"));
  });

  test("go nowhere for a key that may not upload, and it is said why", async () => {
    signInWithKey("text");
    await using _server = fakeServer({});
    const { user, where } = await openAt("/");
    await drop("picture.png");
    expect((await screen.findByRole("alert")).textContent).toBe("This key may not upload files.");
    expect(where.path).toBe("/");
    await user.type(editor(), "a");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("go nowhere for visitors who may not, but a text is read in", async () => {
    await using _server = fakeServer({ [VISITORS]: visitorsMay("text") });
    const { where } = await openAt("/");
    await waitFor(() => expect(document.querySelectorAll(".starting\\:invisible").length).toBe(0));
    await drop("picture.png");
    expect((await screen.findByRole("alert")).textContent).toBe("Sign in to upload files.");
    expect(where.path).toBe("/");
    await drop("notes.md");
    await waitFor(() => expect(editor().value).toBe("content"));
  });
});
