import { type MouseEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import type { CommandActions } from "../commands/command-actions.ts";
import { commands } from "../commands/commands.ts";
import { commandFor, isTaken, selectsAll } from "../commands/keys.ts";
import type { Entry } from "../model/entry.ts";
import { createTypeAhead, isStep, type Layout, step } from "../model/key-steps.ts";
import type { FolderState } from "./folder-state.ts";
import { useLongPress } from "./long-press.ts";
import { ReadmeBelow, readmeOf } from "./readme-below.tsx";
import { usePosition } from "./scroll-positions.ts";

interface EntriesProps {
  readonly state: FolderState;
  readonly actions: CommandActions;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly layout: RefObject<Layout>;
  readonly role: "grid" | "listbox";
  readonly label: string;
  /** Rows, the header included where there is one. */
  readonly rowCount?: number;
  readonly columnCount?: number;
  /** A context menu is asked for: of an entry, or of the folder. */
  readonly onMenu: (at: DOMRect) => void;
  readonly children: ReactNode;
}

/** The id of an element that shows the entry at a place of the listing. */
export const entryId = (index: number): string => `entry-${index}`;

interface PointerProps extends Pick<EntriesProps, "state" | "onMenu"> {
  readonly open: (entry: Entry) => void;
}

/** Makes the handlers of clicks, taps and long presses. */
function usePointer({ state, onMenu, open }: PointerProps) {
  const { selection, select } = state;

  const entryAt = (target: EventTarget | null): Entry | undefined => {
    const element = target instanceof Element ? target.closest("[data-index]") : null;
    const index = Number(element?.getAttribute("data-index") ?? -1);
    return state.listing.entries[index];
  };
  const menuOf = (target: EventTarget | null, at: DOMRect) => {
    const entry = entryAt(target);
    if (entry && !selection.chosen.has(entry.path)) select({ do: "press", path: entry.path });
    if (!entry && !selection.touch) select({ do: "none" });
    onMenu(at);
  };
  const longPress = useLongPress((target, at) => menuOf(target, at));

  const onClick = (event: MouseEvent) => {
    if (longPress.wasLong() || isControl(event.target)) return;
    const entry = entryAt(event.target);
    if (!entry) {
      if (!selection.touch && !event.shiftKey) select({ do: "none" });
      return;
    }
    const { path } = entry;
    if (selection.touch) select({ do: "toggle", path, touch: true });
    else if (longPress.kind() === "touch") open(entry);
    else select({ do: "press", path, range: event.shiftKey, toggle: event.ctrlKey || event.metaKey });
  };

  const onDoubleClick = (event: MouseEvent) => {
    const entry = entryAt(event.target);
    if (!entry || isControl(event.target) || selection.touch) return;
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) open(entry);
  };

  const onContextMenu = (event: MouseEvent) => {
    if (isTaken(event.target, { key: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false })) return;
    event.preventDefault();
    if (!longPress.isLong()) menuOf(event.target, new DOMRect(event.clientX, event.clientY, 0, 0));
  };

  return { onClick, onDoubleClick, onContextMenu, ...longPress.handlers };
}

interface KeysProps extends Pick<EntriesProps, "state" | "actions" | "scroller" | "layout" | "onMenu"> {
  readonly open: (entry: Entry) => void;
}

