/**
 * Replaces the package `entities` in the built pages: markdown-it asks it for one thing, what `&name;` means, and
 * every browser knows that without a table of 2,000 names (17 kB of a share page). The text comes from markdown-it's own
 * pattern for an entity and is read inside a textarea, where nothing is markup.
 */
function decode(entity: string): string {
  const reader = document.createElement("textarea");
  reader.innerHTML = entity;
  return reader.value;
}

export { decode as decodeHTML, decode as decodeHTMLStrict };
