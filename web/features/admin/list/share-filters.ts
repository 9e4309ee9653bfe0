import { MIN_QUERY_CHARACTERS } from "#contract/limits";
import { type ShareState, shareStates } from "#contract/listing";
import { useKeys } from "../../../api/keys.ts";
import { t } from "../../../i18n/i18n.ts";
import type { FilterField } from "./list-bar.tsx";
import type { ListQuery } from "./list-query.ts";

/** What the lists of texts and files are narrowed by, with the values that an address may ask for. */
export const shareFilters = {
  state: shareStates,
  protected: ["true", "false"],
  created_by: undefined,
} as const;

type ShareFilter = keyof typeof shareFilters;

/** The fields for them; only the administrator sees what others made. */
export function useShareFilters(admin: boolean): readonly FilterField<ShareFilter>[] {
  const maker = useMakerFilter(admin);
  const states = shareStates.map((value) => ({ value, label: t(`admin.list.state.${value}`) }));
  return [
    { name: "state", label: t("admin.list.stateLabel"), choices: states },
    {
      name: "protected",
      label: t("admin.list.protection"),
      choices: [
        { value: "true", label: t("admin.list.protected") },
        { value: "false", label: t("admin.list.unprotected") },
      ],
    },
    ...maker,
  ];
}

/** The field that narrows a list to what one person made; nobody but the administrator has it. */
export function useMakerFilter(admin: boolean): readonly FilterField<"created_by">[] {
  const { data: keys = [] } = useKeys(admin);
  if (!admin) return [];
  const choices = [
    { value: "admin", label: t("admin.list.byAdmin") },
    ...keys.map(({ id, name }) => ({ value: `apikey:${id}`, label: t("admin.list.byKey", { name }) })),
  ];
  return [{ name: "created_by", label: t("admin.list.by"), choices }];
}

/** Why the server is not asked for a text yet. */
export const searchHint = (text: string): string | undefined =>
  text === "" || text.length >= MIN_QUERY_CHARACTERS ? undefined : t("admin.list.searchShort");

/** What the server is asked for, whichever kind of share it is. */
export const askedOf = <Sort extends string>(query: ListQuery<Sort, ShareFilter>) => ({
  limit: query.size,
  offset: (query.page - 1) * query.size,
  sort: query.sort,
  order: query.order,
  search: query.search || undefined,
  state: query.filters.state as ShareState | undefined,
  protected: query.filters.protected as "true" | "false" | undefined,
  created_by: query.filters.created_by,
});
