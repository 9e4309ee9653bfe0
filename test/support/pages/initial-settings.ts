import { type SettingDeclaration, settingGroups } from "../../../src/settings/groups.ts";
import type { Settings } from "../../../src/settings/settings.ts";

const initial = new Map(
  settingGroups.flatMap(({ settings }) =>
    Object.entries<SettingDeclaration>(settings).map(([name, { type, initial: text }]) => [
      name,
      type === "number" ? Number(text) : type === "bool" ? text === "true" : text,
    ]),
  ),
);

/** Settings as a new installation has them. */
export const initialSettings: Pick<Settings, "get"> = { get: (name) => initial.get(name) as never };
