import { beforeEach, describe, expect, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { FailureCode } from "#contract/failures";
import { credential } from "../../../web/api/session/credential.ts";
import { refusal } from "../../support/page-servers/fake-server.ts";
import { fileOf, largeFile } from "../../support/page-servers/uploads-at.ts";
import { openUpload, pageServer, rowOf, small, states, storage } from "./open-upload.tsx";

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const chip = (name: string) => button(new RegExp(`^${name}:`));
const presigned = (server: ReturnType<typeof pageServer>) =>
  server.calls.filter(({ line }) => line === "POST /s3/presign").map(({ body }) => body);

beforeEach(() => credential.signIn("token", "admin", Date.now()));

describe("a row", () => {
  test("shows a long name whole to those who ask, its size and its state", async () => {
    await using server = pageServer();
    const { pick } = await openUpload(server);
    const name = `${"很长的名字".repeat(20)} 👨‍👩‍👧‍👦.png`;
    await pick(fileOf(name, 1536));
    const row = rowOf(name);
    expect(row.textContent).toStartWith(name);
    expect(row.textContent).toContain("1.5 KB·ready to upload");
    expect(within(row).getByTitle(name).textContent).toBe(name);
  });

  test("shows a name without what turns the direction of writing, and keeps it", async () => {
    await using server = pageServer();
    const { pick, user } = await openUpload(server);
    await pick(small("photo\u202egnp.exe"));
    expect(rowOf("photognp.exe").querySelector("bdi")?.textContent).toBe("photognp.exe");
    await user.click(button("Upload"));
    await waitFor(() => expect(presigned(server)).toMatchObject([{ filename: "photo\u202egnp.exe" }]));
  });

  test("can be taken out again before it is sent", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    await pick(small("a"), small("b"));
    await user.click(button("Remove from list: a"));
    expect(states()).toEqual(["idle"]);
    expect(button("Upload")).toBeDefined();
  });

  test("is paused, resumed and cancelled by itself", async () => {
    await using server = pageServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const { user, pick } = await openUpload(server);
    await pick(small("a"), small("b"));
    await user.click(button("Upload 2 files"));
    await waitFor(() => expect(server.inFlight()).toBe(2));
    await user.click(button("Pause: a"));
    expect(rowOf("a").textContent).toContain("paused·starts again from the beginning");
    await user.click(button("Cancel upload: b"));
    await waitFor(() => expect(states()).toEqual(["paused", "aborted"]));
    expect(rowOf("b").textContent).toContain("cancelled");
    gate.resolve(undefined);
    await user.click(button("Resume: a"));
    await waitFor(() => expect(states()).toEqual(["completed", "aborted"]));
    await waitFor(() => expect(server.stored().map(({ filename }) => filename)).toEqual(["a"]));
  });

  test("gives its link away as soon as it has one, and keeps the focus there", async () => {
    await using server = pageServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const { user, pick } = await openUpload(server);
    await pick(small("a"));
    expect(screen.queryByRole("button", { name: /Copy link/ })).toBeNull();
    await user.click(button("Upload"));
    await user.click(await screen.findByRole("button", { name: "Copy link (already works)" }));
    const link = await navigator.clipboard.readText();
    expect(link).toMatch(/\/file\/\w+$/);
    expect(screen.queryByRole("link", { name: "Open" })).toBeNull();
    gate.resolve(undefined);
    await waitFor(() => expect(states()).toEqual(["completed"]));
    expect(within(rowOf("a")).getByRole("link", { name: "Open" }).getAttribute("href")).toBe(link);
    expect(rowOf("a").contains(document.activeElement)).toBe(true);
  });

  test("that took a while is cancelled only after a question", async () => {
    await using server = pageServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(({ part }) => (part > 1 ? gate.promise : undefined));
    const { user, pick, uploads, until } = await openUpload(server);
    await pick(largeFile("large.bin"));
    await user.click(button("Upload"));
    await until(() => uploads.items.get()[0]?.sent === 5 * 1024 * 1024);
    const bar = within(rowOf("large.bin")).getByRole("progressbar");
    expect(bar.getAttribute("aria-valuenow")).toBe("15");
    expect(rowOf("large.bin").textContent).toContain("5 MB of 33 MB");
    await user.click(button("Cancel upload: large.bin"));
    const question = await screen.findByRole("dialog", { name: "Stop the upload of “large.bin”?" });
    expect(states()).toEqual(["uploading"]);
    gate.resolve(undefined);
    await user.click(within(question).getByRole("button", { name: "Stop" }));
    await waitFor(() => expect(server.stored().length).toBe(0));
    expect(states()).toEqual(["aborted"]);
  });

  test("waits for the connection and says so, and again when it is read out", async () => {
    await using server = pageServer();
    const { user, pick, clock, uploads, until } = await openUpload(server);
    clock.stand();
    await pick(small("a"));
    await server.cutOff();
    await user.click(button("Upload"));
    await until(() => uploads.items.get()[0]?.waiting === "connection");
    expect(rowOf("a").textContent).toContain("waits for the connection");
    expect(screen.getByText("a waits for the connection")).toBeDefined();
    server.comeBack();
    clock.run();
    act(() => clock.advance(1000));
    await waitFor(() => expect(states()).toEqual(["completed"]));
    expect(screen.getByText("a is uploaded")).toBeDefined();
  });
});

