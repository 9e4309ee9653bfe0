import { describe, expect, test } from "bun:test";
import { MAX_VIEWS } from "#contract/limits";
import { changedShare, changeOf, filledFrom, problemsIn } from "../../../web/features/paste/view/change.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { toLocalInput } from "../../../web/lib/time.ts";
import { newPasteOf, noOptions, optionProblem } from "../../../web/ui/share-options/options.ts";
import { optionTexts } from "../../../web/ui/share-options/sentence.ts";
import { viewLimit } from "../../../web/ui/share-options/views-form.tsx";
import { wholePaste } from "./shares.ts";

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

  test("read like a sentence in both languages", async () => {
    const options = { ...noOptions, maxViews: 1, expiry: { kind: "after", hours: 24 } as const };
    const sentence = (language: string) =>
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

describe("a change of a share", () => {
  const paste = wholePaste({ expires_at: "2026-06-02T10:20:30.400Z", max_views: 5, has_password: true });
  const filled = filledFrom(paste);

  test("holds only what differs", () => {
    expect(changeOf(filled, paste)).toEqual({});
    expect(changeOf({ ...filled, remark: "new", expiry: "", views: "", slug: "" }, paste)).toEqual({
      remark: "new",
      expiresAt: null,
      maxViews: 0,
      newSlug: "",
    });
    expect(changeOf({ ...filled, password: "p", clearPassword: true, resetViews: true }, paste)).toEqual({
      clearPassword: true,
      resetViews: true,
    });
  });

  test("an expiry that lies in the past is only wrong when it is new", () => {
    const expired = wholePaste({ expires_at: "2026-05-01T00:00:00.000Z" });
    expect(problemsIn(filledFrom(expired), expired, now)).toEqual({});
    const wrong = {
      ...filledFrom(expired),
      expiry: toLocalInput("2026-05-02T00:00:00.000Z"),
      slug: "a b",
      views: "-1",
    };
    expect(Object.keys(problemsIn(wrong, expired, now)).sort()).toEqual(["expiry", "slug", "views"]);
  });

  test("is shown without asking the server", () => {
    const share = changedShare(paste, { content: "after", maxViews: 4, clearPassword: true }, "better");
    expect(share).toMatchObject({ slug: "better", content: "after", viewsLeft: 1, hasPassword: false, views: 3 });
    expect(changedShare(paste, { resetViews: true }, "abc234")).toMatchObject({ viewsLeft: 5, views: 0 });
  });
});
