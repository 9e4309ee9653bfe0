import { MAX_SLUG_CHARACTERS } from "./limits.ts";

const slugShape = /^[A-Za-z0-9_-]+$/;
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const reservedSlugs = new Set(["admin", "api", "dav", "docs", "file", "new", "paste", "raw", "upload"]);

/** What is wrong with a custom slug, or undefined when it may be used. Ids are UUIDs, so a slug must not look like one. */
export function slugProblem(slug: string): "slug.invalid" | "slug.reserved" | undefined {
  if (slug.length > MAX_SLUG_CHARACTERS || !slugShape.test(slug)) return "slug.invalid";
  if (reservedSlugs.has(slug.toLowerCase()) || uuidShape.test(slug)) return "slug.reserved";
  return undefined;
}
