import { describe, expect, test } from "bun:test";
import type { RouteObject } from "react-router-dom";
import { ALL_PERMISSIONS, bitsOf, type Permission } from "#contract/permissions";
import type { SessionState } from "../../../web/api/session/credential.ts";
import { adminRoutes } from "../../../web/app/admin-pages.tsx";
import { explorerGuard, guard } from "../../../web/app/guards.ts";
import { routes } from "../../../web/app/routes.tsx";

const key = (permissions: number, basePath = "/"): SessionState => ({
  authType: "apikey",
  key: "k",
  id: "id",
  name: "name",
  permissions,
  basePath,
  lastValidated: 1,
});
const held = (...rights: Permission[]) => key(bitsOf(rights));

const people = {
  nobody: { authType: "none", lastValidated: 0 },
  admin: { authType: "admin", token: "t", username: "admin", lastValidated: 1 },
  text: held("text"),
  file: held("file_share"),
  both: held("text", "file_share"),
  mount: held("mount_view", "mount_upload", "mount_copy", "mount_rename", "mount_delete"),
  none: key(0),
  all: key(ALL_PERMISSIONS),
} as const satisfies Record<string, SessionState>;
type Person = keyof typeof people;

const stays = Object.fromEntries(Object.keys(people).map((person) => [person, "stays"])) as Record<Person, string>;
const texts = "/admin/text-management";
const files = "/admin/file-management";
/** Of who may not see a page of the admin area: the first that they may, in the order of SPEC section 2. */
const elsewhere = { text: texts, file: files, both: texts, mount: "/", none: "/", all: texts };

/** Where each person ends at each route; a route without a row here fails. */
const expected: Readonly<Record<string, Record<Person, string>>> = {
  "/": stays,
  "/paste/:slug": stays,
  "/upload": stays,
  "/file/:slug": stays,
  "/s/:slug/*": stays,
  "/in/:slug": stays,
  "/mount-explorer/*": stays,
  "/admin": { nobody: "stays", admin: "/admin/dashboard", ...elsewhere },
  "/admin/dashboard": { ...stays, ...elsewhere },
  "/admin/text-management": { ...stays, ...elsewhere, text: "stays", both: "stays", all: "stays" },
  "/admin/file-management": { ...stays, ...elsewhere, file: "stays", both: "stays", all: "stays" },
  "/admin/link-management": { ...stays, ...elsewhere, mount: "stays", all: "stays" },
  "/admin/key-management": { ...stays, ...elsewhere },
  "/admin/storage-config": { ...stays, ...elsewhere },
  "/admin/mount-management": { ...stays, ...elsewhere },
  "/admin/account": { ...stays, ...elsewhere },
  "/admin/settings/site": { ...stays, ...elsewhere },
  "/admin/settings/sharing": { ...stays, ...elsewhere },
  "/admin/settings/global": { ...stays, ...elsewhere },
  "/admin/settings/preview": { ...stays, ...elsewhere },
  "/admin/settings/webdav": { ...stays, ...elsewhere },
  "/admin/settings/backup": { ...stays, ...elsewhere },
  "/admin/settings/notifications": { ...stays, ...elsewhere },
  "/admin/import": { ...stays, ...elsewhere },
  "/admin/system": { ...stays, ...elsewhere },
  "/admin/visitors": { ...stays, ...elsewhere },
  "*": stays,
};

/** The addresses at which something is shown, parameters as they are declared. */
const addresses = (list: readonly RouteObject[], above = ""): string[] =>
  list.flatMap(({ path = "", children }) => {
    const here = path.startsWith("/") || path === "*" ? path : `${above}/${path}`.replace(/\/$/, "");
    return children ? addresses(children, path === "" ? above : here) : [here];
  });

describe("every route has its guard", () => {
  // The pages of the admin area are a table of their own.
  const all = [...addresses(routes).filter((path) => path !== "/admin/*"), ...addresses(adminRoutes, "/admin")];

  test("and an expectation here, and nothing else has one", () => {
    expect(Object.keys(expected).sort()).toEqual([...all].sort());
  });

  const rows = all.flatMap((route) =>
    Object.keys(people).map((person) => [route, person as Person, expected[route]?.[person as Person]] as const),
  );
  test.each(rows)("%s for %s: %s", (route, person, target) => {
    const path = route.replace(":slug", "x").replace("*", "/no/such/page");
    expect(guard(path, people[person]) ?? "stays").toBe(target ?? "no expectation");
  });

  test("whatever the address looks like otherwise", () => {
    expect(guard("/admin/", people.file)).toBe(files);
    expect(guard("/Admin/Account", people.text)).toBe(texts);
    expect(guard("/admin/text-management/", people.file)).toBe(files);
    for (const person of [people.nobody, people.admin, people.text])
      for (const unknown of ["/admin/nothing", "/admin/settings", "/Admin/settings/else"])
        expect(guard(unknown, person)).toBe("/");
  });

  test("and nobody is sent in a circle", () => {
    for (const [, person, target] of rows) {
      if (target && target !== "stays") expect(guard(target, people[person])).toBeUndefined();
    }
  });
});

describe("the explorer holds a key to its base path", () => {
  const rows: readonly [path: string, base: string, target: string | undefined][] = [
    ["/mount-explorer", "/", undefined],
    ["/mount-explorer/", "/", undefined],
    ["/mount-explorer/anything/below", "/", undefined],
    ["/mount-explorer/a/../b", "/", "/mount-explorer"],
    ["/mount-explorer/%", "/", "/mount-explorer"],
    ["/mount-explorer", "/team", "/mount-explorer/team"],
    ["/mount-explorer/", "/team", "/mount-explorer/team"],
    ["/mount-explorer/team", "/team", undefined],
    ["/mount-explorer/team/", "/team", undefined],
    ["/mount-explorer/team/photos", "/team", undefined],
    ["/mount-explorer/teams", "/team", "/mount-explorer/team"],
    ["/mount-explorer/other", "/team", "/mount-explorer/team"],
    ["/mount-explorer/team/../other", "/team", "/mount-explorer/team"],
    ["/mount-explorer/team/%2e%2e/other", "/team", "/mount-explorer/team"],
    ["/mount-explorer/team%2Fphotos", "/team", undefined],
    ["/mount-explorer/team/%E0%A4%A", "/team", "/mount-explorer/team"],
    ["/mount-explorer/other", "/team/我的 照片#1", "/mount-explorer/team/%E6%88%91%E7%9A%84%20%E7%85%A7%E7%89%87%231"],
    ["/mount-explorer/team/%E6%88%91%E7%9A%84%20%E7%85%A7%E7%89%87%231/x", "/team/我的 照片#1", undefined],
    ["/mount-explorers", "/team", undefined],
    ["/upload", "/team", undefined],
  ];
  test.each(rows)("%s under %s: %s", (path, base, target) => {
    expect(explorerGuard(path, key(ALL_PERMISSIONS, base))).toBe(target);
    expect(target && explorerGuard(target, key(ALL_PERMISSIONS, base))).toBeUndefined();
  });

  test("and nobody else", () => {
    expect(explorerGuard("/mount-explorer/other", people.admin)).toBeUndefined();
    expect(explorerGuard("/mount-explorer/other", people.nobody)).toBeUndefined();
  });
});
