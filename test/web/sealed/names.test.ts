import { expect, test } from "bun:test";
import { join } from "node:path";
import { isIdentity, isRecipient, type Key, newIdentity, recipientOf } from "../../../web/sealed/locks.ts";
import { openNames, type SealedNames, sealNames } from "../../../web/sealed/names.ts";
import { sealFile } from "../../../web/sealed/seal.ts";
import { opened, sealedBytes, sourceOf } from "../../support/files/sealed.ts";
import { root } from "../../support/sources.ts";

const identity = await newIdentity();
const names: SealedNames = { name: "report \u{1f600}.pdf", type: "application/pdf", kind: "file", size: 12_345 };

/** Names as a stranger may have sealed them. */
const forged = async (said: unknown) => (await sealedBytes(new Blob([JSON.stringify(said)]), { identity })).toBase64();

test("names come back, whatever they are sealed with", async () => {
  expect(await openNames(await sealNames(names, { identity }), { identity })).toEqual(names);
  expect(await openNames(await sealNames(names, { recipient: await recipientOf(identity) }), { identity })).toEqual(
    names,
  );
  expect(await openNames(await sealNames(names, { password: "secret" }), { password: "secret" })).toEqual(names);
});

test("the longest names fit into what a server keeps", async () => {
  const long = { ...names, name: `${"\u6c49".repeat(251)}.txt`, fileKey: new Uint8Array(16).toBase64() };
  const sealed = await sealNames(long, { password: "secret" });
  expect(sealed.length).toBeLessThan(8192);
  expect(await openNames(sealed, { password: "secret" })).toEqual(long);
});

test("a password that has opened the names opens the content without being tried again", async () => {
  const content = new Blob(["content"]);
  const sealed = await sealFile(content, { password: "secret" });
  const said = await sealNames({ ...names, fileKey: sealed.state.fileKey.toBase64() }, { password: "secret" });
  const { fileKey = "" } = await openNames(said, { password: "secret" });
  const bytes = await (await sealed.slice(0, sealed.size)).bytes();
  expect(await opened(sourceOf(bytes), { fileKey: Uint8Array.fromBase64(fileKey) })).toEqual(await content.bytes());
});

test("a wrong key, and what was not sealed so, are told apart", async () => {
  const sealed = await sealNames(names, { identity });
  await expect(openNames(sealed, { identity: await newIdentity() })).rejects.toMatchObject({ code: "wrongKey" });
  await expect(openNames(sealed, { password: "x" })).rejects.toMatchObject({ code: "wrongKey" });
  await expect(openNames(sealed.slice(0, -8), { identity })).rejects.toMatchObject({ code: "damaged" });
  await expect(openNames("%", { identity })).rejects.toMatchObject({ code: "notAge" });
  await expect(openNames("A".repeat(9000), { identity })).rejects.toMatchObject({ code: "damaged" });
});

test("what strangers seal is checked and cleaned", async () => {
  const bad: unknown[] = [
    null,
    [],
    "text",
    { ...names, name: 1 },
    { ...names, kind: "folder" },
    { ...names, size: -1 },
    { ...names, size: 1.5 },
    { ...names, size: "1" },
    { ...names, fileKey: "AAAA" },
    { ...names, fileKey: 7 },
  ];
  for (const said of bad)
    await expect(openNames(await forged(said), { identity })).rejects.toMatchObject({ code: "damaged" });
  const notJson = (await sealedBytes(new Blob(["{"]), { identity })).toBase64();
  await expect(openNames(notJson, { identity })).rejects.toMatchObject({ code: "damaged" });
  const nameOf = async (name: string) => (await openNames(await forged({ ...names, name }), { identity })).name;
  expect(await nameOf("../../etc/passwd")).toBe(".._.._etc_passwd");
  expect(await nameOf("..")).toBe("file");
  expect(await nameOf("")).toBe("file");
  expect(await nameOf("a\u202egpj.exe\n")).toBe("a_gpj.exe_");
  expect(await nameOf("\ud800.txt")).toBe("\ufffd.txt");
  expect((await nameOf("x".repeat(4000))).length).toBe(255);
  const typeOf = async (type: string) => (await openNames(await forged({ ...names, type }), { identity })).type;
  expect(await typeOf("text/html\r\nset-cookie: a=b")).toBe("application/octet-stream");
  expect(await typeOf("text/plain; charset=utf-8")).toBe("text/plain; charset=utf-8");
  expect(Object.keys(await openNames(await forged({ ...names, more: 1 }), { identity }))).not.toContain("more");
});

test("the vectors of docs/sealed.md open", async () => {
  const page = await Bun.file(join(root, "docs/sealed.md")).text();
  const [written = ""] = page.match(/AGE-SECRET-KEY-1[0-9A-Z]{58}/) ?? [];
  const [file = "", said = "", locked = ""] = page.match(/(?<=^ {4})YWdl\S+$/gm) ?? [];
  const text = "Meet at nine.\n";
  const contentOf = async (base64: string, key: Key) =>
    new TextDecoder().decode(await opened(sourceOf(Uint8Array.fromBase64(base64)), key));
  expect(await contentOf(file, { identity: written })).toBe(text);
  expect(await contentOf(locked, { password: "correct horse battery staple" })).toBe(text);
  expect(await openNames(said, { identity: written })).toMatchObject({ kind: "text", size: text.length });
});

test("keys are told from other texts by their letters and sums", async () => {
  const recipient = await recipientOf(identity);
  expect(isIdentity(identity)).toBe(true);
  expect(isRecipient(recipient)).toBe(true);
  const swapped = (text: string) => text.slice(0, -1) + (text.endsWith("q") ? "p" : "q");
  const [low, up] = [identity.toLowerCase(), identity.toUpperCase()];
  expect(up).toBe(identity);
  for (const text of [
    "",
    recipient,
    low,
    `${identity} `,
    `${identity}\n`,
    identity.slice(0, -1),
    swapped(low).toUpperCase(),
  ])
    expect(isIdentity(text)).toBe(false);
  for (const text of [
    "",
    identity,
    recipient.toUpperCase(),
    ` ${recipient}`,
    `${recipient}q`,
    swapped(recipient),
    "age1",
    "age1pq1qq",
  ])
    expect(isRecipient(text)).toBe(false);
});
