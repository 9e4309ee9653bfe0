import { BASELINE } from "../../../src/database/migrate.ts";

/**
 * Why a migration would break a server of the version before, which works on the tables while an upgrade goes from server to server.
 * One that breaks servers all the same names the step that a server has to know (`needs`), and older ones refuse to start.
 */

interface Rule {
  readonly pattern: RegExp;
  readonly says: string;
}

/** About tables that were there before; `table` in a pattern is the name of one. */
const rules: readonly Rule[] = [
  { pattern: /^drop (table|view|trigger)\b/, says: "drops what the version before uses" },
  { pattern: /^alter table \S+ drop (?!default\b|not null\b)/, says: "drops what the version before uses" },
  { pattern: /^alter table .*\brename\b/, says: "renames what the version before uses" },
  { pattern: /^alter (index|view) .*\brename\b/, says: "renames what the version before uses" },
  {
    pattern:
      /^alter table \S+ add (column )?(?!constraint\b)(?=.*\bnot null\b)(?!.*\bdefault\b)(?!.*\bgenerated always\b)/,
    says: "adds a column that the version before cannot fill",
  },
  {
    pattern: /^alter table \S+ add (column )?(?!constraint\b).*\b(unique|primary key)\b/,
    says: "allows less than before",
  },
  {
    pattern: /^alter table \S+ add (constraint\b|check\b|unique\b|primary key\b|foreign key\b)/,
    says: "allows less than before",
  },
  { pattern: /^alter table \S+ alter .*\b(set not null|drop default|type)\b/, says: "allows less than before" },
  { pattern: /^create unique index\b/, says: "allows less than before" },
  { pattern: /^drop index\b/, says: "drops what the version before may need, as `on conflict` does" },
];

const made = /^create (?:virtual )?table (?:if not exists )?"?(\w+)/;
const subject = /^(?:alter|drop) table (?:if exists )?"?(\w+)|^create unique index .*? on "?(\w+)/;

/** What is wrong with a migration of this number: a line for each statement that breaks the version before without saying so. */
export function faultsOf(number: number, migration: unknown): string[] {
  if (Array.isArray(migration)) return breaksIn(migration);
  const { needs } = migration as { readonly needs: number };
  // Every server knows the baseline, and no server but its own was there to know it.
  return Number.isInteger(needs) && needs > BASELINE && needs <= number ? [] : [`needs step ${needs}`];
}

/** One line for each statement that breaks the version before. */
export function breaksIn(statements: readonly string[]): string[] {
  const plain = statements.map((text) => text.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim().toLowerCase());
  // The version before knows nothing of them.
  const own = new Set(plain.flatMap((text) => made.exec(text)?.[1] ?? []));
  return plain.flatMap((text) => {
    const [, altered, indexed] = subject.exec(text) ?? [];
    const table = altered ?? indexed;
    if (table !== undefined && own.has(table) && !/^alter table .*\brename to\b/.test(text)) return [];
    return rules.filter(({ pattern }) => pattern.test(text)).map(({ says }) => `"${text.slice(0, 80)}" ${says}`);
  });
}
