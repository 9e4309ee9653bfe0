import { describe, expect, test } from "bun:test";
import type { Language } from "#contract/languages";
import { MAX_VIEWS } from "#contract/limits";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { newPasteOf, noOptions, optionProblem, optionProblems } from "../../../web/ui/share-options/options.ts";
import { optionTexts } from "../../../web/ui/share-options/sentence.ts";
import { viewLimit } from "../../../web/ui/share-options/share-problems.ts";

const now = Date.parse("2026-06-01T12:00:00Z");

describe("share options", () => {
  test("what was left empty is not sent; an expiry counts from the creation", () => {
    expect(newPasteOf("x", noOptions, now)).toEqual({ content: "x" });
    const expiry = { kind: "after", hours: 168 } as const;
    expect(newPasteOf("x", { ...noOptions, expiry, remark: "  a note " }, now)).toEqual({
      content: "x",
      remark: "a note",
      expiresAt: "2026-06-08T12:00:00.000Z",
    });
  });

  test("problems are known before the server is asked", () => {
    expect(optionProblem(noOptions, now)).toBeUndefined();
    expect(optionProblem({ ...noOptions, slug: "a b" }, now)?.field).toBe("slug");
    expect(optionProblem({ ...noOptions, slug: "Raw" }, now)?.field).toBe("slug");
    expect(optionProblem({ ...noOptions, expiry: { kind: "at", time: now } }, now)?.field).toBe("expiry");
    expect(optionProblem({ ...noOptions, expiry: { kind: "at", time: now + 1 } }, now)).toBeUndefined();
  });

  test("everything that is wrong is known at once", () => {
    const wrong = { ...noOptions, slug: "bad slug!", maxViews: "-5", expiry: { kind: "at", time: now } as const };
    expect(optionProblems(wrong, now).map(({ field }) => field)).toEqual(["slug", "maxViews", "expiry"]);
  });

  test("read like a sentence in both languages", async () => {
    const options = { ...noOptions, maxViews: "1", expiry: { kind: "after", hours: 24 } as const };
    const sentence = (language: Language) =>
      Object.values(optionTexts(options, language))
        .map(({ text }) => text)
        .join(" · ");
    expect(sentence("en")).toBe("random link · no password · expires in 1 day · one view only · no note");
    await setLanguage("zh");
    expect(sentence("zh")).toBe("随机链接 · 无密码 · 1 天后过期 · 只能查看 1 次 · 无备注");
  });

  test("view limits are whole numbers; empty is none", () => {
    expect([viewLimit(""), viewLimit(" 12 "), viewLimit("0")]).toEqual([0, 12, 0]);
    for (const wrong of ["-1", "1.5", "x", "1e3", String(MAX_VIEWS + 1)]) expect(viewLimit(wrong)).toBeUndefined();
  });
});
