import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { sealing } from "../../../web/page/sealing.ts";
import { readZip } from "../../support/files/read-zip.ts";
import { opened, sourceOf } from "../../support/files/sealed.ts";
import { openUpload, pageServer, rowOf, small, states } from "./open-upload.tsx";

const toggle = (name: string) => screen.getByRole("switch", { name: new RegExp(`^${name}:`) });
const button = (name: string) => screen.getByRole("button", { name });
const linkIn = (place: HTMLElement) => within(place).getAllByRole("link")[0]?.getAttribute("href") ?? "";

beforeEach(() => credential.signIn("token", "admin", Date.now()));
afterEach(() => {
  cleanup();
  sealing.choose(false);
  sealing.gather(false);
  credential.signOut("loggedOut");
});

describe("the upload page with the switch on", () => {
  test("seals each file with a key of its own, and gives links with keys", async () => {
    await using server = pageServer();
    const { user, pick, until } = await openUpload(server);
    await user.click(toggle("Sealed"));
    await pick(small("a"), small("b"));
    await user.click(button("Upload 2 files"));
    await until(() => states().every((state) => state === "completed"));
    const links = ["a", "b"].map((name) => new URL(linkIn(rowOf(name))));
    for (const [at, { pathname, hash }] of links.entries()) {
      expect(pathname).toMatch(/^\/s\//);
      const content = server.bytes(pathname.slice(3)) ?? new Uint8Array();
      const plain = await opened(sourceOf(content), { identity: hash.slice(1) });
      expect(Buffer.from(plain).toString()).toBe(["a", "b"][at] ?? "");
    }
    await user.click(button("Copy all links"));
    expect(await navigator.clipboard.readText()).toBe(links.join("\n"));
    await user.click(within(rowOf("a")).getByRole("button", { name: "Copy link" }));
    expect(await navigator.clipboard.readText()).toBe(`${links[0]}`);
    expect(JSON.stringify(server.calls)).not.toMatch(/AGE-SECRET|x-test/);
  });

  test("puts several into one link, and offers that for several alone", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    await user.click(toggle("Sealed"));
    await pick(small("a"));
    expect(screen.queryByRole("switch", { name: /^All in one link/ })).toBeNull();
    await pick(small("b"));
    await user.click(toggle("All in one link"));
    await user.click(button("Upload 2 files"));
    const { pathname, hash } = new URL(linkIn(await screen.findByRole("region", { name: "Your link" })));
    expect(states()).toEqual(["completed"]);
    const content = server.bytes(pathname.slice(3)) ?? new Uint8Array();
    const entries = readZip(await opened(sourceOf(content), { identity: hash.slice(1) }));
    expect(entries.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(screen.getByText(/The key is in this link and nowhere else/)).toBeDefined();
    expect(screen.queryByRole("button", { name: "Copy direct link" })).toBeNull();
  });

  test("tells of files that can no longer be read, and keeps them in the list", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    await user.click(toggle("Sealed"));
    const broken = Object.assign(small("b"), {
      stream: () => new ReadableStream({ pull: () => Promise.reject(new DOMException("gone", "NotReadableError")) }),
    });
    await pick(small("a"), broken);
    await user.click(toggle("All in one link"));
    await user.click(button("Upload 2 files"));
    expect((await screen.findByRole("alert")).textContent).toContain("can no longer read this file");
    expect(states()).toEqual(["idle", "idle"]);
    await waitFor(() => expect(button("Upload 2 files")).toBeDefined());
  });
});
