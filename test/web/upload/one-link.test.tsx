import { afterEach, describe, expect, test } from "bun:test";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { sealing } from "../../../web/page/sealing.ts";
import { answer } from "../../support/page-servers/fake-server.ts";
import { linkRecord } from "../../support/page-servers/link-record.ts";
import { signInWithKey } from "../../support/pages/key-session.ts";
import { openUpload, pageServer, small, states } from "./open-upload.tsx";

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const oneLink = () => screen.queryByRole("button", { name: "One link for all" });

afterEach(() => {
  cleanup();
  sealing.choose(false);
  credential.signOut("loggedOut");
});

describe("several files that have arrived", () => {
  test("become one link, which is copied", async () => {
    credential.signIn("token", "admin", Date.now());
    await using server = pageServer();
    server.instead((line) => {
      if (line === "POST /links") return answer({ data: linkRecord({ slug: "s-all", url: "/s/s-all" }) });
      if (line.startsWith("GET /links/"))
        return answer({ data: { s3: null, dav_address: null, texts: [], form: null } });
      return undefined;
    });
    const { user, pick, until } = await openUpload(server);
    await pick(small("a.txt"), small("b.txt"));
    expect(oneLink()).toBeNull();
    await user.click(button("Upload 2 files"));
    await until(() => states().every((state) => state === "completed"));
    await user.click(await screen.findByRole("button", { name: "One link for all" }));
    const dialog = await screen.findByRole("dialog", { name: "Create a link" });
    expect(dialog.textContent).toContain("a.txt · b.txt");
    expect(within(dialog).queryByText(/do not apply to this link/)).toBeNull();
    // Files do not change by themselves.
    expect(within(dialog).queryByText(/Folders stay live/)).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Create link" }));
    await waitFor(() => expect(server.asked("POST /links")).toBe(1));
    const ids = server.stored().map(({ id }) => ({ file: id }));
    expect(server.calls.find(({ line }) => line === "POST /links")?.body).toMatchObject({ items: ids });
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/s/s-all");
  });

  test("are no link of whoever may look at no mount", async () => {
    signInWithKey("file_share");
    await using server = pageServer();
    const { user, pick, until } = await openUpload(server);
    await pick(small("a.txt"), small("b.txt"));
    await user.click(button("Upload 2 files"));
    await until(() => states().every((state) => state === "completed"));
    await screen.findByRole("button", { name: "Copy all links" });
    expect(oneLink()).toBeNull();
  });

  test("that are sealed are left out, which is said", async () => {
    credential.signIn("token", "admin", Date.now());
    await using server = pageServer();
    const { user, pick, until } = await openUpload(server);
    await pick(small("a.txt"), small("b.txt"));
    await user.click(button("Upload 2 files"));
    await until(() => states().every((state) => state === "completed"));
    sealing.choose(true);
    await pick(small("c.txt"), small("d.txt"));
    await user.click(button("Upload 2 files"));
    await until(() => states().length === 4 && states().every((state) => state === "completed"));
    await user.click(await screen.findByRole("button", { name: "One link for all" }));
    expect(await screen.findByText(/^2 sealed files are left out/)).toBeDefined();
  });
});
