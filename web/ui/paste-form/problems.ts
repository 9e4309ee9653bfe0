import type { FailureCode } from "#contract/failures";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import type { WholePaste } from "#contract/pastes";
import { slugProblem } from "#contract/paths";
import { isLongerThan } from "../../lib/bytes.ts";
import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { viewLimit } from "../share-options/options.ts";
import { changeOf, type Filled } from "./change.ts";

/** The words for what is wrong at a field; turned into text where they are shown, in the language of that moment. */
type Problem =
  | "paste.options.suffix.invalid"
  | "paste.options.suffix.reserved"
  | "paste.edit.slugTaken"
  | "paste.edit.contentEmpty"
  | "paste.edit.contentTooLarge"
  | "paste.options.expiry.past"
  | "paste.options.expiry.invalid"
  | "paste.options.views.invalid";

export type Problems = { readonly [Field in keyof Filled]?: Problem };

/** What the browser can tell is wrong before it asks the server; `now` in epoch milliseconds. */
export function problemsIn(filled: Filled, paste: WholePaste, now: number): Problems {
  const slug = slugWrong(changeOf(filled, paste).newSlug);
  const content = contentWrong(filled.content);
  const expiry = filled.expiry === toLocalInput(paste.expires_at) ? undefined : expiryWrong(filled.expiry, now);
  return {
    ...(slug ? { slug } : {}),
    ...(content ? { content } : {}),
    ...(expiry ? { expiry } : {}),
    ...(viewLimit(filled.views) === undefined ? { views: "paste.options.views.invalid" } : {}),
  };
}

function slugWrong(slug: string | null | undefined): Problem | undefined {
  const problem = slug ? slugProblem(slug) : undefined;
  if (problem === undefined) return undefined;
  return problem === "slug.reserved" ? "paste.options.suffix.reserved" : "paste.options.suffix.invalid";
}

function contentWrong(content: string): Problem | undefined {
  if (content.trim() === "") return "paste.edit.contentEmpty";
  return isLongerThan(content, MAX_CONTENT_BYTES) ? "paste.edit.contentTooLarge" : undefined;
}

function expiryWrong(expiry: string, now: number): Problem | undefined {
  const instant = fromLocalInput(expiry);
  if (instant === undefined) return "paste.options.expiry.invalid";
  return instant !== null && Date.parse(instant) <= now ? "paste.options.expiry.past" : undefined;
}

const refusals: { readonly [Code in FailureCode]?: Problems } = {
  "slug.taken": { slug: "paste.edit.slugTaken" },
  "slug.invalid": { slug: "paste.options.suffix.invalid" },
  "slug.reserved": { slug: "paste.options.suffix.reserved" },
  "expiry.past": { expiry: "paste.options.expiry.past" },
  "content.empty": { content: "paste.edit.contentEmpty" },
  "content.tooLarge": { content: "paste.edit.contentTooLarge" },
};

/** The field that a refusal of the server speaks of, or nothing when it speaks of the whole. */
export function problemsOf(error: unknown): Problems {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return Object.entries(refusals).find(([known]) => known === code)?.[1] ?? {};
}
