/** What of PostgreSQL the engines that speak like it have by their documentation, where the tables are made otherwise without it. */
export interface Abilities {
  /** Columns of the collation "C" and of those of ICU, and `normalize`. Without them texts have to be ordered by their bytes anyway. */
  readonly collations: boolean;
  /** Tables are changed in transactions; else each change of one commits by itself. */
  readonly tablesInTransactions: boolean;
  /** An index of lists answers several conditions at once, of which one may be any of several (`&&`). */
  readonly overlaps: boolean;
}

/** What an engine can, by how it calls itself (`version()`): YugabyteDB as the PostgreSQL that it is made of, and others by their own names. */
export function abilitiesOf(version: string): Abilities {
  const collations = version.startsWith("PostgreSQL ");
  const isWhole = collations && !version.includes("-YB-");
  return { collations, tablesInTransactions: isWhole, overlaps: isWhole };
}
