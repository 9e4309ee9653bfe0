import { beforeEach, describe, expect, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { fileOf } from "../../support/page-servers/uploads-at.ts";
import { openUpload, pageServer, rowOf, small, states, storage } from "./open-upload.tsx";

const uploadButton = (name: string | RegExp = "Upload") => screen.getByRole("button", { name }) as HTMLButtonElement;
const chip = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name}:`) });

beforeEach(() => credential.signIn("token", "admin", Date.now()));

describe("the upload page", () => {
  test("begins as one large drop zone with the limit, and nothing to upload", async () => {
    await using server = pageServer({ limit: 10_240 });
    await openUpload(server);
    expect(await screen.findByText("Up to 10 GB per file")).toBeDefined();
    expect(screen.getByText("Drop files or folders here")).toBeDefined();
    expect(uploadButton().disabled).toBe(true);
    expect(uploadButton().title).toBe("Add files first");
    expect(await screen.findByText(/^Nothing uploaded yet/)).toBeDefined();
    expect(screen.queryByRole("button", { name: /^Storage:/ })).toBeNull();
  });

  test("one file becomes a link that is on the clipboard, and the list of recent ones is asked again", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    await screen.findByText(/^Nothing uploaded yet/);
    await pick(small("a.txt"));
    expect(states()).toEqual(["idle"]);
    await user.click(uploadButton());
    const result = await screen.findByRole("region", { name: "Your link" });
    expect(within(result).getByText("Link created and copied")).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/file/random1");
    expect(within(rowOf("a.txt")).getByRole("link", { name: "localhost:8787/file/random1" })).toBeDefined();
    await waitFor(() => expect(server.asked("GET /files")).toBe(2));

    await user.click(within(result).getByRole("button", { name: "Copy direct link" }));
    expect(await navigator.clipboard.readText()).toBe(`${server.base}/api/file-download/random1`);
    await user.click(within(result).getByRole("button", { name: "Upload more" }));
    expect(uploadButton().disabled).toBe(true);
    await user.click(screen.getByRole("button", { name: "Clear finished" }));
    expect(screen.getByText("Drop files or folders here")).toBeDefined();
  });

  test("asks for the lists again not with each of many files, but with the last", async () => {
    await using server = pageServer();
    const gates = new Map<string, PromiseWithResolvers<undefined>>();
    server.onPut(({ filename }) => {
      const gate = Promise.withResolvers<undefined>();
      gates.set(filename, gate);
      return gate.promise;
    });
    const { user, pick } = await openUpload(server);
    await screen.findByText(/^Nothing uploaded yet/);
    await pick(small("a"), small("b"), small("c"), small("d"));
    await user.click(uploadButton("Upload 4 files"));
    const began = performance.now();
    let asked = 0;
    for (const [index, name] of ["a", "b", "c", "d"].entries()) {
      await waitFor(() => expect(gates.has(name)).toBe(true));
      asked = server.asked("GET /files");
      await act(async () => gates.get(name)?.resolve(undefined));
      await waitFor(() => expect(states().filter((state) => state === "completed")).toHaveLength(index + 1));
      await waitFor(() => expect(server.asked("GET /files")).toBeGreaterThan(1));
    }
    await waitFor(() => expect(server.asked("GET /files")).toBeGreaterThan(asked));
    const seconds = Math.ceil((performance.now() - began) / 1000);
    expect(server.asked("GET /files")).toBeLessThanOrEqual(2 + seconds);
  });

  test("the options reach the call, and several files with one suffix are numbered, which is said where it is set", async () => {
    const other = storage("other", { name: "Attic", provider_type: "Cloudflare R2", is_default: 0 });
    await using server = pageServer({ storages: [storage("store"), { ...other, free_bytes: 3 * 1024 ** 3 }] });
    const { user, pick } = await openUpload(server);
    await pick(small("a.txt"), small("b.txt"));
    await user.click(chip("Link suffix"));
    expect(screen.getByText(/Several files get -1, -2/)).toBeDefined();
    await user.type(screen.getByRole("textbox", { name: "Your own suffix" }), "mine{Enter}");
    expect(chip("Link suffix").textContent).toBe("/file/mine");
    await user.click(chip("Views"));
    await user.click(screen.getByRole("button", { name: "5" }));
    await user.click(chip("Storage"));
    await user.click(screen.getByRole("button", { name: /^Attic \(Cloudflare R2\)\s*3 GB free$/ }));
    await user.click(chip("Folder"));
    await user.type(screen.getByRole("textbox", { name: "Keep in folder" }), "2026/photos{Enter}");
    expect(chip("Folder").textContent).toBe("2026/photos");
    await user.keyboard("{Control>}{Enter}{/Control}");

    expect(await screen.findByText("All 2 files are uploaded.")).toBeDefined();
    const bodies = server.calls.filter(({ line }) => line === "POST /s3/presign").map(({ body }) => body);
    expect(bodies.map(({ slug }) => slug)).toEqual(["mine-1", "mine-2"]);
    expect(bodies[0]).toMatchObject({ max_views: 5, s3_config_id: "other", path: "2026/photos", expires_at: null });
    await user.click(screen.getByRole("button", { name: "Copy all links" }));
    expect(await navigator.clipboard.readText()).toBe(
      "http://localhost:8787/file/mine-1\nhttp://localhost:8787/file/mine-2",
    );
    // The next files go to the same place, but nothing else of it is theirs.
    await pick(small("c.txt"));
    expect(chip("Link suffix").textContent).toBe("random link");
    expect(chip("Views").textContent).toBe("unlimited views");
    expect(chip("Storage").textContent).toBe("Attic");
  });

  test("Ctrl+Enter with nothing in the list says so, until something changes", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.getByText("Add files first")).toBeDefined();
    await pick(small("a"));
    await user.click(screen.getByRole("button", { name: "Remove from list: a" }));
    expect(screen.queryByText("Add files first")).toBeNull();
    expect(server.lines()).not.toContain("POST /s3/presign");
  });

  test("options that cannot be are not sent", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    await pick(small("a.txt"));
    await user.click(chip("Folder"));
    await user.type(screen.getByRole("textbox", { name: "Keep in folder" }), "a/../b{Enter}");
    await user.click(uploadButton());
    expect(screen.getByRole("alert").textContent).toContain("A folder's name cannot hold");
    expect(states()).toEqual(["idle"]);
    expect(server.lines()).not.toContain("POST /s3/presign");
  });

  test("files that are added while others run wait for the next press, with options of their own", async () => {
    await using server = pageServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const { user, pick } = await openUpload(server);
    await pick(small("a.txt"));
    await user.click(uploadButton());
    await waitFor(() => expect(server.inFlight()).toBe(1));
    expect(screen.queryByRole("button", { name: "Upload" })).toBeNull();
    await pick(small("b.txt"));
    await user.click(chip("Views"));
    await user.click(screen.getByRole("button", { name: "10" }));
    gate.resolve(undefined);
    await waitFor(() => expect(states()).toEqual(["completed", "idle"]));
    expect(chip("Views").textContent).toBe("at most 10 views");
    await user.click(uploadButton());
    await waitFor(() => expect(states()).toEqual(["completed", "completed"]));
    const bodies = server.calls.filter(({ line }) => line === "POST /s3/presign").map(({ body }) => body);
    expect(bodies).toMatchObject([{ max_views: 0 }, { max_views: 10 }]);
  });

  test("speaks Chinese", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    await act(() => setLanguage("zh"));
    expect(await screen.findByText("把文件或文件夹拖到这里")).toBeDefined();
    expect(await screen.findByText(/^还没有上传过文件/)).toBeDefined();
    await pick(small("甲.txt"), fileOf("乙.bin", 2048));
    expect(rowOf("甲.txt").textContent).toContain("待上传");
    await user.click(uploadButton("上传 2 个文件"));
    expect(await screen.findByText("2 个文件全部上传成功。")).toBeDefined();
  });
});
