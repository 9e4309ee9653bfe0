import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { BASELINE } from "../src/database/migrate.ts";
import { breaksIn, faultsOf } from "./support/rules/migration-rules.ts";
import { root } from "./support/sources.ts";

/** While servers are upgraded one after the other, those of the version before work on the tables of the new one. */

const files = readdirSync(join(root, "src/database/migrations"), { withFileTypes: true })
  .flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  .sort();

test("none breaks a server of the version before unless it says so", async () => {
  expect(files.map((file) => Number.parseInt(file, 10))).toEqual(files.map((_, index) => BASELINE + 1 + index));
  const broken: string[] = [];
  for (const file of files) {
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
  for (const needs of [31, 0, BASELINE, 29.5, undefined])
    expect(faultsOf(30, { needs, statements })).toEqual([`needs step ${needs}`]);
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