describe("all rows together", () => {
  test("are paused, resumed, and cancelled after a question", async () => {
    await using server = pageServer();
    let gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const { user, pick, tick } = await openUpload(server);
    await pick(small("a"), small("b"), small("c"), small("d"));
    await user.click(button("Upload 4 files"));
    await waitFor(() => expect(server.inFlight()).toBe(3));
    tick();
    expect(rowOf("d").textContent).toContain("waits for its turn");
    await user.click(button("Pause all"));
    expect(states()).toEqual(["paused", "paused", "paused", "paused"]);
    expect(screen.getByRole("region", { name: "Progress of everything" }).textContent).toStartWith("Paused 0%");
    gate.resolve(undefined);
    gate = Promise.withResolvers<undefined>();
    await waitFor(() => expect(server.inFlight()).toBe(0));
    await user.click(button("Resume all"));
    await waitFor(() => expect(server.inFlight()).toBe(3));
    await user.click(button("Cancel all"));
    const question = await screen.findByRole("dialog", { name: "Stop all uploads?" });
    await user.click(within(question).getByRole("button", { name: "Stop" }));
    gate.resolve(undefined);
    await waitFor(() => expect(states()).toEqual(["aborted", "aborted", "aborted", "aborted"]));
    await user.click(button("Clear finished"));
    expect(states()).toEqual([]);
  });

  test("that partly failed say so, and what failed is tried again", async () => {
    await using server = pageServer();
    server.onPut(({ filename }) => (filename === "b" ? new Response(null, { status: 400 }) : undefined));
    const { user, pick } = await openUpload(server);
    await pick(small("a"), small("b"), small("c"));
    await user.click(button("Upload 3 files"));
    expect(await screen.findByText("Uploaded: 2. Not uploaded: 1.")).toBeDefined();
    expect(rowOf("b").textContent).toContain("The storage refused this file (400).");
    server.onPut(() => undefined);
    await user.click(button("Try again"));
    expect(await screen.findByText("All 3 files are uploaded.")).toBeDefined();
  });

  test("that all failed say so, each with its sentence", async () => {
    await using server = pageServer();
    server.instead((line) => (line === "POST /s3/presign" ? refusal("internal") : undefined));
    const { user, pick } = await openUpload(server);
    await pick(small("a"), small("b"));
    await user.click(button("Upload 2 files"));
    expect(await screen.findByText("None of the 2 files was uploaded.")).toBeDefined();
    expect(rowOf("a").textContent).toContain("Server error.");
    server.instead(() => undefined);
    await user.click(button("Retry what failed"));
    expect(await screen.findByText("All 2 files are uploaded.")).toBeDefined();
  });
});

