import { beforeEach, describe, expect, test } from "bun:test";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { handedOver } from "../../../web/ui/file-drop/dropped.ts";
import { largeFile } from "../../support/page-servers/uploads-at.ts";
import { openUpload, pageServer, rowOf, small, states } from "./open-upload.tsx";

const MiB = 1024 * 1024;
/** A file that says to be so large. */
const sized = (name: string, size: number): File => Object.defineProperty(small(name), "size", { value: size });
const names = () => Array.from(document.querySelectorAll("li bdi"), (name) => name.textContent);

beforeEach(() => credential.signIn("token", "admin", Date.now()));

describe("the list", () => {
  test("refuses files above the limit by name, and takes the others", async () => {
    await using server = pageServer({ limit: 2 });
    const { user, pick } = await openUpload(server);
    await screen.findByText("Up to 2 MB per file");
    await pick(sized("exactly.bin", 2 * MiB), sized("over.bin", 2 * MiB + 1));
    expect(names()).toEqual(["exactly.bin"]);
    expect(screen.getByRole("alert").textContent).toBe(
      "“over.bin” is 2 MB; the limit is 2 MB per file. It was not added.",
    );
    await pick(sized("a", 3 * MiB), sized("b", 3 * MiB), sized("c", 3 * MiB), sized("d", 3 * MiB));
    expect(screen.getByRole("alert").textContent).toBe(
      "4 files are over the limit of 2 MB per file and were not added: a, b, c and more.",
    );
    await user.click(screen.getByRole("button", { name: "Got it" }));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(names()).toEqual(["exactly.bin"]);
  });

  test("refuses nothing while the limit is not known, and takes out again what was too large", async () => {
    await using server = pageServer();
    const { promise, resolve } = Promise.withResolvers<Response>();
    server.instead((line) => (line === "GET /system/max-upload-size" ? promise : undefined));
    const { pick } = await openUpload(server);
    await pick(sized("a", 300 * MiB), small("b"));
    expect(names()).toEqual(["a", "b"]);
    resolve(Response.json({ data: { max_upload_size: 100 } }));
    await waitFor(() => expect(names()).toEqual(["b"]));
    expect(screen.getByRole("alert").textContent).toContain("“a” is 300 MB; the limit is 100 MB per file.");
  });

  test("shows the usual limit when the server does not say, and refuses nothing for it", async () => {
    await using server = pageServer({ limit: null });
    const { pick } = await openUpload(server);
    await screen.findByText("Up to 100 MB per file");
    await pick(sized("a", 300 * MiB));
    expect(names()).toEqual(["a"]);
  });

  test("refuses names that no file can have on the server", async () => {
    await using server = pageServer();
    const { pick } = await openUpload(server);
    const long = `${"n".repeat(252)}.txt`;
    await pick(small(long), small("a\\b"), small("fits"));
    expect(names()).toEqual(["fits"]);
    expect(screen.getByRole("alert").textContent).toBe(
      `A file's name can have 255 characters; not added: ${"n".repeat(40)}….` +
        "The name contains characters that are not allowed; not added: a\\b.",
    );
  });

  test("takes pasted text as a file, where no field takes it and no address is asked for", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    const paste = (text: string, at: Element) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      fireEvent(at, new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    };
    await pick(small("first"));
    paste("Hello", document.body);
    await waitFor(() => expect(names()).toHaveLength(2));
    expect(names()[1]).toMatch(/^Pasted text .*\.txt$/);
    await user.click(screen.getByRole("tab", { name: /URL/ }));
    paste("https://share.example/a.zip", document.body);
    await user.click(screen.getByRole("tab", { name: /device/ }));
    expect(names()).toHaveLength(2);
  });

  test("passes over what is there already, with a quiet word", async () => {
    await using server = pageServer();
    const { pick } = await openUpload(server);
    await pick(small("a"), small("b"));
    await pick(small("a"));
    expect(screen.getByText("“a” is already in the list.")).toBeDefined();
    await pick(small("a"), small("b"), small("c"));
    expect(screen.getByText("2 files are already in the list.")).toBeDefined();
    expect(names()).toEqual(["a", "b", "c"]);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("takes what is dropped anywhere, the files of folders too", async () => {
    await using server = pageServer();
    await openUpload(server);
    const deep = folder("deep", [fileEntry(small("inner.txt")), fileEntry(small(".DS_Store"))]);
    const top = folder("top", [fileEntry(small("one.txt")), deep]);
    const dataTransfer = dropOf([fileEntry(small("plain.txt")), top, folder("closed", undefined)]);
    fireEvent.dragOver(document.body, { dataTransfer });
    expect(screen.getByText("Drop to add to the list")).toBeDefined();
    fireEvent.drop(document.body, { dataTransfer });
    await waitFor(() => expect(names()).toEqual(["plain.txt", "one.txt", "inner.txt"]));
    expect(screen.getByRole("alert").textContent).toBe("The folder “closed” could not be read.");
    expect(screen.queryByText("Drop to add to the list")).toBeNull();
  });

  test("says that a folder was empty", async () => {
    await using server = pageServer();
    await openUpload(server);
    fireEvent.drop(document.body, { dataTransfer: dropOf([folder("empty", [])]) });
    expect(await screen.findByText("There are no files in the folder.")).toBeDefined();
  });

  test("gives a pasted picture a name, and leaves text with a picture of it to the fields", async () => {
    await using server = pageServer();
    await openUpload(server);
    const picture = new File(["x"], "image.png", { type: "image/png" });
    const office = { types: ["text/plain", "text/html", "Files"], files: [picture] };
    fireEvent.paste(document.body, { clipboardData: office });
    fireEvent.paste(document.body, { clipboardData: { types: ["Files"], files: [picture] } });
    await waitFor(() => expect(names()).toHaveLength(1));
    expect(names()[0]).toMatch(/^Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);
  });

  test("begins with what another page has handed over", async () => {
    await using server = pageServer();
    handedOver.set({ files: [small("from-home.zip")], folders: [], pasted: false, onto: null });
    await openUpload(server);
    await waitFor(() => expect(names()).toEqual(["from-home.zip"]));
    expect(handedOver.get()).toBeUndefined();
  });
});

describe("an upload that an earlier visit did not finish", () => {
  test("is told of, goes on with the same file, and keeps its link", async () => {
    await using server = pageServer();
    const { uploads, until, user, pick } = await openUpload(server);
    server.onPut(({ part }) => (part > 2 ? new Response(null, { status: 400 }) : undefined));
    await pick(largeFile("large.bin"));
    await user.click(screen.getByRole("button", { name: "Upload" }));
    await waitFor(() => expect(states()).toEqual(["failed"]));
    expect(rowOf("large.bin").textContent).toContain(
      "Some parts did not arrive. Trying again sends only what is missing.",
    );
    await user.click(screen.getByRole("button", { name: "Remove from list: large.bin" }));
    const told = await screen.findByText(/^“large.bin” was not finished last time: 10 MB of 33 MB uploaded\./);
    expect(told).toBeDefined();

    server.onPut(() => undefined);
    server.puts.length = 0;
    await pick(largeFile("large.bin"));
    expect(rowOf("large.bin").textContent).toContain(
      "not finished last time: continues with the options it began with",
    );
    expect(screen.queryByText(/was not finished last time/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Upload" }));
    await waitFor(() =>
      expect(rowOf("large.bin").textContent).toContain("with the link, password and expiry of last time"),
    );
    await until(() => !uploads.isBusy());
    await waitFor(() => expect(states()).toEqual(["completed"]));
    expect(server.parts().toSorted()).toEqual([3, 4, 5, 6, 7]);
  });

  test("goes on with the options that it began with where nobody chooses others, and says which", async () => {
    await using server = pageServer();
    const { uploads, until, user, pick } = await openUpload(server);
    server.onPut(({ part }) => (part > 2 ? new Response(null, { status: 400 }) : undefined));
    await pick(largeFile("large.bin"));
    await user.click(screen.getByRole("button", { name: /^Views:/ }));
    await user.click(screen.getByRole("button", { name: "5" }));
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(states()).toEqual(["failed"]));
    await user.click(screen.getByRole("button", { name: "Remove from list: large.bin" }));
    await screen.findByText(/with the options it began with: never expires · at most 5 views\.$/);
    // As after a reload, which forgets what was chosen.
    await user.click(screen.getByRole("button", { name: /^Views:/ }));
    await user.click(screen.getByRole("button", { name: "Unlimited" }));
    server.onPut(() => undefined);
    server.puts.length = 0;
    await pick(largeFile("large.bin"));
    expect(rowOf("large.bin").textContent).toContain("(never expires · at most 5 views)");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await until(() => !uploads.isBusy());
    await waitFor(() => expect(states()).toEqual(["completed"]));
    expect(server.asked("POST /s3/multipart/init")).toBe(1);
    expect(server.parts().toSorted()).toEqual([3, 4, 5, 6, 7]);
  });

  test("with a password wants the same password", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    server.onPut(({ part }) => (part > 2 ? new Response(null, { status: 400 }) : undefined));
    await pick(largeFile("large.bin"));
    await user.click(screen.getByRole("button", { name: /^Password:/ }));
    await user.type(screen.getByLabelText("Password", { selector: "input" }), "sesame-9-lane{Enter}");
    await user.click(screen.getByRole("button", { name: "Upload" }));
    await waitFor(() => expect(states()).toEqual(["failed"]));
    await user.click(screen.getByRole("button", { name: "Remove from list: large.bin" }));
    await screen.findByText(/Choose the same file with the same options to continue from there\.$/);
  });

  test("can be given up after a question", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    server.onPut(({ part }) => (part > 2 ? new Response(null, { status: 400 }) : undefined));
    await pick(largeFile("large.bin"));
    await user.click(screen.getByRole("button", { name: "Upload" }));
    await waitFor(() => expect(states()).toEqual(["failed"]));
    await user.click(screen.getByRole("button", { name: "Remove from list: large.bin" }));
    await user.click(await screen.findByRole("button", { name: "Discard" }));
    const question = await screen.findByRole("dialog");
    expect(server.stored().length).toBe(1);
    await user.click(within(question).getByRole("button", { name: "Discard" }));
    await waitFor(() => expect(server.stored().length).toBe(0));
    expect(screen.queryByText(/was not finished last time/)).toBeNull();
  });
});

interface Entry {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly asFile: File;
}

const fileEntry = (file: File): Entry & { file: (take: (file: File) => void) => void } => ({
  name: file.name,
  isDirectory: false,
  isFile: true,
  asFile: file,
  file: (take) => take(file),
});

/** A folder as browsers show it: one portion of entries, then an empty one; undefined cannot be read. */
const folder = (name: string, entries: readonly Entry[] | undefined) => ({
  name,
  isDirectory: true,
  isFile: false,
  asFile: small(name),
  createReader() {
    let portions = [entries, []];
    return {
      readEntries(take: (entries: readonly Entry[]) => void, refuse: (error: unknown) => void) {
        const [portion] = portions;
        portions = portions.slice(1);
        if (portion) take(portion);
        else refuse(new Error("NotReadableError"));
      },
    };
  },
});

/** What a drop event carries; a folder is among the files, too. */
const dropOf = (entries: readonly Entry[]) => ({
  types: ["Files"],
  files: entries.map(({ asFile }) => asFile),
  items: entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry })),
});
