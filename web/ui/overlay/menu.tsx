import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { classes } from "../../lib/classes.ts";
import { place } from "./place.ts";

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
  readonly danger?: boolean | undefined;
  /** Items of another group than the one before stand below a line. */
  readonly group: number;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  /** What it is about, above the items on a phone. */
  readonly title?: string | undefined;
  readonly items: readonly MenuItem[];
  /** Where it opens; on a phone it is a sheet at the bottom. */
  readonly at: DOMRect;
  readonly onClose: () => void;
}

/** A menu at a place of the page. Esc and a press outside close it, and give the focus back. Mount it to open it. */
export function Menu({ label, title, items, at, onClose }: MenuProps) {
  const { panel, scrim, close } = useOpened(at, onClose);
  /** A press began in here: the finger whose long press has opened the menu is lifted above it, and means none of its items. */
  const pressed = useRef(false);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key !== "Escape" && event.key !== "Tab") return walk(event, panel.current);
    event.preventDefault();
    close();
  };
  const choose = ({ run }: MenuItem, byPointer: boolean) => {
    if (byPointer && !pressed.current) return;
    close();
    run();
  };

  return (
    <>
      <div
        ref={scrim}
        popover="manual"
        aria-hidden
        className="popover-scrim"
        onContextMenu={(event) => event.preventDefault()}
      />
      <div
        ref={panel}
        role="menu"
        aria-label={label}
        popover="manual"
        tabIndex={-1}
        className="popover p-1.5 sm:w-60 outline-none"
        onContextMenu={(event) => event.preventDefault()}
        onPointerDown={() => {
          pressed.current = true;
        }}
        onKeyDown={onKeyDown}
      >
        {title && <p className="truncate px-3 pt-2 pb-1.5 font-medium text-muted text-[13px] sm:hidden">{title}</p>}
        {items.map((item, index) => (
          <Item
            key={item.id}
            item={item}
            beginsGroup={index > 0 && items[index - 1]?.group !== item.group}
            onChoose={(byPointer) => choose(item, byPointer)}
          />
        ))}
      </div>
    </>
  );
}

/** Opens a menu above the page and focuses its first item; closes it when something else is pressed or the page changes its size. */
function useOpened(at: DOMRect, onClose: () => void) {
  const panel = useRef<HTMLDivElement>(null);
  const scrim = useRef<HTMLDivElement>(null);
  const before = useRef<Element>(null);

  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    before.current = document.activeElement;
    scrim.current?.showPopover?.();
    element.showPopover?.();
    placeWhole(element, at);
    element.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
  }, [at]);

  const close = () => {
    onClose();
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  const leave = useEffectEvent((event: Event) => {
    if (event.target instanceof Node && panel.current?.contains(event.target)) return;
    close();
  });
  useEffect(() => {
    const away = (event: Event) => leave(event);
    document.addEventListener("pointerdown", away, true);
    window.addEventListener("blur", away);
    window.addEventListener("resize", away);
    return () => {
      document.removeEventListener("pointerdown", away, true);
      window.removeEventListener("blur", away);
      window.removeEventListener("resize", away);
    };
  }, []);
  return { panel, scrim, close };
}

interface ItemProps {
  readonly item: MenuItem;
  /** Whether it stands below a line. */
  readonly beginsGroup: boolean;
  readonly onChoose: (byPointer: boolean) => void;
}

function Item({ item: { label, icon, keys, danger }, beginsGroup, onChoose }: ItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
      onClick={({ detail }) => onChoose(detail > 0)}
      className={classes(
        "relative flex h-9 w-full items-center gap-3 rounded-lg px-3 text-left outline-none pointer-coarse:h-11 [&_svg]:size-[18px] [&_svg]:shrink-0",
        beginsGroup && "mt-[13px] before:absolute before:inset-x-1 before:-top-[7px] before:h-px before:bg-line",
        danger
          ? "text-danger hover:bg-danger-soft focus:bg-danger-soft"
          : "hover:bg-sunken focus:bg-sunken [&_svg]:text-muted",
      )}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys && <kbd className="font-sans text-muted text-xs pointer-coarse:hidden">{keys}</kbd>}
    </button>
  );
}

const GAP = 8;
const EDGE = 12;

/** Puts a menu as `place` does, but whole: beside its anchor where there is no room below or above. A sheet on a phone is whole anyway. */
function placeWhole(panel: HTMLElement, anchor: DOMRect): void {
  place(panel, anchor);
  if (panel.style.top === "") return;
  const { style } = panel;
  style.maxHeight = `${innerHeight - 2 * EDGE}px`;
  const { offsetHeight, offsetWidth } = panel;
  const [below, above] = [anchor.bottom + GAP, anchor.top - GAP - offsetHeight];
  if (below + offsetHeight + EDGE <= innerHeight) style.top = `${below}px`;
  else if (above >= EDGE) style.top = `${above}px`;
  else {
    const right = anchor.right + GAP;
    const left = right + offsetWidth <= innerWidth - EDGE ? right : anchor.left - GAP - offsetWidth;
    style.left = `${Math.max(EDGE, left)}px`;
    style.top = `${innerHeight - EDGE - offsetHeight}px`;
  }
}

/** Arrows, Home, End and first letters lead from item to item. */
function walk(event: KeyboardEvent, panel: HTMLElement | null): void {
  const items = Array.from(panel?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? []);
  const at = items.findIndex((item) => item.matches(":focus"));
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  const letter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey;
  const begins = (item: HTMLElement) => item.textContent?.toLowerCase().startsWith(event.key.toLowerCase()) === true;
  const found = letter ? [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins) : items[to ?? -1];
  if (!found) return;
  event.preventDefault();
  found.focus();
}
