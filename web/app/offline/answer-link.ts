import { fileLink, pasteLink } from "../../api/share-addresses.ts";

/** Where the answer to a change leads: to the text that was shared, to the file that was opened, or to where somebody decides to spend a view of it. */
export function answerLink(answer: unknown): string | undefined {
  const { slug, data } = (answer ?? {}) as { slug?: unknown; data?: { slug?: unknown; downloadUrl?: unknown } };
  if (typeof slug === "string") return pasteLink(slug);
  if (typeof data?.downloadUrl === "string") return new URL(data.downloadUrl, window.location.href).href;
  return typeof data?.slug === "string" ? fileLink(data.slug) : undefined;
}
