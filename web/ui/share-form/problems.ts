import type { FailureCode } from "#contract/failures";
import { slugProblem } from "#contract/paths";
import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { viewLimit } from "../share-options/options.ts";
import { type FilledShare, type LivingShare, shareChange } from "./filled.ts";

/** The words for what is wrong at a field; turned into text where they are shown, in the language of that moment. */
export type ShareProblem = `share.problem.${
  | "slugInvalid"
  | "slugReserved"
  | "slugTaken"
  | "expiryPast"
  | "expiryInvalid"
  | "viewsInvalid"}`;

export type ShareProblems = { readonly [Field in keyof FilledShare]?: ShareProblem };

/** What the browser can tell is wrong before it asks the server; `now` in epoch milliseconds. */
export function shareProblems(filled: FilledShare, share: LivingShare, now: number): ShareProblems {
  const slug = slugWrong(shareChange(filled, share).slug);
  const expiry = filled.expiry === toLocalInput(share.expires_at) ? undefined : expiryWrong(filled.expiry, now);
  return {
    ...(slug ? { slug } : {}),
    ...(expiry ? { expiry } : {}),
    ...(viewLimit(filled.views) === undefined ? { views: "share.problem.viewsInvalid" } : {}),
  };
}

function slugWrong(slug: string | null | undefined): ShareProblem | undefined {
  const problem = slug ? slugProblem(slug) : undefined;
  if (problem === undefined) return undefined;
  return problem === "slug.reserved" ? "share.problem.slugReserved" : "share.problem.slugInvalid";
}

function expiryWrong(expiry: string, now: number): ShareProblem | undefined {
  const instant = fromLocalInput(expiry);
  if (instant === undefined) return "share.problem.expiryInvalid";
  return instant !== null && Date.parse(instant) <= now ? "share.problem.expiryPast" : undefined;
}

/** Which field each refusal of the server speaks of. */
export const shareRefusals: { readonly [Code in FailureCode]?: ShareProblems } = {
  "slug.taken": { slug: "share.problem.slugTaken" },
  "slug.invalid": { slug: "share.problem.slugInvalid" },
  "slug.reserved": { slug: "share.problem.slugReserved" },
  "expiry.past": { expiry: "share.problem.expiryPast" },
};

/** What a refusal of the server says about single fields; nothing when it speaks of the whole. */
export function problemsOf<Problems extends object>(
  refusals: { readonly [Code in FailureCode]?: Problems },
  error: unknown,
): Partial<Problems> {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return Object.entries(refusals).find(([known]) => known === code)?.[1] ?? {};
}
