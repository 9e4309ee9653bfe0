import { describe, expect, test } from "bun:test";
import { ApiFailure, type ApiFailureCode } from "../../../web/api/failure.ts";
import { refusalAt, refusalText } from "../../../web/api/refusals.ts";
import { readSources } from "../../support/sources.ts";

const refused = (code: ApiFailureCode) => new ApiFailure({ code, status: 400, message: "The server's words." });

describe("a refusal", () => {
  test("is told at its field by a form that has it, and by no other", () => {
    expect(refusalAt(refused("slug.taken"), ["slug", "expiry"])).toEqual({
      field: "slug",
      words: "share.problem.slugTaken",
    });
    expect(refusalAt(refused("path.invalid"), ["slug", "expiry"])).toBeUndefined();
    expect(refusalAt(refused("server.busy"), ["slug", "folder"])).toBeUndefined();
    expect(refusalAt(new Error("slug.taken"), ["slug"])).toBeUndefined();
    expect(refusalAt(undefined, ["slug"])).toBeUndefined();
  });

  test("that is about no field has a sentence, which an ended session may leave to the page", () => {
    expect(refusalText(undefined)).toBeUndefined();
    expect(refusalText(refused("server.busy"))).toBe("The server's words.");
    expect(refusalText(refused("auth.expired"))).toBeUndefined();
    expect(refusalText(refused("key.invalid"), "Sign in again.")).toBe("Sign in again.");
  });

  test("is given its field in one place", async () => {
    const pages = await readSources("web/**/*.{ts,tsx}");
    const mapping = /"(?:slug|expiry|content|path|account)\.\w+": \{/;
    expect(pages.filter(({ text }) => mapping.test(text)).map(({ path }) => path)).toEqual(["web/api/refusals.ts"]);
  });
});
