import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

interface SettingRow {
  readonly group_id: number;
  readonly name: string;
  readonly value: string;
  readonly created_at: number;
  readonly updated_at: number;
}

type Seed = Pick<SettingRow, "group_id" | "name" | "value">;

const columns = sql`group_id, name, value, created_at, updated_at`;

export const settingsTable = (db: Database) => ({
  all: () => db.all<SettingRow>(sql`select ${columns} from settings`),
  /** Inserts missing settings and keeps existing ones. */
  seed: (rows: readonly Seed[], now: number) =>
    db.batch(
      rows.map(
        ({ group_id, name, value }) => sql`
          insert into settings (${columns}) values (${group_id}, ${name}, ${value}, ${now}, ${now})
          on conflict (group_id, name) do nothing`,
      ),
    ),
  /** Sets all of these or none. */
  set: (values: ReadonlyMap<string, string>, now: number) =>
    db.batch(
      [...values].map(([name, value]) =>
        sql`update settings set value = ${value}, updated_at = ${now} where name = ${name}`.publishing("settings"),
      ),
    ),
});