/** Takes keys wherever in the explorer the focus is: whoever has pressed a button of the toolbar goes on by keys. */
function useKeys({ state, actions, scroller, layout, onMenu, open }: KeysProps): void {
  const { listing, selection, select, context } = state;
  const { entries, order } = listing;
  // When a key was pressed, and not when a busy page comes to it: letters of one word belong together in a large folder, too.
  const pressedAt = useRef(0);
  const [typeAhead] = useState(() => createTypeAhead(() => pressedAt.current));

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const place = scroller.current;
    if (event.defaultPrevented || isTaken(event.target, event) || !place?.checkVisibility()) return;
    if (!(event.target instanceof Element) || !(event.target === document.body || isAround(event.target, place)))
      return;
    const { key, ctrlKey, metaKey, shiftKey, altKey, timeStamp } = event;
    pressedAt.current = timeStamp;
    const at = selection.focus === undefined ? -1 : order.indexOf(selection.focus);
    if (key.length > 1 && key !== "Shift") typeAhead.end();
    if (isStep(key) && !altKey) {
      const to = order[step(at, key, order.length, layout.current) ?? -1];
      event.preventDefault();
      if (to !== undefined) select({ do: "go", path: to, range: shiftKey, keep: ctrlKey || metaKey });
      return;
    }
    if (key === " " && (ctrlKey || selection.touch) && selection.focus !== undefined) {
      event.preventDefault();
      return select({ do: "toggle", path: selection.focus, touch: selection.touch });
    }
    if (key === "Escape" && (selection.chosen.size > 0 || selection.touch)) {
      event.preventDefault();
      return select({ do: "none" });
    }
    if (key === "ContextMenu" || (key === "F10" && shiftKey)) {
      event.preventDefault();
      const row = document.getElementById(entryId(at));
      return onMenu((row ?? place).getBoundingClientRect());
    }
    // The one that the keyboard stands on, where none is chosen.
    const stood = entries[at];
    if (key === "Enter" && stood && selection.chosen.size === 0 && !(ctrlKey || metaKey || shiftKey || altKey)) {
      event.preventDefault();
      return open(stood);
    }
    const typing = key.length === 1 && !ctrlKey && !metaKey && !altKey && (key !== " " || typeAhead.goesOn());
    const command = typing && typeAhead.goesOn() ? undefined : commandFor(commands, event, context);
    if (command) {
      event.preventDefault();
      return command.run(actions, context);
    }
    // Where all is chosen already: the browser would mark every word of the page.
    if (selectsAll(event)) event.preventDefault();
    if (!typing || (key === " " && !typeAhead.goesOn())) return;
    const names = entries.map(({ name }) => name);
    const path = order[typeAhead.find(key, names, at)];
    if (path !== undefined) select({ do: "go", path });
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/**
 * Where entries are shown, whatever they look like: it takes clicks, taps, long presses and keys, and knows which entry they mean. Below
 * them the README of the folder scrolls along.
 */
export function Entries(props: EntriesProps) {
  const { state, actions, scroller, role, label, rowCount, columnCount, children } = props;
  const { listing, selection, context } = state;
  const { entries, order } = listing;
  const readme = readmeOf(state);
  const opened = useRef(false);
  const grid = useRef<HTMLDivElement>(null);
  usePosition({ scroller, focus: selection.focus, count: entries.length });

  const open = (entry: Entry) => {
    if (entry.isDirectory) actions.go(bare(entry.path));
    else actions.go(context.folder, entry.name);
  };

  const pointer = usePointer({ ...props, open });
  useKeys({ ...props, open });
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    const free = document.activeElement === document.body || document.activeElement?.id === "main";
    if (free) grid.current?.focus({ preventScroll: true });
  }, []);

  const focus = selection.focus === undefined ? -1 : order.indexOf(selection.focus);
  return (
    <div
      ref={scroller}
      className="relative flex min-h-0 flex-1 flex-col overflow-y-auto overflow-x-hidden overscroll-contain"
    >
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is a grid or a list box */}
      <div
        ref={grid}
        role={role}
        aria-label={label}
        aria-multiselectable
        aria-rowcount={rowCount}
        aria-colcount={columnCount}
        aria-activedescendant={focus === -1 ? undefined : entryId(focus)}
        tabIndex={0}
        data-entries
        {...pointer}
        className={classes(
          "group/entries relative shrink-0 touch-manipulation select-none outline-none",
          readme === undefined && "grow",
        )}
      >
        {children}
      </div>
      {readme ? <ReadmeBelow file={readme} folder={context.folder} base={context.base} /> : null}
    </div>
  );
}

/** Reports whether something stands in the explorer around a place. */
const isAround = (target: Element, place: Element): boolean =>
  target.id === "main" || target.closest("[data-explorer]")?.contains(place) === true;

/** What has a meaning of its own within an entry. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("button, a[href]:not([data-entry-link]), input, label") !== null;
