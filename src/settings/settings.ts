import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { type SettingDeclaration, type SettingName, type SettingValue, settingGroups } from "./groups.ts";
import { type SettingRow, settingsTable } from "./settings-table.ts";

export interface Settings {
  /** The present value, from memory. */
  get<Name extends SettingName>(name: Name): SettingValue<Name>;
}

const declared = settingGroups.flatMap((group) =>
  Object.entries<SettingDeclaration>(group.settings).map(([name, declaration]) => ({ group, name, declaration })),
);

/** Seeds every setting that is missing and reads all of them. */
export async function openSettings({ db, clock }: { db: Database; clock: Clock }): Promise<Settings> {
  const table = settingsTable(db);
  const initial = declared.map(
    ({ group, name, declaration }): SettingRow => ({ group_id: group.id, name, value: declaration.initial }),
  );
  await table.seed(initial, clock());
  const texts = new Map((await table.all()).map((row) => [row.name, row.value]));
  const values = new Map<string, unknown>(
    declared.map(({ name, declaration }) => [name, meaning(declaration, texts.get(name) ?? declaration.initial)]),
  );
  return { get: (name) => values.get(name) as SettingValue<typeof name> };
}

function meaning({ type }: SettingDeclaration, text: string): string | number | boolean {
  if (type === "number") return Number(text);
  if (type === "bool") return text === "true";
  return text;
}
