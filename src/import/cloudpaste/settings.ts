import { Failure } from "#contract/failures";
import { type SettingName, settingGroups, settingText } from "../../settings/groups.ts";
import type { ShownSetting } from "../../settings/settings.ts";
import { type CloudPasteContext, readRecords } from "./context.ts";
import { settingRow } from "./rows.ts";

/**
 * Settings that CloudPaste has, too. Any other is of Satchel alone, and whoever wrote it into a backup had something in mind: a timetable of
 * backups to a bucket that the same file brings, for instance.
 */
const OF_CLOUDPASTE: ReadonlySet<string> = new Set<SettingName>([
  ...([
    "max_upload_size",
    "proxy_sign_all",
    "proxy_sign_expires",
    "file_naming_strategy",
    "default_use_proxy",
  ] as const),
  ...(["preview_text_types", "preview_audio_types", "preview_video_types", "preview_image_types"] as const),
  ...(["preview_office_types", "preview_document_types", "webdav_upload_mode"] as const),
]);

/** Imports settings that Satchel has, too. One that was changed here stays as it is; one that is the same already is not new. */
export async function importSettings(context: CloudPasteContext): Promise<void> {
  const { backup, rooms, report, isApplied } = context;
  const { settings } = rooms;
  const tally = report.tally("settings");
  const here = new Map(settingGroups.flatMap(({ id }) => settings.list(id)).map((one) => [one.name, one]));
  const wanted = new Map<number, Map<string, string>>();
  for (const { key, value } of await readRecords(backup, "system_settings", settingRow, tally)) {
    const setting = here.get(key);
    if (!setting) {
      tally.left("setting.unknown", key);
      continue;
    }
    if (!OF_CLOUDPASTE.has(key)) {
      tally.left("setting.own", key);
      continue;
    }
    const text = textOf(setting, value);
    if (text === undefined) tally.left("setting.value", key);
    else if (text === setting.value) tally.present();
    else if (setting.value !== setting.declaration.initial) tally.left("setting.changed", key);
    else {
      const group = wanted.get(setting.group) ?? new Map<string, string>();
      wanted.set(setting.group, group.set(key, text));
      tally.added(key);
    }
  }
  if (isApplied) for (const [group, values] of wanted) await settings.update(group, values);
  await context.passed("settings", tally.counts.rows);
}

function textOf({ declaration }: ShownSetting, value: unknown): string | undefined {
  try {
    return settingText(declaration, value);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
