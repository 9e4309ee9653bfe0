import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import type { ReactNode } from "react";
import type { SortOrder } from "#contract/listing";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { useMedia } from "../../../lib/media.ts";
import { Card, Skeleton } from "../../../ui/card.tsx";
import { Checkbox } from "../../../ui/form/field.tsx";
import type { ListQuery } from "./list-query.ts";
import type { Selection } from "./selection.ts";

/** One thing to know about a row, with its name. */
interface Fact<Row> {
  readonly name: string;
  readonly show: (row: Row) => ReactNode;
  /** By what the list is sorted for it; not sortable without. */
  readonly sort?: string;
}

/** A column of the table; a card has a place for it too. */
export interface Column<Row> extends Fact<Row> {
  /** Width and alignment in the table; a column without width takes what is left. */
  readonly looks?: string;
  /** Wants the whole width of a card. */
  readonly long?: boolean;
  /** More about the same thing, in smaller letters. */
  readonly note?: (row: Row) => ReactNode;
  /** Shares the column, in smaller letters. */
  readonly below?: Fact<Row>;
}

/** How a list shows its rows. */
export interface ListShape<Row> {
  /** From this media query on there is room for the table. */
  readonly roomy: string;
  /** What a row is called where it cannot be seen. */
  readonly called: (row: Row) => string;
  /** What a row is known by, then what it is about. */
  readonly heading: Column<Row>;
  readonly body?: Column<Row>;
  readonly columns: readonly Column<Row>[];
  readonly actions: (row: Row) => ReactNode;
}

/** The order of a list, and the way to another. */
type Sorting = Pick<ListQuery, "sort" | "order" | "sortBy">;

interface ShareListProps<Row> {
  readonly shape: ListShape<Row>;
  readonly rows: readonly Row[];
  readonly selection: Selection;
  readonly sorting: Sorting;
}

interface Identified {
  readonly id: string;
}

/** Shares as a table where there is room, as cards on a phone. */
export function ShareList<Row extends Identified>(props: ShareListProps<Row>) {
  useLanguage();
  return useMedia(props.shape.roomy) ? <Table {...props} /> : <Cards {...props} />;
}

const cell = "px-2.5 py-1.5 align-middle";

