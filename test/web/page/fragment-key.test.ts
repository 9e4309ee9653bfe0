import { describe, expect, test } from "bun:test";
import { renderHook } from "@testing-library/react";
import { keyIn, useKey } from "../../../web/page/fragment-key.ts";
import { newIdentity } from "../../../web/sealed/locks.ts";

describe("a pasted key", () => {
  test.each([
    ["a link", (key: string) => `https://share.example/s/Tp4sQe#${key}`],
    ["small letters", (key: string) => key.toLowerCase()],
    ["two lines", (key: string) => `${key.slice(0, 40)}\r\n${key.slice(40)}`],
    ["two quoted lines", (key: string) => `> the key: ${key.slice(0, 40)}\n> ${key.slice(40)}`],
    // What is pasted into a field of one line has blanks in place of its line breaks.
    ["blanks", (key: string) => `  ${key.slice(0, 9)} ${key.slice(9, 60)}\u200b ${key.slice(60)} `],
    ["a sentence", (key: string) => `It is "${key}", and the rest is history.`],
    ["signs of an address", (key: string) => `<https://share.example/s/a#${encodeURIComponent(key)}>.`],
  ])("is found in %s", async (_, write) => {
    const key = await newIdentity();
    expect(keyIn(write(key))).toBe(key);
  });

  test("that is none is no other key", () => {
    expect(keyIn("age-secret-key-1abc def")).toBe("AGE-SECRET-KEY-1ABCDEF");
    expect(keyIn("100% none")).toBe("100NONE");
  });
});

describe("the key in an address", () => {
  test.each(["/s/a#KEY", "/S/a#KEY", "/s/a/?b=1#%20KEY", "/s/a#key=KEY.", "/s/a#age-secret-key-1cut"])(
    "is taken out of %s",
    async (address) => {
      const key = await newIdentity();
      window.history.replaceState(null, "", address.replace("KEY", key));
      window.dispatchEvent(new HashChangeEvent("hashchange"));
      expect(window.location.hash).toBe("");
      expect(renderHook(() => useKey("a")).result.current).toBe(address.includes("KEY") ? key : "AGE-SECRET-KEY-1CUT");
    },
  );

  test("stays where it is none of a sealed share", () => {
    for (const address of ["/in/a#age1abc", "/s/a#heading", "/paste/a#AGE-SECRET-KEY-1"]) {
      window.history.replaceState(null, "", address);
      window.dispatchEvent(new HashChangeEvent("hashchange"));
      expect(window.location.pathname + window.location.hash).toBe(address);
    }
  });
});
