import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import ListFilter from "lucide-react/icons/list-filter";
import X from "lucide-react/icons/x";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Popover } from "../../../ui/overlay/popover.tsx";
import type { ListQuery } from "./list-query.ts";
import { SearchBox } from "./search-box.tsx";

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One thing that a list can be narrowed by. */
export interface FilterField<Filter extends string = string> {
  readonly name: Filter;
  readonly label: string;
  readonly choices: readonly Choice[];
}

interface ListBarProps<Sort extends string, Filter extends string> {
  readonly query: ListQuery<Sort, Filter>;
  readonly searchLabel: string;
  /** What is searched, in few words. */
  readonly searched: string;
  /** Says why a text is not searched for yet. */
  readonly searchHint?: (text: string) => string | undefined;
  /** What the columns are called that a list can be sorted by; with a single one there is nothing to choose. */
  readonly sorts: readonly { readonly value: Sort; readonly label: string }[];
  readonly filters: readonly FilterField<Filter>[];
}

/** Above a list: what it is searched for, narrowed to and sorted by. */
export function ListBar<Sort extends string, Filter extends string>(props: ListBarProps<Sort, Filter>) {
  const { query, searchLabel, searched, searchHint, filters } = props;
  useLanguage();
  const active = filters.flatMap((field) => {
    const value = query.filters[field.name];
    // A key that is no more has no name, but the list still knows what it made.
    return value === undefined ? [] : [{ ...field, value, shown: nameOf(field, value) }];
  });
  const name = t(filters.length > 0 ? "admin.list.filter" : "admin.list.sort");
  return (
    <div className="mb-3 grid gap-2">
      <div className="flex items-start gap-2">
        <SearchBox
          label={searchLabel}
          placeholder={searched}
          value={query.search}
          onSearch={query.searchFor}
          hint={searchHint}
        />
        <Popover
          label={name}
          trigger={(trigger) => (
            <Button {...trigger} icon={<ListFilter aria-hidden />}>
              {active.length > 0 ? t("admin.list.filterCount", { count: active.length }) : name}
            </Button>
          )}
        >
          <Options {...props} />
        </Popover>
      </div>
      {active.length > 0 && (
        <ul aria-label={t("admin.list.filters")} className="flex flex-wrap gap-1.5">
          {active.map(({ name, label, shown }) => (
            <Chip key={name} onRemove={() => query.filterBy(name, undefined)} text={`${label} · ${shown}`} />
          ))}
        </ul>
      )}
    </div>
  );
}

const nameOf = ({ choices }: FilterField, value: string): string =>
  choices.find((choice) => choice.value === value)?.label ?? value.replace(/^apikey:/, "");

interface ChipProps {
  readonly text: string;
  readonly onRemove: () => void;
}

const Chip = ({ text, onRemove }: ChipProps) => (
  <li className="flex max-w-full items-center rounded-full bg-accent-soft pl-3 text-[13px]">
    <span className="truncate">{text}</span>
    <IconButton
      label={t("admin.list.unfilter", { filter: text })}
      className="size-8 rounded-full [&_svg]:size-4"
      onClick={onRemove}
    >
      <X aria-hidden />
    </IconButton>
  </li>
);

const ANY = "";

function Options<Sort extends string, Filter extends string>({ query, sorts, filters }: ListBarProps<Sort, Filter>) {
  const { sort, order, sortBy } = query;
  const turned = order === "asc" ? "desc" : "asc";
  return (
    <div className="grid gap-4 p-4 sm:w-72">
      {filters.map(({ name, label, choices }) => (
        <SelectField
          key={name}
          label={label}
          choices={[{ value: ANY, label: t("admin.list.any") }, ...withPresent(choices, query.filters[name])]}
          value={query.filters[name] ?? ANY}
          onChoose={(value) => query.filterBy(name, value || undefined)}
        />
      ))}
      {sorts.length > 1 && (
        <div className="flex items-end gap-2">
          <SelectField
            label={t("admin.list.sort")}
            choices={sorts}
            value={sort}
            onChoose={(by) => sortBy(by, order)}
            className="min-w-0 flex-1"
          />
          <IconButton label={t(`admin.list.order.${order}`)} onClick={() => sortBy(sort, turned)}>
            {order === "asc" ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />}
          </IconButton>
        </div>
      )}
      {query.narrowed && <Button onClick={query.clearFilters}>{t("admin.list.widen")}</Button>}
    </div>
  );
}

/** A value of the address that is none of the choices stands among them, so that the field shows what is in force. */
const withPresent = (choices: readonly Choice[], present: string | undefined): readonly Choice[] =>
  present === undefined || choices.some(({ value }) => value === present)
    ? choices
    : [...choices, { value: present, label: present.replace(/^apikey:/, "") }];
