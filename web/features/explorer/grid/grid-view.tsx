import { useRef } from "react";
import { useStore } from "../../../lib/store.ts";
import { Entries } from "../folder/entries.tsx";
import { useReveal, useSeen, windowOf } from "../folder/row-window.ts";
import { useScrollAnchor } from "../folder/use-scroll-anchor.ts";
import type { ViewProps } from "../folder/view-props.ts";
import { clipboard } from "../model/clipboard.ts";
import type { Layout } from "../model/key-steps.ts";
import { GridCard } from "./grid-card.tsx";

/** Sizes in pixels: the narrowest card, the height of a row with its gap, and the edge around all. */
const CARD = 148;
const ROW = 192;
const EDGE = 8;

/** A folder as cards in rows; only the rows that can be seen are drawn. */
export function GridView({ state, actions, dragging, onMenu, label }: ViewProps) {
  const { listing, selection, select } = state;
  const { entries, order } = listing;
  const scroller = useRef<HTMLDivElement>(null);
  const layout = useRef<Layout>({ columns: 1, rows: 1 });
  const seen = useSeen(scroller, ROW);
  const columns = Math.max(2, Math.floor((seen.width - 2 * EDGE) / CARD));
  const rows = Math.ceil(entries.length / columns);
  layout.current = { columns, rows: Math.max(1, Math.floor(seen.height / ROW)) };
  const { from, to } = windowOf(seen, ROW, rows);
  const focused = selection.focus === undefined ? -1 : order.indexOf(selection.focus);
  const stood = { path: selection.focus, row: focused === -1 ? -1 : Math.floor(focused / columns) };
  useReveal(scroller, stood, ROW, EDGE);
  useScrollAnchor({ scroller, order, sort: state.preferences.sort, columns, height: ROW });
  const clip = useStore(clipboard);
  const cut = clip?.verb === "move" ? new Set(clip.entries.map(({ path }) => path)) : undefined;
  const drawn = seen.width === 0 ? [] : Array.from({ length: to - from }, (_, row) => from + row);

  return (
    <Entries {...{ state, actions, scroller, layout, label, onMenu }} role="grid" rowCount={rows} columnCount={columns}>
      <div role="rowgroup" className="relative" style={{ height: rows * ROW + 2 * EDGE }}>
        {drawn.map((row) => (
          <div
            key={row}
            role="row"
            aria-rowindex={row + 1}
            className="absolute inset-x-0 top-0 grid px-2"
            style={{
              height: ROW,
              transform: `translateY(${row * ROW + EDGE}px)`,
              gridTemplateRows: "100%",
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {entries.slice(row * columns, (row + 1) * columns).map((entry, place) => {
              const index = row * columns + place;
              return (
                <GridCard
                  key={entry.path}
                  {...{ entry, index, select, dragging, onMenu }}
                  chosen={selection.chosen.has(entry.path)}
                  focused={index === focused}
                  cut={cut?.has(entry.path) === true}
                  entries={state.context.chosen}
                  touch={selection.touch}
                />
              );
            })}
          </div>
        ))}
      </div>
    </Entries>
  );
}
