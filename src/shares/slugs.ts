import { Failure } from "#contract/failures";
import { RANDOM_SLUG_CHARACTERS } from "#contract/limits";
import { slugProblem } from "#contract/paths";
import { randomText } from "../lib/secret.ts";

/** Without the characters that people mistake for one another when they read a link aloud: 0 O o, 1 l I i. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const TRIES = 5;

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
    const slug = wanted ?? randomText(alphabet, RANDOM_SLUG_CHARACTERS);
    if (await claim(slug)) return slug;
  }
  throw new Failure("slug.taken");
}
