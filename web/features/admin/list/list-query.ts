import { useSearchParams } from "react-router-dom";
import { type SortOrder, sortOrders } from "#contract/listing";

/** How many rows a page of a table may have. */
const tableSizes = [20, 50, 100] as const;

interface Sorting<Sort extends string> {
  readonly sort: Sort;
  readonly order: SortOrder;
}

/** What a list may be asked for; what its address asks beside that is passed over. */
interface Askable<Sort extends string, Filter extends string> {
  /** The first is the usual one. */
  readonly sorts: readonly Sort[];
  /** How many rows a page may have; the first is the usual one. */
  readonly sizes?: readonly [number, ...number[]];
  /** Each filter with its values; undefined for any. */
  readonly filters?: { readonly [Name in Filter]: readonly string[] | undefined };
}

/** A list as its address has it: `?page=2&size=50&sort=views&order=asc&search=word&state=expired`. */
export interface ListQuery<Sort extends string = string, Filter extends string = string> extends Sorting<Sort> {
  /** The first is 1. */
  readonly page: number;
  readonly size: number;
  /** The sizes that can be chosen; the first is the usual one. */
  readonly sizes: readonly [number, ...number[]];
  /** Empty when nothing is searched for. */
  readonly search: string;
  readonly filters: { readonly [Name in Filter]?: string };
  /** Reports whether anything is left out of the list. */
  readonly narrowed: boolean;
  readonly go: (page: number) => void;
  readonly resize: (size: number) => void;
  sortBy(sort: Sort, order: SortOrder): void;
  readonly searchFor: (text: string) => void;
  /** undefined takes the filter away. */
  filterBy(name: Filter, value: string | undefined): void;
  /** Takes search and filters away. */
  readonly clearFilters: () => void;
}

const LAST_PAGE = 1_000_000;
const USUAL_ORDER: SortOrder = "desc";

/** Reads what the address asks a list for, and writes there what it is asked for next. Whatever changes the rows leads to page 1. */
export function useListQuery<Sort extends string, Filter extends string = never>(
  askable: Askable<Sort, Filter>,
): ListQuery<Sort, Filter> {
  const [address, setAddress] = useSearchParams();
  const { sorts, filters: known = {} as Record<Filter, undefined>, sizes = tableSizes } = askable;
  const names = Object.keys(known) as Filter[];
  const [usualSort] = sorts as readonly [Sort, ...Sort[]];

  const change = (part: Readonly<Record<string, string | undefined>>, replace = false) =>
    setAddress(
      (present) => {
        const next = new URLSearchParams(present);
        for (const [name, value] of Object.entries({ page: undefined, ...part })) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace },
    );

  const asked = Number(address.get("page"));
  const search = address.get("search")?.trim() ?? "";
  const found = names.flatMap((name) => {
    const value = address.get(name) ?? "";
    const values: readonly string[] | undefined = known[name];
    return value !== "" && (values === undefined || values.includes(value)) ? [[name, value] as const] : [];
  });
  const size = sizes.find((one) => String(one) === address.get("size")) ?? sizes[0];
  const sort = sorts.find((one) => one === address.get("sort")) ?? usualSort;
  const order = sortOrders.find((one) => one === address.get("order")) ?? USUAL_ORDER;
  return {
    page: Number.isInteger(asked) && asked >= 1 ? Math.min(asked, LAST_PAGE) : 1,
    size,
    sizes,
    sort,
    order,
    search,
    filters: Object.fromEntries(found) as ListQuery<Sort, Filter>["filters"],
    narrowed: search !== "" || found.length > 0,
    go: (page) => change({ page: page > 1 ? String(page) : undefined }),
    resize: (next) => change({ size: next === sizes[0] ? undefined : String(next) }),
    sortBy: (by, direction) =>
      change({ sort: by === usualSort ? undefined : by, order: direction === USUAL_ORDER ? undefined : direction }),
    // Each letter typed is no step to go back to.
    searchFor: (text) => change({ search: text.trim() }, true),
    filterBy: (name, value) => change({ [name]: value }),
    clearFilters: () => change(Object.fromEntries([...names, "search"].map((name) => [name, undefined]))),
  };
}
