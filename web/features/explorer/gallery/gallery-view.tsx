import Images from "lucide-react/icons/images";
import { useEffect, useMemo, useRef, useState } from "react";
import type { PictureFacts } from "#contract/files";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/card.tsx";
import { useCommandKeys } from "../folder/command-keys.ts";
import { Entries } from "../folder/entries.tsx";
import { reveal, useSeen } from "../folder/row-window.ts";
import type { ViewProps } from "../folder/view-props.ts";
import type { Entry } from "../model/entry.ts";
import type { Layout } from "../model/key-steps.ts";
import { preferences } from "../model/preferences.ts";
import { GalleryBar } from "./gallery-bar.tsx";
import { GalleryTile } from "./gallery-tile.tsx";
import { layOut, within } from "./masonry.ts";

/** How far beyond the edges pictures are drawn, in pixels, and how finely scrolling is followed. */
const MARGIN = 600;
const GRAIN = 200;
const EDGE = 12;
/** Pictures whose shapes are remembered as long as the page is open. */
const MOST_LOADED = 10_000;

const keyOf = ({ path, etag = "" }: Entry): string => `${path} ${etag}`;

/** The pictures of a folder in columns, each in its own shape; only those near the window are drawn and fetched. */
export function GalleryView({ state, actions, dragging, onMenu, label }: ViewProps) {
  useLanguage();
  const { listing, selection, select } = state;
  const { entries, order } = listing;
  const scroller = useRef<HTMLDivElement>(null);
  const layout = useRef<Layout>({ columns: 1, rows: 1 });
  const seen = useSeen(scroller, GRAIN);
  const { ratios, note } = useRatios();
  const { gallery } = state.preferences;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width or other columns lay everything out anew
  const still = useMemo(() => new Map<string, number>(), [seen.width, gallery]);
  const { tiles, columns, height } = useMemo(
    () =>
      layOut(
        entries.map((entry) => still.get(keyOf(entry)) ?? ratioOf(entry.picture) ?? ratios.get(keyOf(entry))),
        Math.max(0, seen.width - 2 * EDGE),
        gallery,
      ),
    [entries, ratios, still, seen.width, gallery],
  );
  useEffect(() => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    if (seen.width === 0) return;
    for (const { index, width, height } of within(tiles, scrollTop, scrollTop + clientHeight)) {
      const entry = entries[index];
      // What somebody looks at keeps its shape, whatever becomes known of it meanwhile.
      if (entry && !still.has(keyOf(entry))) still.set(keyOf(entry), height / width);
    }
  }, [tiles, entries, still, seen]);
  layout.current = { columns, rows: 2 };
  const focused = selection.focus === undefined ? -1 : order.indexOf(selection.focus);
  const tile = tiles[focused];
  const [top, tall] = [tile?.top, tile?.height];
  useEffect(() => {
    if (top !== undefined && tall !== undefined && scroller.current)
      reveal(scroller.current, { top, height: tall + 2 * EDGE }, 0);
  }, [top, tall]);
  const drawn = seen.width === 0 ? [] : within(tiles, seen.top - MARGIN, seen.top + seen.height + MARGIN);

  if (entries.length === 0) return <NoPictures {...{ state, actions }} />;
  return (
    <>
      <GalleryBar state={state} />
      <Entries {...{ state, actions, scroller, layout, label, onMenu }} role="listbox">
        {/* The pictures lie free of each other: nothing between them and the list has a meaning. */}
        <div role="presentation" className="relative m-3" style={{ height }}>
          {drawn.map(({ index, ...place }) => {
            const entry = entries[index];
            if (!entry) return null;
            return (
              <GalleryTile
                key={entry.path}
                {...{ entry, index, place, dragging }}
                count={entries.length}
                chosen={selection.chosen.has(entry.path)}
                focused={index === focused}
                entries={state.context.chosen}
                touch={selection.touch}
                onLoad={({ naturalWidth: width, naturalHeight: height }) =>
                  note(keyOf(entry), ratioOf({ width, height }))
                }
                onToggle={() => select({ do: "toggle", path: entry.path, touch: selection.touch })}
              />
            );
          })}
        </div>
      </Entries>
    </>
  );
}

function NoPictures({ state, actions }: Pick<ViewProps, "state" | "actions">) {
  useLanguage();
  useCommandKeys(actions, state.context);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        icon={<Images aria-hidden />}
        title={t("explorer.gallery.none")}
        text={t("explorer.gallery.noneText")}
        action={<Button onClick={() => preferences.change({ view: "list" })}>{t("explorer.view.list")}</Button>}
      />
    </div>
  );
}

/** A picture's height in widths, within what a tile can be; undefined where it has none or nobody knows. */
function ratioOf(picture: Pick<PictureFacts, "width" | "height"> | undefined): number | undefined {
  if (!picture || picture.width === 0) return undefined;
  return Math.min(3, Math.max(0.3, picture.height / picture.width));
}

/** Shapes of pictures that have loaded before, of which no list has told yet. */
const loaded = new Map<string, number>();

/** The shapes of the pictures that have loaded; several that become known at once are one change. */
function useRatios() {
  const [ratios, setRatios] = useState<ReadonlyMap<string, number>>(() => new Map(loaded));
  const found = useRef(new Map<string, number>());
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const note = (key: string, ratio: number | undefined) => {
    if (ratio === undefined || ratios.get(key) === ratio) return;
    if (loaded.size >= MOST_LOADED) loaded.clear();
    loaded.set(key, ratio);
    found.current.set(key, ratio);
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const noted = [...found.current];
      found.current.clear();
      setRatios((known) => new Map([...known, ...noted]));
    });
  };
  return { ratios, note };
}
