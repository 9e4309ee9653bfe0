import { expect, test } from "bun:test";
import { createTextSealing } from "../../../web/features/paste/home/seal-text.ts";
import { openNames } from "../../../web/sealed/names.ts";
import { noOptions } from "../../../web/ui/share-options/options.ts";
import { opened, sourceOf } from "../../support/files/sealed.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import { portsAt } from "../../support/page-servers/uploads-at.ts";

const options = { ...noOptions, slug: "mine" };

/** The sealed names with which the last share was begun. */
const namesTold = (server: ReturnType<typeof uploadServer>): string => {
  const begun = server.calls.findLast(({ line }) => line === "POST /s3/presign");
  return (begun?.body as { sealed?: string } | undefined)?.sealed ?? "";
};

test.each([
  ["# A *title*\n\ntext", false, "", "A title.md", "text/markdown"],
  ["# A *title*\n\ntext", true, "", "# A title.txt", "text/plain"],
  ["text", false, "../My: note", "My note.md", "text/markdown"],
  ["---", false, "", "text.md", "text/markdown"],
])("%p, plain %p, with the note %p, is a file with a name", async (text, plain, remark, name, type) => {
  await using server = uploadServer();
  const seal = createTextSealing(portsAt(server.base).ports);
  const { file, key } = await seal({ text, options: { ...options, remark }, plain });
  expect(await openNames(namesTold(server), { identity: key })).toMatchObject({
    name,
    kind: "text",
    type: expect.stringContaining(type),
  });
  const bytes = server.bytes(file.slug) ?? new Uint8Array();
  expect(Buffer.from(await opened(sourceOf(bytes), { identity: key })).toString()).toBe(text);
});

test("a text whose answer was lost is the same share when the button is pressed again", async () => {
  await using server = uploadServer();
  const seal = createTextSealing(portsAt(server.base).ports);
  const wanted = { text: "once", options, plain: false };
  server.loseAnswer("POST /s3/commit");
  await expect(seal(wanted)).rejects.toMatchObject({ status: 504 });
  await expect(seal(wanted)).resolves.toMatchObject({ file: { slug: "mine" } });
  expect(server.stored().length).toBe(1);
});

test("what has failed says so at once, and makes way for another text", async () => {
  await using server = uploadServer();
  const seal = createTextSealing(portsAt(server.base).ports);
  server.onPut(() => new Response(null, { status: 503 }));
  await expect(seal({ text: "one", options, plain: false })).rejects.toMatchObject({ code: "putRefused" });
  server.onPut(() => undefined);
  const { file, key } = await seal({ text: "two", options: { ...options, slug: "other" }, plain: false });
  const bytes = server.bytes(file.slug) ?? new Uint8Array();
  expect(Buffer.from(await opened(sourceOf(bytes), { identity: key })).toString()).toBe("two");
  expect(server.bytes("mine")).toBeUndefined();
});
