import { describe, expect, test } from "bun:test";
import {
  linkChangeOf,
  linkProblems,
  linkValues,
  newLinkOf,
  newLinkValues,
  switched,
  wrongNetwork,
} from "../../../web/ui/link-form/values.ts";
import { linkRecord } from "../../support/page-servers/link-record.ts";

const NOW = Date.parse("2026-06-01T12:00:00Z");

const link = linkRecord({
  ...{ has_password: true, expires_at: "2026-07-01T10:00:33.000Z", max_opens: 5, opens: 1 },
  networks: ["192.0.2.0/24"],
});

describe("a new link", () => {
  test("sends what was filled in, and no empty field", () => {
    expect(newLinkOf(newLinkValues, ["/a/"])).toEqual({ items: ["/a/"], rights: ["view", "download"] });
    const filled = {
      title: " Trip ",
      label: "for Ann",
      opens: "3",
      downloads: "0",
      networks: "192.0.2.1\n\n2001:db8::/32 ",
    };
    expect(newLinkOf({ ...newLinkValues, ...filled, upload: true, password: " p " }, ["/a/"])).toEqual({
      ...{ items: ["/a/"], rights: ["view", "download", "upload"], title: "Trip", label: "for Ann", password: " p " },
      ...{ max_opens: 3, networks: ["192.0.2.1", "2001:db8::/32"] },
    });
  });

  test("lets nobody download where they may not look", () => {
    expect(switched("view", false)).toEqual({ view: false, download: false });
    expect(switched("download", true)).toEqual({ view: true, download: true });
    expect(switched("upload", true)).toEqual({ upload: true });
  });

  test.each([
    ["nothing allowed", { view: false, download: false }, { rights: "link.form.rightsNone" }],
    ["a suffix with a slash", { slug: "a/b" }, { slug: "share.problem.slugInvalid" }],
    ["words for a number", { opens: "many" }, { opens: "share.problem.viewsInvalid" }],
    ["a past end", { expiry: "2026-05-31T00:00" }, { expiry: "share.problem.expiryPast" }],
    ["a name for a network", { networks: "192.0.2.1\noffice" }, { networks: "link.form.networksWrong" }],
    ["too many networks", { networks: "192.0.2.1\n".repeat(51) }, { networks: "link.form.networksMany" }],
    ["nothing wrong", { networks: "192.0.2.1, ::1" }, {}],
  ] as const)("with %s says so at its field", (_, part, expected) => {
    expect(linkProblems({ ...newLinkValues, ...part }, newLinkValues, NOW)).toEqual(expected);
  });

  test("names the line that is no network", () => {
    expect(wrongNetwork({ ...newLinkValues, networks: "10.0.0.0/8\nmy office" })).toBe("my office");
  });
});

describe("a link that is changed", () => {
  const before = linkValues(link);

  test("keeps what nobody touched, the seconds of its end, too", () => expect(linkChangeOf(before, link)).toEqual({}));

  test("sends what differs", () => {
    const after = { ...before, title: "", opens: "", networks: "", view: true, download: false, clearPassword: true };
    expect(linkChangeOf(after, link)).toEqual({
      ...{ title: null, max_opens: 0, networks: [], rights: ["view"], password: null },
    });
    expect(linkChangeOf({ ...before, expiry: "", slug: " " }, link)).toEqual({ expires_at: null, slug: null });
  });
});
