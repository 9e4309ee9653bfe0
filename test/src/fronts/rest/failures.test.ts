import { expect, test } from "bun:test";
import { Failure, type FailureCode } from "#contract/failures";
import { failureResponse } from "../../../../src/fronts/rest/failures.ts";

test.each<[FailureCode, string | null]>([
  ["server.busy", "2"],
  ["storage.busy", "2"],
  ["share.missing", null],
])("who meets %s is told when to ask again: %p", (code, seconds) => {
  for (const reply of ["json", "text"] as const) {
    const response = failureResponse(new Failure(code), new Request("http://satchel.test/"), reply);
    expect(response.headers.get("retry-after")).toBe(seconds);
  }
});
