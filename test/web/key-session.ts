import { bitsOf, type Permission } from "#contract/permissions";
import { credential } from "../../web/api/credential.ts";
import { answer } from "./fake-server.ts";

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