describe("a refusal", () => {
  test("of the suffix opens its chip, and another suffix brings the file there", async () => {
    await using server = pageServer();
    server.instead((line) =>
      line === "POST /s3/presign" && presigned(server).at(-1)?.slug === "mine" ? refusal("slug.taken") : undefined,
    );
    const { user, pick } = await openUpload(server);
    await pick(small("a"));
    await user.click(chip("Link suffix"));
    await user.type(screen.getByRole("textbox", { name: "Your own suffix" }), "mine{Enter}");
    await user.click(chip("Password"));
    await user.type(screen.getByLabelText("Password", { selector: "input" }), "secret{Enter}");
    await user.click(button("Upload"));
    const field = (await screen.findByRole("textbox", { name: "Your own suffix" })) as HTMLInputElement;
    expect(field.value).toBe("mine");
    expect(screen.getByRole("alert").textContent).toBe("This suffix is taken. Please choose another one.");
    expect(rowOf("a").textContent).toContain("The link suffix mine is taken. Change it, then try again.");
    await user.type(field, "2{Enter}");
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(states()).toEqual(["completed"]));
    expect(presigned(server)).toMatchObject([
      { slug: "mine", password: "secret" },
      { slug: "mine2", password: "secret" },
    ]);
  });

  test("of one of several suffixes names it, and another try changes no name that was given", async () => {
    await using server = pageServer();
    const refused: Record<string, FailureCode> = { "trip-2": "slug.taken", "trip-3": "storage.full" };
    server.instead((line) => {
      const code = refused[String(presigned(server).at(-1)?.slug)];
      return line === "POST /s3/presign" && code ? refusal(code) : undefined;
    });
    const { user, pick } = await openUpload(server);
    await pick(small("a"), small("b"), small("c"));
    await user.click(chip("Link suffix"));
    await user.type(screen.getByRole("textbox", { name: "Your own suffix" }), "trip{Enter}");
    await user.click(button("Upload 3 files"));
    await waitFor(() => expect(states()).toEqual(["completed", "failed", "failed"]));
    expect(rowOf("b").textContent).toContain("The link suffix trip-2 is taken.");
    refused["trip-3"] = "slug.reserved";
    await user.click(button("Try again"));
    await waitFor(() => expect(presigned(server).length).toBe(5));
    expect(presigned(server).map(({ slug }) => slug)).toEqual(["trip-1", "trip-2", "trip-3", "trip-2", "trip-3"]);
  });

  test("for want of space is a warning, and another storage helps without another suffix", async () => {
    const other = storage("other", { name: "Attic", is_default: 0 });
    await using server = pageServer({ storages: [storage("store"), other] });
    server.instead((line) =>
      line === "POST /s3/presign" && presigned(server).length === 1 ? refusal("storage.full") : undefined,
    );
    const { user, pick } = await openUpload(server);
    await pick(small("a"));
    await user.click(chip("Link suffix"));
    await user.type(screen.getByRole("textbox", { name: "Your own suffix" }), "mine{Enter}");
    await user.click(button("Upload"));
    const panel = await screen.findByRole("dialog", { name: "Storage" });
    expect(within(panel).getByRole("alert").textContent).toStartWith("Not enough space");
    const said = within(rowOf("a")).getByText(/^Not enough space/);
    expect(said.className).toBe("text-accent");
    await user.click(within(panel).getByRole("button", { name: /^Attic/ }));
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(states()).toEqual(["completed"]));
    expect(presigned(server)[1]).toMatchObject({ slug: "mine", s3_config_id: "other" });
  });

  test("because the session ended leads to the sign-in, and the file goes up afterwards", async () => {
    await using server = pageServer();
    server.instead((line) => (line === "POST /s3/presign" ? refusal("auth.expired") : undefined));
    const { user, pick } = await openUpload(server);
    await pick(small("a"));
    await user.click(button("Upload"));
    await waitFor(() => expect(rowOf("a").textContent).toContain("You are signed out. Sign in, then try again."));
    server.instead(() => undefined);
    await user.click(button("Try again: a"));
    await waitFor(() => expect(states()).toEqual(["completed"]));
  });

  test("offers no other try while nobody is signed in: the bar leads to the sign-in", async () => {
    await using server = pageServer();
    server.onPut(() => new Response(null, { status: 400 }));
    const { user, pick } = await openUpload(server);
    await pick(small("a"));
    await user.click(button("Upload"));
    await waitFor(() => expect(states()).toEqual(["failed"]));
    expect(screen.getAllByRole("button", { name: /^Try again/ })).toHaveLength(2);
    act(() => credential.signOut("expired"));
    expect(await screen.findByRole("link", { name: "Sign in to upload" })).toBeDefined();
    expect(screen.queryAllByRole("button", { name: /^Try again/ })).toEqual([]);
  });

  test("in the server's own words when the page has none", async () => {
    await using server = pageServer();
    server.instead((line) =>
      line === "POST /s3/presign" ? refusal("filename.invalid", "This name cannot be.") : undefined,
    );
    const { user, pick } = await openUpload(server);
    await pick(small("a"));
    await user.click(button("Upload"));
    await waitFor(() => expect(rowOf("a").textContent).toContain("This name cannot be."));
    expect(screen.getByText("The file was not uploaded.")).toBeDefined();
  });
});
