import { Failure } from "#contract/failures";
import type { Language } from "#contract/languages";
import { sentence } from "#contract/messages/sentence";
import { settings as api, type SettingRecord } from "#contract/settings";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import type { SettingsUpdate, ShownSetting } from "../../../settings/settings.ts";
import { describeGroup, describeSetting } from "../../../settings/words.ts";
import type { Bind } from "../bind.ts";
import { languageOf } from "../failures.ts";

/** The settings over REST. */
export function bindSettings(bind: Bind, { settings }: Pick<House, "settings">): void {
  bind(api.list, ({ query: { group, metadata, includeSystem }, request }) => {
    const language = languageOf(request.headers);
    const bare = metadata === "false" || metadata === "0";
    const show = (list: readonly ShownSetting[]) =>
      bare ? list.map(({ name, value }) => ({ key: name, value })) : list.map((one) => shown(one, language));
    if (group !== undefined) return { data: show(settings.list(group)) };
    const wanted = settings
      .groups()
      .filter(({ id }) => includeSystem || settings.list(id).some((one) => !one.readOnly));
    return { data: Object.fromEntries(wanted.map(({ id }) => [String(id), show(settings.list(id))])) };
  });

  bind(api.groups, ({ request }) => {
    const language = languageOf(request.headers);
    const groups = settings.groups().map(({ id, name }) => {
      const list = settings.list(id);
      const readonlyCount = list.filter(({ readOnly }) => readOnly).length;
      return { id, name: describeGroup(name, language), settingCount: list.length, readonlyCount };
    });
    return { data: { groups } };
  });

  bind(api.describe, ({ query: { key }, request }) => ({
    data: shown(settings.describe(key), languageOf(request.headers)),
  }));

  bind(api.update, async ({ params: { group }, body, request, touched }) => {
    const language = languageOf(request.headers);
    const sent = new Map(Object.entries(body));
    const known = settings.groups().find(({ id }) => String(id) === group);
    const { set, refused } = known ? await settings.update(known.id, sent) : noneOf(sent);
    touched(set.length > 0 ? { id: group, name: known?.name, fields: set } : undefined);
    const errors = refused.map(({ name, failure }) => ({ key: name, error: sentence(failure, language) }));
    const success = errors.length === 0;
    const message = success ? "OK" : errors.map(({ key, error }) => `${key}: ${error}`).join(" ");
    const data = {
      groupId: known?.id ?? null,
      updatedCount: set.length,
      totalCount: sent.size,
      errors,
      success,
      message,
    };
    return success ? { data } : { code: 202, success, message, data };
  });
}

/** An unknown group refuses every value that was sent, and the group itself if there is none. */
const noneOf = (sent: ReadonlyMap<string, unknown>): SettingsUpdate => ({
  set: [],
  refused: (sent.size > 0 ? [...sent.keys()] : ["group"]).map((name) => ({
    name,
    failure: new Failure("setting.groupMissing"),
  })),
});

const READ_ONLY = 2;

const shown = (setting: ShownSetting, language: Language): SettingRecord => ({
  key: setting.name,
  value: setting.value,
  default_value: setting.declaration.initial,
  description: describeSetting(setting.name, language),
  type: setting.declaration.type,
  group_id: setting.group,
  options: setting.declaration.options ? JSON.stringify(setting.declaration.options) : null,
  sort_order: setting.order,
  flags: setting.readOnly ? READ_ONLY : 0,
  created_at: iso(setting.createdAt),
  updated_at: iso(setting.updatedAt),
});
