import { MAX_VIEWS, MIN_SEALING_PASSWORD_CHARACTERS } from "#contract/limits";
import { slugProblem } from "#contract/paths";

/** What the browser can tell is wrong with an option of a share, whether it is new or changed. */

/** The words for what is wrong; turned into text where they are shown, in the language of that moment. */
export type ShareProblem = `share.problem.${
  | "slugInvalid"
  | "slugReserved"
  | "slugTaken"
  | "expiryPast"
  | "expiryInvalid"
  | "viewsInvalid"
  | "sealingShort"}`;

/** What is wrong with a link suffix; none is random. */
export function slugWrong(slug: string | null | undefined): ShareProblem | undefined {
  const problem = slug ? slugProblem(slug) : undefined;
  if (problem === undefined) return undefined;
  return problem === "slug.reserved" ? "share.problem.slugReserved" : "share.problem.slugInvalid";
}

/** What is wrong with the time of an expiry, NaN for a text that is none; both in epoch milliseconds. */
export function expiryWrong(time: number, now: number): ShareProblem | undefined {
  if (Number.isNaN(time)) return "share.problem.expiryInvalid";
  return time <= now ? "share.problem.expiryPast" : undefined;
}

/** What is wrong with a password that seals; none is a key in the link. */
export const sealingWrong = (password: string): ShareProblem | undefined =>
  password !== "" && [...password].length < MIN_SEALING_PASSWORD_CHARACTERS ? "share.problem.sealingShort" : undefined;

/** The view limit that a field holds, or undefined when it is none. */
export function viewLimit(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d*$/.test(trimmed)) return undefined;
  const number = Number(trimmed);
  return number <= MAX_VIEWS ? number : undefined;
}

/** What is wrong with a view limit as it was typed. */
export const viewsWrong = (text: string): ShareProblem | undefined =>
  viewLimit(text) === undefined ? "share.problem.viewsInvalid" : undefined;
