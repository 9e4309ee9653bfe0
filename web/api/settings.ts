import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SettingRecord, settings } from "#contract/settings";
import { adminKeys } from "./admin-query-keys.ts";
import { call } from "./call.ts";
import { takeSite } from "./site.ts";
import { uploadLimitKey } from "./upload-storages.ts";

/** The groups of settings that have a page. */
export const settingGroup = { global: 1, preview: 2, webdav: 3, backup: 4, site: 5, sharing: 6 } as const;

/** Groups of which pages are told when they are loaded. */
const told: readonly number[] = [settingGroup.site, settingGroup.sharing];

/** A setting by its name: its present text and that of a new installation. */
type Values = Readonly<Record<string, { readonly value: string; readonly initial: string }>>;

/** The settings of a group. */
export const useSettings = (group: number) =>
  useQuery({
    queryKey: [...adminKeys.settings, group],
    queryFn: async ({ signal }): Promise<Values> => {
      const { data } = await call(settings.list, { query: { group: String(group) }, signal });
      const list: readonly (Pick<SettingRecord, "key" | "value"> & Partial<SettingRecord>)[] = Array.isArray(data)
        ? data
        : [];
      return Object.fromEntries(
        list.map(({ key, value, default_value: initial = value }) => [key, { value, initial }]),
      );
    },
  });

/** Saves the valid ones of these settings and returns the server's message for each other one. They take effect at once, also in this page. */
export function useSaveSettings(group: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Readonly<Record<string, string>>) => {
      const { data } = await call(settings.update, { params: { group: String(group) }, body });
      return Object.fromEntries(data.errors.map(({ key, error }) => [key, error]));
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: adminKeys.settings }),
        queries.invalidateQueries({ queryKey: adminKeys.backups }),
        queries.invalidateQueries({ queryKey: uploadLimitKey }),
        // The lists of file extensions decide how files are shown.
        queries.invalidateQueries({ queryKey: ["tree"] }),
        ...(told.includes(group) ? [takeSite()] : []),
      ]),
  });
}
