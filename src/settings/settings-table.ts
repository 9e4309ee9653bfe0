import { type Database, sql } from "../database/database.ts";

export interface SettingRow {
  readonly group_id: number;
  readonly name: string;
  readonly value: string;
}

export const settingsTable = (db: Database) => ({
  all: () => db.all<SettingRow>(sql`select group_id, name, value from settings`),
  /** Adds what is missing and leaves what is there. */
  seed: (rows: readonly SettingRow[], now: number) =>
    db.batch(
      rows.map(
        ({ group_id, name, value }) => sql`
          insert into settings (group_id, name, value, created_at, updated_at)
          values (${group_id}, ${name}, ${value}, ${now}, ${now})
          on conflict (group_id, name) do nothing`,
      ),
    ),
});
