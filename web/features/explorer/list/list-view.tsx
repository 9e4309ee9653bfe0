import { useRef } from "react";
import { useMedia } from "../../../lib/media.ts";
import { useStore } from "../../../lib/store.ts";
import { Entries } from "../folder/entries.tsx";
import { useReveal, useSeen, windowOf } from "../folder/row-window.ts";
import { useScrollAnchor } from "../folder/use-scroll-anchor.ts";
import type { ViewProps } from "../folder/view-props.ts";
import { clipboard } from "../model/clipboard.ts";
import type { Layout } from "../model/key-steps.ts";
import { ListHead } from "./list-head.tsx";
import { ListRow } from "./list-row.tsx";

/** Heights of a row and of the header, in pixels: for a mouse, and for a finger or a narrow window. */
const sizes = { fine: { row: 40, head: 36 }, coarse: { row: 60, head: 44 } } as const;

/** A folder as a table; only the rows that can be seen are drawn. */
export function ListView({ state, actions, dragging, onMenu, label }: ViewProps) {
  const { listing, selection, select, preferences } = state;
  const { entries, order } = listing;
  const roomy = useMedia("(pointer: coarse), (width < 40rem)");
  const { row, head } = sizes[roomy ? "coarse" : "fine"];
  const scroller = useRef<HTMLDivElement>(null);
  const layout = useRef<Layout>({ columns: 1, rows: 1 });
  const seen = useSeen(scroller, row);
  layout.current = { columns: 1, rows: Math.max(1, Math.floor((seen.height - head) / row) - 1) };
  const { from, to } = windowOf(seen, row, entries.length);
  const focused = selection.focus === undefined ? -1 : order.indexOf(selection.focus);
  useReveal(scroller, { path: selection.focus, row: focused }, row, head);
  useScrollAnchor({ scroller, order, sort: preferences.sort, columns: 1, height: row });
  const clip = useStore(clipboard);
  const cut = clip?.verb === "move" ? new Set(clip.entries.map(({ path }) => path)) : undefined;

  return (
    <Entries
      {...{ state, actions, scroller, layout, label, onMenu }}
      role="grid"
      rowCount={entries.length + 1}
      columnCount={5}
    >
      <ListHead
        height={head}
        sort={preferences.sort}
        chosen={selection.chosen.size}
        count={entries.length}
        select={select}
      />
      <div role="rowgroup" className="relative" style={{ height: entries.length * row }}>
        {entries.slice(from, to).map((entry, place) => (
          <ListRow
            key={entry.path}
            entry={entry}
            index={from + place}
            height={row}
            chosen={selection.chosen.has(entry.path)}
            focused={from + place === focused}
            cut={cut?.has(entry.path) === true}
            entries={state.context.chosen}
            {...{ select, dragging, onMenu }}
            touch={selection.touch}
          />
        ))}
      </div>
    </Entries>
  );
}