function Table<Row extends Identified>({ shape, rows, selection, sorting }: ShareListProps<Row>) {
  const { heading, body, columns, actions } = shape;
  const beside = body ? [body, ...columns] : columns;
  return (
    <Card>
      <table className="w-full table-fixed border-collapse text-left">
        <thead className="border-line border-b text-muted text-xs">
          <tr>
            <th scope="col" className="w-11 pl-2">
              <Checkbox
                hiddenLabel
                label={t("admin.list.selectAll")}
                checked={selection.all}
                onChange={selection.toggleAll}
              />
            </th>
            {[heading, ...beside].map((column) => (
              <ColumnHead key={column.name} column={column} sorting={sorting} />
            ))}
            <th scope="col" className="w-44 px-3 md:max-lg:w-28">
              <span className="sr-only">{t("admin.list.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.id}
              className="border-line border-b last:border-b-0 hover:bg-sunken/60 has-checked:bg-accent-soft/60"
            >
              <td className="w-11 pl-2">
                <Tick row={row} called={shape.called} selection={selection} />
              </td>
              <th scope="row" className={`${cell} font-normal`}>
                <Stacked column={heading} row={row} />
              </th>
              {beside.map((column) => (
                <td key={column.name} className={classes(cell, column.looks)}>
                  <Stacked column={column} row={row} />
                </td>
              ))}
              <td className="py-1 pr-2 pl-3">{actions(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

interface ColumnHeadProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting;
}

/** The name of a column, and of what shares it; pressed, the list is sorted by it. */
function ColumnHead<Row>({ column, sorting }: ColumnHeadProps<Row>) {
  const { below, looks } = column;
  const facts = below ? [column, below] : [column];
  const sorted = facts.some(({ sort }) => sort === sorting.sort);
  const direction = sorting.order === "asc" ? "ascending" : "descending";
  return (
    <th scope="col" aria-sort={sorted ? direction : undefined} className={classes("px-2.5 font-medium", looks)}>
      {facts.map((fact, index) => (
        <span key={fact.name} className="whitespace-nowrap">
          {fact.sort === undefined ? fact.name : <SortButton name={fact.name} sort={fact.sort} sorting={sorting} />}
          {/* Where a line has to end it ends with the dot: none begins with it. */}
          {index < facts.length - 1 && " · "}
        </span>
      ))}
    </th>
  );
}

interface SortButtonProps {
  readonly name: string;
  readonly sort: string;
  readonly sorting: Sorting;
}

/** What a person wants to see first: names from A, of everything else the latest, the most. */
const firstOrder = (sort: string): SortOrder => (sort === "name" ? "asc" : "desc");

function SortButton({ name, sort, sorting: { sort: present, order, sortBy } }: SortButtonProps) {
  const on = present === sort;
  const Arrow = order === "asc" ? ArrowUp : ArrowDown;
  const next = on ? (order === "asc" ? "desc" : "asc") : firstOrder(sort);
  return (
    <button
      type="button"
      onClick={() => sortBy(sort, next)}
      className={classes(
        "-mx-1 inline-flex h-8 items-center gap-0.5 rounded px-1 font-medium hover:text-text pointer-coarse:h-11",
        on && "text-text",
      )}
    >
      {name}
      {on && <Arrow aria-hidden className="size-3.5" />}
    </button>
  );
}

interface StackedProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
}

const Stacked = <Row,>({ column: { show, note, below }, row }: StackedProps<Row>) => (
  <>
    {show(row)}
    {note && <div className="text-[13px] text-muted">{note(row)}</div>}
    {below && <div className="text-[13px] text-muted">{below.show(row)}</div>}
  </>
);

interface TickProps<Row> {
  readonly row: Row;
  readonly called: (row: Row) => string;
  readonly selection: Selection;
}

const Tick = <Row extends Identified>({ row, called, selection }: TickProps<Row>) => (
  <Checkbox
    hiddenLabel
    label={t("admin.list.selectOne", { name: called(row) })}
    checked={selection.has(row.id)}
    onChange={() => selection.toggle(row.id)}
  />
);

function Cards<Row extends Identified>({ shape, rows, selection }: ShareListProps<Row>) {
  const { heading, body, columns, actions } = shape;
  const facts: Column<Row>[] = columns.flatMap((column) => (column.below ? [column, column.below] : [column]));
  return (
    <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
      {rows.map((row) => (
        <li key={row.id} className="min-w-0">
          <Card className="flex h-full flex-col has-checked:border-accent">
            <div className="grid grid-cols-[auto_1fr] items-center gap-x-1 pt-1 pr-4 pb-2 pl-2">
              <Tick row={row} called={shape.called} selection={selection} />
              <div className="min-w-0">{heading.show(row)}</div>
              {/* Under the name; of two places for a finger the empty edges may meet. */}
              {heading.below && (
                <div className="col-start-2 min-w-0 pointer-coarse:-mt-2.5">{heading.below.show(row)}</div>
              )}
            </div>
            {body && <div className="px-4 pb-2">{body.show(row)}</div>}
            {/* Each value has a line of its own: beside their names the longer ones would break. */}
            <dl className="mb-3 grid grid-cols-2 gap-x-4 gap-y-1.5 px-4 text-[13px]">
              {facts.map(({ name, show, note, long = false }) => (
                <div key={name} className={classes("min-w-0", (note || long) && "col-span-2")}>
                  <dt className="text-muted text-xs">{name}</dt>
                  <dd className="flex min-w-0 flex-wrap gap-x-1.5">
                    {show(row)}
                    {note && <div className="min-w-0 text-muted">{note(row)}</div>}
                  </dd>
                </div>
              ))}
            </dl>
            <div className="mt-auto flex justify-end border-line border-t px-2 py-1">{actions(row)}</div>
          </Card>
        </li>
      ))}
    </ul>
  );
}

/** Grey rows of the list's own height. */
export const ListSkeleton = () => (
  <Card aria-busy="true">
    {["a", "b", "c", "d", "e"].map((row) => (
      <div key={row} className="flex h-[58px] items-center gap-6 border-line border-b px-4 last:border-b-0">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="hidden h-4 w-40 sm:block" />
      </div>
    ))}
  </Card>
);
