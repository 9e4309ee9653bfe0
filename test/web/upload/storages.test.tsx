import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { FailureCode } from "#contract/failures";
import { credential } from "../../../web/api/session/credential.ts";
import { refusal } from "../../support/page-servers/fake-server.ts";
import { fileOf, largeFile } from "../../support/page-servers/uploads-at.ts";
import { openUpload, pageServer, rowOf, small, states, storage } from "./open-upload.tsx";

const GiB = 1024 ** 3;
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const chip = () => screen.findByRole("button", { name: /^Storage:/ });

beforeEach(() => credential.signIn("token", "admin", Date.now()));

describe("the choice of a storage", () => {
  test("tells provider, the default one and what each still takes", async () => {
    const storages = [
      storage("a", { name: "Attic", free_bytes: 1.2 * GiB, limit_bytes: 10 * GiB }),
      storage("b", { name: "Barn", provider_type: "MinIO", is_default: 0 }),
      storage("c", { name: "Cellar", provider_type: "AWS S3", is_default: 0, limit_bytes: GiB }),
      storage("d", { name: "Den", provider_type: "Other", is_default: 0, free_bytes: 3 * GiB }),
    ];
    await using server = pageServer({ storages });
    const { user } = await openUpload(server);
    await user.click(await chip());
    const choices = within(screen.getByRole("dialog", { name: "Storage" })).getAllByRole("button");
    expect(choices.map(({ textContent }) => textContent)).toEqual([
      "Attic (Built-in disk)default1.2 GB free of 10 GB",
      "Barn (MinIO)unlimited space",
      "Cellar (AWS S3)free space unknown",
      "Den (Other S3 storage)3 GB free",
    ]);
  });

  test("says before anything is sent which one cannot take the files, as long as they are in the list", async () => {
    const storages = [
      storage("a", { name: "Attic", free_bytes: 2000, limit_bytes: GiB }),
      storage("b", { name: "Barn", is_default: 0, free_bytes: 3000 }),
    ];
    await using server = pageServer({ storages });
    const { user, pick } = await openUpload(server);
    await pick(fileOf("one", 1500));
    await chip();
    expect(screen.queryByText(/only .* left/)).toBeNull();
    await pick(fileOf("two", 1000));
    expect(screen.getByText("2.4 KB to upload, but “Attic” has only 2 KB left.")).toBeDefined();
    await user.click(await chip());
    const [attic, barn] = within(screen.getByRole("dialog", { name: "Storage" })).getAllByRole("button");
    expect([attic?.textContent, barn?.textContent]).toEqual([
      "Attic (Built-in disk)default2 KB free of 1 GB · too little for these files",
      "Barn (Built-in disk)2.9 KB free",
    ]);
    if (barn) await user.click(barn);
    expect(screen.queryByText(/only .* left/)).toBeNull();
    await user.click(await chip());
    expect(document.activeElement?.textContent).toStartWith("Barn");
    await user.click(screen.getByRole("button", { name: /^Attic/ }));
    await user.click(button("Remove from list: one"));
    expect(screen.queryByText(/only .* left/)).toBeNull();
  });

  test("is none with a single storage, which is said to be too small all the same", async () => {
    await using server = pageServer({ storages: [storage("a", { name: "Attic", free_bytes: 10 })] });
    const { pick } = await openUpload(server);
    await pick(fileOf("one", 1500));
    expect(await screen.findByText("1.5 KB to upload, but “Attic” has only 10 B left.")).toBeDefined();
    expect(screen.queryByRole("button", { name: /^Storage:/ })).toBeNull();
  });
});

describe("a storage that the browser cannot reach", () => {
  test("is gone round, which the row says on the way and afterwards", async () => {
    await using server = pageServer({ unreachable: true });
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const { user, pick, until } = await openUpload(server);
    await pick(largeFile("a"));
    await user.click(button("Upload"));
    const sentence = "this browser cannot reach the storage; the file goes through the server";
    await waitFor(() => expect(rowOf("a").textContent).toContain(sentence));
    await user.click(button("Pause: a"));
    expect(rowOf("a").textContent).toContain(sentence);
    gate.resolve(undefined);
    await user.click(button("Resume: a"));
    await until(() => states()[0] === "completed");
    expect(rowOf("a").textContent).toContain("33 MB·through the server·localhost:8787/file/");
    expect(within(rowOf("a")).getByTitle(sentence)).toBeDefined();
  });
});

describe("a storage that does not work", () => {
  test.each([
    ["storage.unreachable", /^The storage is not responding properly/],
    ["storage.broken", /^The storage is not responding properly/],
    ["storage.refused", /^This storage is not set up properly/],
    ["storage.bucketMissing", /^This storage is not set up properly/],
    ["storage.region", /^This storage is not set up properly/],
    ["storage.clock", /^This storage is not set up properly/],
    ["storage.missing", /^This storage no longer exists/],
  ] as readonly (readonly [FailureCode, RegExp])[])(
    "(%s) is told as what it means here, and another one can be chosen",
    async (code, words) => {
      await using server = pageServer({ storages: [storage("a"), storage("b", { name: "Barn", is_default: 0 })] });
      server.instead((line) => (line === "POST /s3/presign" ? refusal(code, "for administrators") : undefined));
      const { user, pick } = await openUpload(server);
      await pick(small("a"));
      await user.click(button("Upload"));
      const panel = await screen.findByRole("dialog", { name: "Storage" });
      expect(within(rowOf("a")).getByText(words)).toBeDefined();
      server.instead(() => undefined);
      await user.click(within(panel).getByRole("button", { name: /^Barn/ }));
      await user.click(button("Try again"));
      await waitFor(() => expect(states()).toEqual(["completed"]));
      expect(server.calls.findLast(({ line }) => line === "POST /s3/presign")?.body).toMatchObject({
        s3_config_id: "b",
      });
    },
  );

  test.each([
    [400, "The storage refused this file (400)."],
    [403, "The storage does not allow writing (403)."],
    [404, "The storage does not know this upload"],
    [500, "The storage is not working right now (500)."],
  ])("(%d) is told by how it answers", async (status, words) => {
    await using server = pageServer();
    server.onPut(() => new Response(null, { status }));
    const { user, pick } = await openUpload(server);
    await pick(small("a"));
    await user.click(button("Upload"));
    await waitFor(() => expect(rowOf("a").textContent).toContain(words));
  });
});
