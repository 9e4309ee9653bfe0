import { afterEach, describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { Permission } from "#contract/permissions";
import { credential } from "../../../web/api/session/credential.ts";
import { signingOut } from "../../../web/ui/session/signing-out.ts";
import { refusal } from "../../support/page-servers/fake-server.ts";
import { signInWithKey } from "../../support/pages/key-session.ts";
import { openUpload, pageServer, rowOf, small, states } from "./open-upload.tsx";

afterEach(() => {
  cleanup();
  credential.signOut("loggedOut");
  signingOut.watch("changes", () => false);
});

const upload = () => screen.getByRole("button", { name: "Upload" });
const drop = (name: string) =>
  act(async () => {
    const transfer = new DataTransfer();
    Object.defineProperty(transfer, "files", { value: [small(name)] });
    Object.defineProperty(transfer, "types", { value: ["Files"] });
    const event = new Event("drop", { bubbles: true, cancelable: true });
    window.dispatchEvent(Object.assign(event, { dataTransfer: transfer }));
    expect(event.defaultPrevented).toBe(true);
  });

describe("visitors on the upload page", () => {
  test("upload when they may; what was uploaded lately is not theirs to see", async () => {
    await using server = pageServer({ visitors: ["file_share"] });
    const { user, pick } = await openUpload(server);
    await pick(small("a.txt"));
    await user.click(upload());
    expect(await screen.findByRole("region", { name: "Your link" })).toBeDefined();
    expect(screen.queryByRole("heading", { name: "Recent uploads" })).toBeNull();
    expect(server.lines()).not.toContain("GET /files");
    expect(server.lines()).toContain("GET /s3-configs");
    expect(server.calls.map(({ headers }) => headers.get("authorization"))).not.toContain("");
  });

  test.each([[[]], [["text"]]] as (readonly Permission[])[][])(
    "who may not (%j) are shown the sign-in in place of the drop zone, and asked nothing more",
    async (visitors) => {
      await using server = pageServer({ visitors });
      const { user } = await openUpload(server);
      expect(await screen.findByRole("heading", { name: "Sign in to upload" })).toBeDefined();
      expect(screen.getByRole("link", { name: "Sign in to upload" }).getAttribute("href")).toBe("/admin");
      expect(screen.queryByRole("button", { name: "Choose files" })).toBeNull();
      await drop("a.txt");
      await user.keyboard("{Control>}{Enter}{/Control}");
      expect(states()).toEqual([]);
      expect(server.lines().sort()).toEqual(["GET /system/max-upload-size", "GET /system/visitors"]);
    },
  );

  test("who may less by now than when the page asked see why, and keep their list", async () => {
    await using server = pageServer({ visitors: ["file_share"] });
    const { user, pick } = await openUpload(server);
    await pick(small("a.txt"));
    server.instead((line) => {
      if (line === "POST /s3/presign") return refusal("auth.required");
      return line === "GET /system/visitors" ? visitorsMayNothing() : undefined;
    });
    await user.click(upload());
    expect(await screen.findByRole("link", { name: "Sign in to upload" })).toBeDefined();
    expect(rowOf("a.txt").textContent).toContain("You are not signed in. Sign in, then try again.");
    expect(screen.queryAllByRole("button", { name: /^Try again/ })).toEqual([]);
  });
});

const visitorsMayNothing = () => Response.json({ data: { permissions: 0, basic_path: "/" } });

describe("keys on the upload page", () => {
  test("upload with the right and see their recent uploads", async () => {
    signInWithKey("file_share");
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    expect(await screen.findByRole("heading", { name: "Recent uploads" })).toBeDefined();
    await pick(small("a.txt"));
    await user.click(upload());
    expect(await screen.findByRole("region", { name: "Your link" })).toBeDefined();
    expect(server.lines()).not.toContain("GET /system/visitors");
  });

  test("without the right are told so in place of the drop zone, and ask for nothing", async () => {
    signInWithKey("text");
    await using server = pageServer();
    await openUpload(server);
    expect(screen.getByRole("heading", { name: "This key may not upload files" })).toBeDefined();
    expect(screen.getByText("The administrator can allow it for “ci”.")).toBeDefined();
    expect(screen.queryAllByRole("link")).toEqual([]);
    expect(screen.queryByRole("button", { name: "Sign in another way" })).toBeNull();
    expect(screen.queryByRole("heading", { name: "Recent uploads" })).toBeNull();
    await drop("a.txt");
    expect(states()).toEqual([]);
    await waitFor(() => expect(server.lines()).toEqual(["GET /system/max-upload-size"]));
  });

  test("to which no page of the admin area is open find the way out here", async () => {
    signInWithKey("mount_view");
    await using server = pageServer();
    const { user } = await openUpload(server);
    await user.click(screen.getByRole("button", { name: "Sign in another way" }));
    await waitFor(() => expect(credential.state.get().authType).toBe("none"));
  });

  test("are asked on that way out while changes wait that would be lost", async () => {
    signInWithKey("mount_view");
    signingOut.watch("changes", () => true);
    await using server = pageServer();
    const { user } = await openUpload(server);
    await user.click(screen.getByRole("button", { name: "Sign in another way" }));
    await user.click(await screen.findByRole("button", { name: "Stay signed in" }));
    expect(credential.state.get().authType).toBe("apikey");
    await user.click(screen.getByRole("button", { name: "Sign in another way" }));
    await user.click(await screen.findByRole("button", { name: "Delete and log out" }));
    await waitFor(() => expect(credential.state.get().authType).toBe("none"));
  });

  test.each([
    ["auth.forbidden", "You may not upload files."],
    ["storage.forbidden", "You may not use this storage. Choose another one."],
    ["key.invalid", "You are signed out. Sign in, then try again."],
  ] as const)("that are refused (%s) are told what is wrong", async (code, sentence) => {
    signInWithKey("file_share");
    await using server = pageServer();
    server.instead((line) => (line === "POST /s3/presign" ? refusal(code) : undefined));
    const { user, pick } = await openUpload(server);
    await pick(small("a.txt"));
    await user.click(upload());
    await waitFor(() => expect(states()).toEqual(["failed"]));
    expect(rowOf("a.txt").textContent).toContain(sentence);
  });
});
