import { MAX_SLUG_CHARACTERS } from "#contract/limits";

/** Returns slugs for `count` files: the given slug for one file, else the slug with -1, -2, ... */
export function slugsFor(slug: string | undefined, count: number): (string | undefined)[] {
  if (!slug || count === 1) return Array.from({ length: count }, () => slug || undefined);
  return Array.from({ length: count }, (_, index) => {
    const ending = `-${index + 1}`;
    return slug.slice(0, MAX_SLUG_CHARACTERS - ending.length) + ending;
  });
}
