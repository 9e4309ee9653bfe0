import type { KeyRecord } from "#contract/keys";
import { type Language, languages } from "#contract/languages";
import type { SortOrder } from "#contract/listing";

/** What keys can be sorted by. */
export const keySorts = ["created", "name", "expires", "used"] as const;
type KeySort = (typeof keySorts)[number];

/** Keys in an order; a key that was never used counts as used before all others. */
export function sortedKeys(
  keys: readonly KeyRecord[],
  { sort, order }: { readonly sort: KeySort; readonly order: SortOrder },
  language: Language,
): readonly KeyRecord[] {
  const { compare } = new Intl.Collator(languages[language].locale, { numeric: true });
  const comparisons: Readonly<Record<KeySort, (one: KeyRecord, other: KeyRecord) => number>> = {
    created: (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
    name: (one, other) => compare(one.name, other.name),
    expires: (one, other) => Date.parse(one.expires_at) - Date.parse(other.expires_at),
    used: (one, other) => usedAt(one) - usedAt(other),
  };
  const sorted = keys.toSorted(comparisons[sort]);
  return order === "asc" ? sorted : sorted.reverse();
}

const usedAt = ({ last_used }: KeyRecord): number => (last_used === null ? 0 : Date.parse(last_used));
