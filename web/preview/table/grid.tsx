import { type CSSProperties, useEffect, useEffectEvent, useMemo, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { ViewerNote } from "../file/viewer-note.tsx";

/** What the header and the file's name leave of the window (the same is left of `tall` frames), and less for a table of three rows. */
const tallest = "max-h-[max(420px,calc(100dvh-220px))]";

/** Pixels of a row, as the class below sets it. */
const ROW = 32;
/** Rows that are drawn beyond the edges. */
const SPARE = 12;
/** Columns that are drawn; who needs more downloads the file. */
const MAX_COLUMNS = 200;
/** Rows that the widths of the columns are measured by. */
const MEASURED = 200;

interface GridProps {
  /** Rows there are, the one that names the columns included. */
  readonly count: number;
  /** The cells of a row; undefined while they are on their way. */
  readonly rowAt: (index: number) => readonly string[] | undefined;
  /** The first rows, by which the columns are measured. */
  readonly sample: readonly (readonly string[])[];
  readonly label: string;
  /** Whether the first row names the columns; else they are lettered. */
  readonly headed: boolean;
  /** Rows or columns of the file are left out. */
  readonly cut?: boolean;
  /** Called with the rows that are drawn, from one up to another, which is not among them. */
  readonly onSeen?: (from: number, to: number) => void;
}

/** A table of any length of which only the rows in sight are drawn. Cells are text and nothing else. */
export function Grid({ count, rowAt, sample, label, headed, cut = false, onSeen }: GridProps) {
  useLanguage();
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(800);
  const all = useMemo(() => widthsOf(sample), [sample]);
  const widths = all.slice(0, MAX_COLUMNS);
  const head = headed ? (sample[0] ?? []) : widths.map((_, index) => letters(index));
  const above = headed ? 1 : 0;
  const rows = Math.max(0, count - above);
  const place = placeOf(rows, top, height);
  const from = Math.max(0, Math.floor(place.top / ROW) - SPARE);
  const to = Math.min(rows, Math.ceil((place.top + height) / ROW) + SPARE);
  const numbers = `${String(count).length + 3}ch`;
  const tell = useEffectEvent((first: number, last: number) => onSeen?.(first, last));
  useEffect(() => tell(from + above, to + above), [from, to, above]);
  const columns = { gridTemplateColumns: `${numbers} ${widths.map((width) => `${width}ch`).join(" ")}` };
  return (
    <>
      {cut || all.length > MAX_COLUMNS ? <ViewerNote>{t("viewer.table.cut")}</ViewerNote> : null}
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
        tabIndex={0}
        ref={(element) => {
          if (element) setHeight(element.clientHeight);
        }}
        onScroll={({ currentTarget }) => {
          setTop(currentTarget.scrollTop);
          setHeight(currentTarget.clientHeight);
        }}
        className={classes("overflow-auto text-[13px] outline-offset-[-2px]", tallest)}
      >
        <div role="table" aria-label={label} aria-rowcount={rows + 1} className="w-max min-w-full">
          <Row index={0} cells={head} columns={columns} widths={widths.length} head number="" />
          <div role="rowgroup" style={{ height: place.all }}>
            {/* It hangs on what is in sight and not on what is above it, which may be more than it is tall. */}
            <div role="presentation" style={{ transform: `translateY(${top - place.top + from * ROW}px)` }}>
              {Array.from({ length: Math.max(0, to - from) }, (_, index) => {
                const at = from + index;
                const number = String(at + above + 1);
                const cells = rowAt(at + above) ?? none;
                return (
                  <Row key={at} index={at + 1} cells={cells} columns={columns} widths={widths.length} number={number} />
                );
              })}
            </div>
          </div>
        </div>
      </section>
    </>
  );
}

const none: readonly string[] = [];

/** How tall rows can be together, in pixels: Firefox makes nothing taller than 17.8 million. */
const TALLEST = 15_000_000;

/** How tall all rows are, and which pixel of theirs is uppermost: of very many a pixel that is scrolled stands for several. */
function placeOf(rows: number, top: number, height: number): { readonly all: number; readonly top: number } {
  const all = rows * ROW;
  if (all <= TALLEST) return { all, top };
  return { all: TALLEST, top: Math.min(1, top / Math.max(1, TALLEST + ROW - height)) * (all + ROW - height) };
}

interface RowProps {
  readonly index: number;
  readonly cells: readonly string[];
  readonly columns: CSSProperties;
  readonly widths: number;
  readonly number: string;
  readonly head?: boolean;
}

const Row = ({ index, cells, columns, widths, number, head = false }: RowProps) => (
  <div
    role="row"
    aria-rowindex={index + 1}
    style={columns}
    className={classes(
      "grid h-8 border-line border-b",
      head ? "sticky top-0 z-10 bg-sunken font-medium" : "bg-raised hover:bg-sunken",
    )}
  >
    <span
      role="rowheader"
      className="sticky left-0 truncate bg-sunken px-2 text-right text-muted leading-8 tabular-nums"
    >
      {number}
    </span>
    {Array.from({ length: widths }, (_, column) => {
      const cell = cells[column] ?? "";
      return (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
          key={column}
          role={head ? "columnheader" : "cell"}
          title={cell.length > 20 ? cell : undefined}
          className={classes(
            "truncate whitespace-pre border-line border-l px-2 leading-8",
            !head && numeric.test(cell) && "text-right tabular-nums",
          )}
        >
          {cell}
        </span>
      );
    })}
  </div>
);

const numeric = /^[-+]?[\d.,\s]*\d%?$/;

/** How wide each column is, in characters, from the first rows. */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows.slice(0, MEASURED))
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(40, Math.ceil(breadth(cell) * 1.1) + 4), 8);
    }
  return Array.from(widths, (width) => width ?? 8);
}

/** Characters of a cell; those of East Asian scripts are two wide. */
const breadth = (cell: string): number => {
  const seen = cell.slice(0, 40);
  return seen.length + (seen.match(/[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/g)?.length ?? 0);
};

/** The name of a column in a sheet: A to Z, AA, AB... */
function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}
