import { endpoint } from "./endpoint.ts";
import { queryNumber, querySwitch } from "./fields.ts";
import { LARGE_JSON_BYTES, MAX_SETTING_NAME_CHARACTERS, MAX_SETTINGS } from "./limits.ts";
import * as z from "./schemas.ts";

/** Settings, in groups: 1 global, 2 preview, 3 webdav, 4 backup, 5 site, 6 sharing, and 99 what only the server itself sets. */

const settingTypes = ["number", "bool", "select", "textarea", "text"] as const;

const groupNumber = queryNumber(0, 1_000_000);

const setting = z.object({
  key: z.string(),
  /** Always a text; `type` defines its meaning. */
  value: z.string(),
  /** What it is on a new installation. */
  default_value: z.string(),
  description: z.string(),
  type: z.enum(settingTypes),
  group_id: z.int(),
  /** A JSON array of the options of a select; null for other types. */
  options: z.nullable(z.string()),
  sort_order: z.int(),
  /** 0 can be set, 2 can only be read. */
  flags: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

const bareSetting = z.object({ key: z.string(), value: z.string() });
const settingList = z.union([z.array(setting), z.array(bareSetting)]);

export const settings = {
  list: endpoint({
    method: "GET",
    path: "/admin/settings",
    access: "admin",
    summary: "The settings of one group as a list, or of all groups by their numbers",
    query: z.object({
      group: z.optional(groupNumber),
      /** `false` leaves all but names and values away. */
      metadata: z.optional(z.enum(["true", "false", "1", "0"])),
      /** Adds what only the server itself sets. */
      includeSystem: querySwitch,
    }),
    response: z.object({ data: z.union([settingList, z.record(z.string(), settingList)]) }),
  }),
  groups: endpoint({
    method: "GET",
    path: "/admin/settings/groups",
    access: "admin",
    summary: "The groups of settings",
    response: z.object({
      data: z.object({
        groups: z.array(z.object({ id: z.int(), name: z.string(), settingCount: z.int(), readonlyCount: z.int() })),
      }),
    }),
  }),
  describe: endpoint({
    method: "GET",
    path: "/admin/settings/metadata",
    access: "admin",
    summary: "One setting",
    query: z.object({ key: z.string().check(z.minLength(1), z.maxLength(MAX_SETTING_NAME_CHARACTERS)) }),
    response: z.object({ data: setting }),
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/settings/group/:group",
    access: "admin",
    audit: "settings.update",
    offline: "updateGroupSettings",
    summary:
      "Set what is right of a group and say what is wrong with the rest: code 202 and success false when anything is. Holds at once",
    /** Compared as a text: where it names no group, every setting is answered with its failure. */
    params: z.object({ group: z.string() }),
    query: z.object({
      /** Existing clients send it; values are checked all the same. */
      validate: z.optional(z.enum(["true", "false", "1", "0"])),
    }),
    bodyLimit: LARGE_JSON_BYTES,
    body: z
      .record(z.string().check(z.maxLength(MAX_SETTING_NAME_CHARACTERS)), z.unknown())
      .check(z.refine((sent) => Object.keys(sent).length <= MAX_SETTINGS)),
    response: z.object({
      code: z.optional(z.int()),
      success: z.optional(z.boolean()),
      message: z.optional(z.string()),
      data: z.object({
        /** null when there is no such group. */
        groupId: z.nullable(z.int()),
        updatedCount: z.int(),
        totalCount: z.int(),
        errors: z.array(z.object({ key: z.string(), error: z.string() })),
        success: z.boolean(),
        message: z.string(),
      }),
    }),
  }),
};

export type SettingRecord = z.output<typeof setting>;
export type SettingType = (typeof settingTypes)[number];
