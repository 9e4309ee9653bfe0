import { expect, test } from "bun:test";
import { createSeals } from "../../../src/lib/secret.ts";

const seals = createSeals("a secret for tests only");

test.each(["key-1234", "", "ключ 钥匙 🔑", "x".repeat(5000)])("what is sealed comes back: %s", (text) => {
  const sealed = seals.seal(text, "api key 1");
  expect(seals.open(sealed, "api key 1")).toBe(text);
  if (text) expect(sealed).not.toContain(text);
});

test("the same text never looks the same twice", () => {
  expect(seals.seal("key-1234", "a")).not.toBe(seals.seal("key-1234", "a"));
});

test("another purpose or another server opens nothing", () => {
  const sealed = seals.seal("key-1234", "api key 1");
  expect(seals.open(sealed, "api key 2")).toBeUndefined();
  expect(seals.open(sealed, "")).toBeUndefined();
  expect(createSeals("another secret for tests").open(sealed, "api key 1")).toBeUndefined();
});

test("no altered byte goes unnoticed", () => {
  const bytes = Buffer.from(seals.seal("key-1234", "a"), "base64url");
  for (let index = 0; index < bytes.length; index++) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
    expect(seals.open(altered.toString("base64url"), "a")).toBeUndefined();
  }
});

test("what is cut off, drawn out or no sealed value at all opens nothing", () => {
  const bytes = Buffer.from(seals.seal("key-1234", "a"), "base64url");
  for (let length = 0; length < bytes.length; length++)
    expect(seals.open(bytes.subarray(0, length).toString("base64url"), "a")).toBeUndefined();
  expect(seals.open(Buffer.concat([bytes, bytes.subarray(0, 1)]).toString("base64url"), "a")).toBeUndefined();
  for (const nonsense of ["", "%%%", "钥匙", "key-1234"]) expect(seals.open(nonsense, "a")).toBeUndefined();
});
