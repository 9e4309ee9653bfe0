import { expect, test } from "bun:test";
import { ApiFailure } from "../../../web/api/failure.ts";
import { createUnanswered } from "../../../web/features/paste/home/unanswered.ts";
import { noOptions } from "../../../web/ui/share-options/options.ts";

const silence = new ApiFailure({ code: "timeout", status: 0, message: "" });
const refusal = new ApiFailure({ code: "slug.taken", status: 409, message: "" });

test("what got no answer is asked again word for word, everything else anew", () => {
  let now = 0;
  const unanswered = createUnanswered(() => now);
  const first = unanswered.creationOf("text", noOptions, false);
  unanswered.settle(silence);
  now = 60_000;
  expect(unanswered.creationOf("text", noOptions, false)).toBe(first);
  expect(unanswered.creationOf("other", noOptions, false).requestKey).not.toBe(first.requestKey);
  const refused = unanswered.creationOf("text", noOptions, false);
  unanswered.settle(refusal);
  expect(unanswered.creationOf("text", noOptions, false).requestKey).not.toBe(refused.requestKey);
  unanswered.settle();
  expect(unanswered.creationOf("text", noOptions, false).requestKey).not.toBe(first.requestKey);
});
