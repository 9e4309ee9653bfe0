import { randomInt } from "node:crypto";
import { Failure } from "#contract/failures";
import { RANDOM_SLUG_CHARACTERS } from "#contract/limits";
import { slugProblem } from "#contract/paths";

/** Without the characters that people mistake for one another when they read a link aloud: 0 O o, 1 l I i. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const TRIES = 5;

const randomSlug = (): string =>
  Array.from({ length: RANDOM_SLUG_CHARACTERS }, () => alphabet[randomInt(alphabet.length)]).join("");

/**
 * Finds a slug and hands it to `claim`, which answers whether it was free: the wanted one, or a random one, tried again a
 * few times. 400 slug.invalid and slug.reserved, 409 slug.taken.
 */
export async function claimSlug(
  wanted: string | undefined,
  claim: (slug: string) => Promise<boolean>,
): Promise<string> {
  const problem = wanted === undefined ? undefined : slugProblem(wanted);
  if (problem) throw new Failure(problem);
  const tries = wanted === undefined ? TRIES : 1;
  for (let attempt = 0; attempt < tries; attempt++) {
    const slug = wanted ?? randomSlug();
    if (await claim(slug)) return slug;
  }
  throw new Failure("slug.taken");
}
