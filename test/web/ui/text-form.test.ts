import { describe, expect, test } from "bun:test";
import { changedShare } from "../../../web/features/paste/view/changed-share.ts";
import { toLocalInput } from "../../../web/lib/time.ts";
import { differs } from "../../../web/ui/form/fields.ts";
import { shareProblems } from "../../../web/ui/share-form/kind.ts";
import { textShare } from "../../../web/ui/share-form/text-share.tsx";
import { wholePaste } from "../../support/page-servers/paste-answers.ts";

const { changeOf, valuesFrom } = textShare;
const problemsIn = (values: ReturnType<typeof valuesFrom>, share: Parameters<typeof valuesFrom>[0], now: number) => ({
  ...shareProblems(values, share, now),
  ...textShare.problemsIn(values),
});
const now = Date.parse("2026-06-01T12:00:00Z");
const paste = wholePaste({ expires_at: "2026-06-02T10:20:30.400Z", max_views: 5, has_password: true });
const values = valuesFrom(paste);

describe("a change of a text share", () => {
  test("holds only what differs", () => {
    expect(changeOf(values, paste)).toEqual({});
    expect(changeOf({ ...values, remark: "new", expiry: "", views: "", slug: " " }, paste)).toEqual({
      remark: "new",
      expiresAt: null,
      maxViews: 0,
      newSlug: null,
    });
    const remarked = wholePaste({ remark: "old" });
    expect(changeOf({ ...valuesFrom(remarked), remark: " " }, remarked)).toEqual({ remark: null });
  });

  test("removes a password rather than set one at the same time", () => {
    expect(changeOf({ ...values, password: "p", clearPassword: true, resetViews: true }, paste)).toEqual({
      clearPassword: true,
      resetViews: true,
    });
  });

  test("a form is touched by what is wrong too", () => {
    expect(differs(values, values)).toBe(false);
    expect(differs({ ...values, views: "5x" }, values)).toBe(true);
  });

  test("is shown without asking the server", () => {
    const share = changedShare(paste, { content: "after", maxViews: 4, clearPassword: true }, "better");
    expect(share).toMatchObject({ slug: "better", content: "after", viewsLeft: 1, hasPassword: false, views: 3 });
    expect(changedShare(paste, { resetViews: true }, "abc234")).toMatchObject({ viewsLeft: 5, views: 0 });
  });
});

describe("what is wrong with the form", () => {
  test("is named at each field", () => {
    const wrong = { ...values, slug: "no spaces", content: "  ", expiry: "2020-01-01T00:00", views: "-1" };
    expect(problemsIn(wrong, paste, now)).toEqual({
      slug: "share.problem.slugInvalid",
      content: "paste.edit.contentEmpty",
      expiry: "share.problem.expiryPast",
      views: "share.problem.viewsInvalid",
    });
    expect(problemsIn({ ...values, slug: "admin" }, paste, now).slug).toBe("share.problem.slugReserved");
    expect(problemsIn(values, paste, now)).toEqual({});
  });

  test("a year of five digits is a problem at its field and changes nothing", () => {
    const far = { ...values, expiry: "12026-06-01T10:00" };
    expect(problemsIn(far, paste, now)).toEqual({ expiry: "share.problem.expiryInvalid" });
    expect(changeOf(far, paste)).toEqual({});
  });

  test("an expiry that lies in the past is only wrong when it is new", () => {
    const expired = wholePaste({ expires_at: "2026-05-01T00:00:00.000Z" });
    expect(problemsIn({ ...valuesFrom(expired), remark: "late" }, expired, now)).toEqual({});
    const sooner = toLocalInput("2026-05-02T00:00:00.000Z");
    expect(problemsIn({ ...valuesFrom(expired), expiry: sooner }, expired, now).expiry).toBe(
      "share.problem.expiryPast",
    );
  });

  test("counts the bytes of a long text", () => {
    const long = { ...values, content: "字".repeat(3_600_000) };
    expect(problemsIn(long, paste, now).content).toBe("paste.edit.contentTooLarge");
  });
});
