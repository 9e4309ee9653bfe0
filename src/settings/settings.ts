import { Failure } from "#contract/failures";
import type { Cluster } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/migrate.ts";
import type { Clock } from "../lib/clock.ts";
import { shared } from "../lib/turns.ts";
import {
  type SettingDeclaration,
  type SettingName,
  type SettingValue,
  SYSTEM_GROUP,
  settingGroups,
  settingText,
} from "./groups.ts";
import { settingsTable } from "./settings-table.ts";

/** One setting as the administrator sees it. */
export interface ShownSetting {
  readonly name: string;
  readonly group: number;
  readonly value: string;
  readonly declaration: SettingDeclaration;
  /** Its place in its group, from 1 on. */
  readonly order: number;
  readonly readOnly: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The result of setting several: the names that were set, and the failures of the others. */
export interface SettingsUpdate {
  readonly set: readonly string[];
  readonly refused: readonly { readonly name: string; readonly failure: Failure }[];
}

export interface Settings {
  /** Sets what is hidden from the lists. */
  set(name: SettingName, text: string): Promise<void>;
  /** The present value, from memory. */
  get<Name extends SettingName>(name: Name): SettingValue<Name>;
  groups(): readonly { readonly id: number; readonly name: string }[];
  /** In the order of their declaration. 404 setting.groupMissing. */
  list(group: number): readonly ShownSetting[];
  /** 404 setting.missing. */
  describe(name: string): ShownSetting;
  /**
   * Sets the valid ones, all at once, and returns the failures of the rest. They apply from then on. 404 setting.groupMissing.
   */
  update(group: number, sent: ReadonlyMap<string, unknown>): Promise<SettingsUpdate>;
}

interface SettingsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly schema: Schema;
  readonly cluster: Pick<Cluster, "follow">;
  /** Is asked before a value is set, among others that are, what no rule of its own tells; throws the failure of one that cannot be. */
  readonly check?:
    | ((name: string, wanted: ReadonlyMap<string, string>, kept: Settings["get"]) => Promise<void>)
    | undefined;
}

const declared = settingGroups.flatMap((group) =>
  Object.entries<SettingDeclaration>(group.settings).map(([name, declaration], index) => ({
    group: group.id as number,
    name,
    declaration,
    order: index + 1,
    readOnly: false,
  })),
);

/** Seeds every setting that is missing and reads all of them. */
export async function openSettings({ db, clock, schema, cluster, check }: SettingsDeps): Promise<Settings> {
  const table = settingsTable(db);
  await table.seed(
    declared.map(({ group, name, declaration }) => ({ group_id: group, name, value: declaration.initial })),
    clock(),
  );

  const shown = new Map<string, ShownSetting>();
  const values = new Map<string, unknown>();
  for (const setting of ofSystem(schema)) shown.set(setting.name, setting);
  const read = async () => {
    const rows = new Map((await table.all()).map((row) => [row.name, row]));
    for (const setting of declared) {
      const row = rows.get(setting.name);
      if (!row) throw new Error(`The setting ${setting.name} has no row.`);
      shown.set(setting.name, { ...setting, value: row.value, createdAt: row.created_at, updatedAt: row.updated_at });
      values.set(setting.name, meaning(setting.declaration, row.value));
    }
  };
  await read();
  // While the database does not answer this waits, and everybody has the settings as they were.
  cluster.follow("settings", shared(read));

  /** Returns the text to store. Throws on an invalid value. */
  const checked = (group: number, name: string, sent: unknown): string => {
    const setting = shown.get(name);
    if (setting?.group !== group || setting.declaration.hidden) throw new Failure("setting.missing");
    if (setting.readOnly) throw new Failure("setting.readOnly");
    return settingText(setting.declaration, sent);
  };

  /** 404 setting.groupMissing. */
  const requireGroup = (group: number) => {
    if (![...settingGroups, SYSTEM_GROUP].some(({ id }) => id === group)) throw new Failure("setting.groupMissing");
  };

  const get: Settings["get"] = (name) => values.get(name) as SettingValue<typeof name>;

  return {
    get,

    groups: () => [...settingGroups, SYSTEM_GROUP],

    async set(name, text) {
      await table.set(new Map([[name, text]]), clock());
      await read();
    },

    list(group) {
      requireGroup(group);
      return [...shown.values()].filter((one) => one.group === group && !one.declaration.hidden);
    },

    describe(name) {
      const setting = shown.get(name);
      if (!setting || setting.declaration.hidden) throw new Failure("setting.missing");
      return setting;
    },

    async update(group, sent) {
      requireGroup(group);
      const accepted = new Map<string, string>();
      const refused: { name: string; failure: Failure }[] = [];
      const refuse = (name: string, failure: unknown) => {
        if (!(failure instanceof Failure)) throw failure;
        accepted.delete(name);
        refused.push({ name, failure });
      };
      for (const [name, value] of sent) {
        try {
          accepted.set(name, checked(group, name, value));
        } catch (error) {
          refuse(name, error);
        }
      }
      for (const name of [...accepted.keys()]) await check?.(name, accepted, get).catch((error) => refuse(name, error));
      if (accepted.size > 0) {
        await table.set(accepted, clock());
        await read();
      }
      return { set: [...accepted.keys()], refused };
    },
  };
}

/** Settings without a row, because only the server itself sets them. */
function ofSystem({ version, createdAt, updatedAt }: Schema): ShownSetting[] {
  const times = { createdAt, updatedAt };
  const fixed = { group: SYSTEM_GROUP.id, readOnly: true, ...times } as const;
  return [
    { ...fixed, name: "db_initialized", value: "true", declaration: { type: "bool", initial: "true" }, order: 1 },
    {
      ...fixed,
      name: "schema_version",
      value: String(version),
      declaration: { type: "number", initial: "0", whole: true },
      order: 2,
    },
  ];
}

function meaning({ type }: SettingDeclaration, text: string): string | number | boolean {
  if (type === "number") return Number(text);
  if (type === "bool") return text === "true";
  return text;
}
