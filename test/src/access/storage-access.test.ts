import { expect, test } from "bun:test";
import type { Caller } from "../../../src/access/principal.ts";
import { mayUse } from "../../../src/access/rights.ts";

const admin: Caller = { kind: "admin", sessionId: "s" };
const key: Caller = { kind: "key", id: "1", name: "key", permissions: 255, basePath: "/", isVisitor: false };

test.each([
  [admin, 0, true],
  [admin, 1, true],
  [key, 0, false],
  [key, 1, true],
])("%j may use a storage whose is_public is %d: %p", (caller, is_public, expected) => {
  expect(mayUse(caller, { is_public })).toBe(expected);
});
