import { bitsOf, type Permission } from "#contract/permissions";
import { credential } from "../../../web/api/session/credential.ts";
import { answer } from "../page-servers/fake-server.ts";

/** Signs this page in with the key `ci` (its id is key-1) that holds these rights. */
export const signInWithKey = (...rights: readonly Permission[]): void =>
  credential.signInWithKey(
    "the-key",
    { id: "key-1", name: "ci", permissions: bitsOf(rights), basePath: "/" },
    Date.now(),
  );

/** What the server says that visitors may: nothing without a visitors' key. */
export const visitorsMay =
  (...rights: readonly Permission[]) =>
  () =>
    answer({ data: { permissions: bitsOf(rights), basic_path: "/" } });

/** The key `ci` as a session keeps it. */
export const key = { id: "k1", name: "ci", permissions: 3, basePath: "/" };

/** Where a page asks what its key may, and what the server says. */
export const keyRoute = "GET /test/api-key";
export const keyMay = (permissions: Record<string, boolean>) => () =>
  answer({
    data: { name: "ci", basic_path: "/", permissions, key_info: { id: "k1", name: "ci", basic_path: "/" } },
  });

/** What the server says of lists in which there is nothing, and of visitors who may do nothing. */
export const noTexts = () =>
  answer({ data: [], pagination: { total: 0, page: 1, limit: 10, offset: 0, totalPages: 0, hasMore: false } });
export const noFiles = () => answer({ data: { files: [], pagination: { total: 0, limit: 20, offset: 0 } } });
export const noVisitors = { "GET /system/visitors": visitorsMay() };
