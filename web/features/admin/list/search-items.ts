/** What of a list has every word of a search in its texts. For lists that are here as a whole. */
export function searchItems<Item>(
  items: readonly Item[],
  search: string,
  textsOf: (item: Item) => readonly (string | null)[],
): readonly Item[] {
  const words = plain(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return items;
  return items.filter((item) => {
    const text = plain(textsOf(item).join("\n"));
    return words.every((word) => text.includes(word));
  });
}

const plain = (text: string): string => text.normalize("NFKC").toLowerCase();
