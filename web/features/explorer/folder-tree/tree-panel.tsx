import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useMedia } from "../../../lib/media.ts";
import { useStore } from "../../../lib/store.ts";
import { Skeleton } from "../../../ui/card.tsx";
import type { Dragging } from "../folder/dragging.ts";
import { reveal, useSeen, windowOf } from "../folder/row-window.ts";
import type { Entry } from "../model/entry.ts";
import type { FoldersAround } from "../model/folder-feed.ts";
import { preferences } from "../model/preferences.ts";
import { rowName, TreeFolder, TreeNote } from "./tree-row.tsx";
import { useSpring } from "./use-spring.ts";
import { useTreeKeys } from "./use-tree-keys.ts";
import { useTreePointer } from "./use-tree-pointer.ts";
import { useTreeState } from "./use-tree-state.ts";

/** Where there is room for the tree beside the list. */
const ROOMY = "(min-width: 1280px)";

interface TreePanelProps {
  /** The highest folder that may be seen. */
  readonly base: string;
  /** The folder on view. */
  readonly folder: string;
  /** Nothing is asked for as long as it is not to be seen. */
  readonly enabled: boolean;
  readonly dragging: Dragging;
  /** The tree is there, and follows changes; undefined when it is there no more. */
  readonly onAround: (around: FoldersAround | undefined) => void;
  /** The menu of a folder is asked for. */
  readonly onMenu: (entry: Entry, at: DOMRect) => void;
}

/** The folders of the tree, beside what is in the one on view: from 1280 pixels on, unless it is folded away. */
export function TreePanel(props: TreePanelProps) {
  const roomy = useMedia(ROOMY);
  const { tree } = useStore(preferences);
  return roomy && tree ? <Panel {...props} /> : null;
}

function Panel({ base, folder, enabled, dragging, onAround, onMenu }: TreePanelProps) {
  useLanguage();
  const state = useTreeState({ base, folder, enabled });
  const version = useEffectEvent(() => state.version());
  const renew = useEffectEvent(() => state.refresh());
  useEffect(() => {
    onAround({ base, version: () => version(), renew: () => renew() });
    return () => onAround(undefined);
  }, [base, onAround]);
  return (
    <nav id={TREE_ID} aria-label={t("explorer.tree.label")} className="flex min-h-0 w-60 shrink-0 flex-col 2xl:w-72">
      {state.waiting ? (
        <div role="status" aria-label={t("explorer.tree.loading")} className="grid gap-1">
          {["w-24", "w-32", "w-28", "w-20"].map((width, index) => (
            <div key={width} className={`flex h-9 items-center gap-2 pl-2 ${index > 0 ? "ml-4" : ""}`}>
              <Skeleton className="size-5" />
              <Skeleton className={`h-4 ${width}`} />
            </div>
          ))}
        </div>
      ) : (
        <Tree {...{ state, folder, dragging, onMenu }} />
      )}
    </nav>
  );
}

/** For the button that folds it. */
export const TREE_ID = "explorer-folders";

interface TreeProps extends Pick<TreePanelProps, "folder" | "dragging" | "onMenu"> {
  readonly state: ReturnType<typeof useTreeState>;
}

function Tree({ state, folder, dragging, onMenu }: TreeProps) {
  const { rows, change, press } = state;
  const height = useMedia("(pointer: coarse)") ? 44 : 34;
  const scroller = useRef<HTMLDivElement>(null);
  /** The row that the keyboard is on. */
  const [stood, setStood] = useState<string>();
  const seen = useSeen(scroller, height);
  const { from, to } = windowOf(seen, height, rows.length);
  const current = rows.findIndex(({ key }) => key === folder);
  const at = rows.findIndex(({ key }) => key === stood);
  const stop = at >= 0 ? at : Math.max(current, 0);
  useShown(scroller, folder, current, height);
  const page = Math.max(1, Math.floor(seen.height / height) - 1);
  const { go, onKeyDown } = useTreeKeys({ scroller, rows, at: stop, height, page, change, onMenu, onStand: setStood });
  const pointer = useTreePointer(rows, onMenu);
  const spring = useSpring(rows, change);
  const drawn = [...rows.keys()].filter((index) => (index >= from && index < to) || index === stop);

  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden overscroll-contain">
      <div
        role="tree"
        aria-label={t("explorer.tree.label")}
        className="relative"
        style={{ height: rows.length * height }}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => setStood(target.getAttribute("data-row") ?? undefined)}
        {...pointer}
        {...spring}
      >
        {drawn.map((index) => {
          const row = rows[index];
          if (!row) return null;
          const place = { index, height, stops: index === stop };
          if (row.kind !== "folder") {
            // It goes, and the keyboard stays.
            const onPress = () => {
              go(index - 1);
              press(row);
            };
            return <TreeNote key={row.key} {...{ row, onPress, ...place }} />;
          }
          const onToggle = () => change(row.path, row.expanded !== true);
          const name = rowName(row);
          return (
            <TreeFolder key={row.key} current={index === current} {...{ row, name, dragging, onToggle, ...place }} />
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls to the folder on view as soon as its row is there, whenever it is another one. */
function useShown(scroller: { readonly current: HTMLElement | null }, folder: string, row: number, height: number) {
  const shown = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (row < 0 || shown.current === folder || !scroller.current) return;
    shown.current = folder;
    reveal(scroller.current, { top: row * height, height }, 0);
  }, [scroller, folder, row, height]);
}
