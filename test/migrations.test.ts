import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { migration } from "../src/database/postgres-dialect.ts";
import { abilitiesOf } from "../src/database/postgres-engines.ts";
import { breaksIn, faultsOf, LAST_FREE_STEP } from "./support/migration-rules.ts";
import { readSources, root } from "./support/sources.ts";

/**
 * While servers are upgraded one after the other, those of the version before work on the tables of the new one; and what speaks like
 * PostgreSQL is told nothing that it does not have.
 */

const files = readdirSync(join(root, "src/database/migrations")).sort();

test("none after the first servers that share a database breaks a server of the version before unless it says so", async () => {
  const later = files.filter((file) => Number.parseInt(file, 10) > LAST_FREE_STEP);
  expect(later.length).toBeGreaterThan(0);
  const broken: string[] = [];
  for (const file of later) {
    const module = (await import(join(root, "src/database/migrations", file))) as Record<string, unknown>;
    for (const migration of Object.values(module))
      broken.push(...faultsOf(Number.parseInt(file, 10), migration).map((says) => `${file}: ${says}`));
  }
  expect(broken).toEqual([]);
});

test("one that breaks them names a step that a server can know", () => {
  const statements = ["drop table pastes"];
  expect(faultsOf(30, statements)).toEqual(breaksIn(statements));
  for (const needs of [29, 30]) expect(faultsOf(30, { needs, statements })).toEqual([]);
  for (const needs of [31, 0, LAST_FREE_STEP, 29.5, undefined])
    expect(faultsOf(30, { needs, statements })).toEqual([`needs step ${needs}`]);
});

/** What CockroachDB or YugabyteDB lack, or do otherwise (docs/operating.md, "What speaks like PostgreSQL"). */
const LACKED =
  /\bcollate "|\bnormalize\(|\bregexp_|advisory|\b(?:un)?listen\b|\bnotify\b|&&|\brestart\b|\bdeferrable\b|\b(?:temp|temporary|unlogged|extension|exclude)\b|\bskip locked\b|\block table\b|\bctid\b|\blo_|\bto_tsvector\b|\b(?:old|new)\./i;

const statementsOf = async (): Promise<string[]> => {
  const modules = files.map((file) => import(join(root, "src/database/migrations", file)));
  const all = (await Promise.all(modules)).flatMap((module: Record<string, unknown>) => Object.values(module));
  return all.flatMap((one) => (Array.isArray(one) ? one : (one as { statements: string[] }).statements)) as string[];
};

test("an engine that lacks what PostgreSQL has is told nothing of it", async () => {
  const statements = await statementsOf();
  expect(statements.length).toBeGreaterThan(100);
  const toldTo = (version: string) => statements.flatMap((statement) => migration(statement, abilitiesOf(version)));
  const cockroach = toldTo("CockroachDB CCL v25.4.0");
  expect(cockroach.filter((text) => LACKED.test(text))).toEqual([]);
  const twice = cockroach.filter((text) => {
    const columns = /^create (?:unique )?index \w+ on \w+ \((.*?)\)(?: where|\s*$)/.exec(text)?.[1]?.split(", ") ?? [];
    return new Set(columns).size < columns.length;
  });
  expect(twice).toEqual([]);
  // Each commits by itself, and so has to be one.
  const several = cockroach.filter((text) => /;\s*\S/.test(text.replace(/\$\$.*\$\$/s, "").replace(/'[^']*'/g, "''")));
  expect(several).toEqual([]);
  // Those of YugabyteDB are those of PostgreSQL: the words and the order of texts.
  const yugabyte = toldTo("PostgreSQL 15.12-YB-2025.1.0.0-b0").filter((text) => LACKED.test(text));
  expect(yugabyte.filter((text) => !/\btext collate "C"|\bnormalize\(/.test(text))).toEqual([]);
  expect(yugabyte.length).toBeGreaterThan(0);
});

test("nor in what rooms ask", async () => {
  const sources = await readSources("src/**/*.ts");
  const asked = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:sql|plainSql\()`([^`]*)`/g)].map(
      ([, query = ""]) => `${path}: ${query.replace(/\$\{[^}]*\}/g, "?")}`,
    ),
  );
  expect(asked.length).toBeGreaterThan(300);
  // Servers that hear each other are only quicker; only who can is asked for collations and for any of several.
  const own =
    /^src\/database\/(?:postgres|checks|full-text)\.ts: (?:select (?:pg_notify|lower\(normalize)\(|\? and string_to_array\(grams, ' '\) && \?$)/;
  expect(asked.filter((line) => LACKED.test(line) && !own.test(line))).toEqual([]);
});

const refused: readonly (readonly string[])[] = [
  ["drop table pastes"],
  ["DROP TABLE IF EXISTS pastes"],
  ["drop trigger pastes_give_back"],
  ["drop index pastes_slug"],
  ["alter table pastes drop column remark"],
  ["alter table pastes\n  rename column remark to note"],
  ["alter table pastes rename to texts"],
  ["create table anew (id text) strict", "drop table pastes", "alter table anew rename to pastes"],
  ["alter table pastes add column kind text not null"],
  ["alter table pastes add column kind text not null check (kind <> '')"],
  ["alter table pastes add column kind text unique"],
  ["alter table pastes add constraint short check (length(slug) < 9)"],
  ["alter table pastes alter column remark set not null"],
  ["alter table pastes alter column views type smallint"],
  ["create unique index pastes_remark on pastes (remark)"],
];

for (const statements of refused) {
  test(`one that says ${statements.join("; ")} is refused`, () => {
    expect(breaksIn(statements).length).toBeGreaterThan(0);
  });
}

const taken: readonly (readonly string[])[] = [
  ["alter table pastes add column kind text"],
  ["alter table pastes add column kind text not null default 'note' check (kind in ('note', 'list'))"],
  ["create index pastes_kind on pastes (remark)"],
  ["update pastes set remark = null where remark = ''"],
  ["alter table pastes alter column remark drop not null"],
  ["create table notes (id text primary key, kind text not null)", "create unique index notes_kind on notes (kind)"],
  ["create table notes (id text primary key)", "alter table notes add column kind text not null"],
];

for (const statements of taken) {
  test(`one that says ${statements.join("; ")} is not`, () => {
    expect(breaksIn(statements)).toEqual([]);
  });
}
