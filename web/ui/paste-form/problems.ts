import { MAX_CONTENT_BYTES } from "#contract/limits";
import type { WholePaste } from "#contract/pastes";
import { isLongerThan } from "../../lib/bytes.ts";
import { type ShareProblems, shareProblems, shareRefusals } from "../share-form/problems.ts";
import type { Filled } from "./change.ts";

type ContentProblem = "paste.edit.contentEmpty" | "paste.edit.contentTooLarge";

export type Problems = ShareProblems & { readonly content?: ContentProblem };

/** What the browser can tell is wrong before it asks the server; `now` in epoch milliseconds. */
export function problemsIn(filled: Filled, paste: WholePaste, now: number): Problems {
  const content = contentWrong(filled.content);
  return { ...shareProblems(filled, paste, now), ...(content ? { content } : {}) };
}

function contentWrong(content: string): ContentProblem | undefined {
  if (content.trim() === "") return "paste.edit.contentEmpty";
  return isLongerThan(content, MAX_CONTENT_BYTES) ? "paste.edit.contentTooLarge" : undefined;
}

/** Which field each refusal of the server speaks of. */
export const refusals: Readonly<Record<string, Problems>> = {
  ...shareRefusals,
  "content.empty": { content: "paste.edit.contentEmpty" },
  "content.tooLarge": { content: "paste.edit.contentTooLarge" },
};
