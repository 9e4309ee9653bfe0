import { type KeyboardEvent, type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import { reveal } from "../folder/row-window.ts";
import type { Entry } from "../model/entry.ts";
import { createTypeAhead } from "../model/key-steps.ts";
import type { TreeRow } from "./rows.ts";
import { rowName } from "./tree-row.tsx";
import { treeStep } from "./tree-step.ts";

interface TreeKeysParts {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: readonly TreeRow[];
  /** The row that the keyboard is on. */
  readonly at: number;
  /** Of a row, in pixels. */
  readonly height: number;
  /** Rows that can be seen at once. */
  readonly page: number;
  readonly change: (path: string, open: boolean) => void;
  readonly onMenu: (entry: Entry, at: DOMRect) => void;
  /** The keyboard comes to a row. */
  readonly onStand: (key: string) => void;
}

/** Makes the handler of the tree's keys, and what brings the keyboard to a row: the tree is walked through as WAI-ARIA has it, letters lead to names, Enter opens. */
export function useTreeKeys({ scroller, rows, at, height, page, change, onMenu, onStand }: TreeKeysParts) {
  const [typeAhead] = useState(() => createTypeAhead(Date.now));

  const go = (index: number) => {
    const key = rows[index]?.key;
    if (key === undefined || !scroller.current) return;
    // It may have to be drawn first.
    flushSync(() => onStand(key));
    reveal(scroller.current, { top: index * height, height }, 0);
    rowElement(scroller.current, key)?.focus({ preventScroll: true });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const row = rows[at];
    const element = row && scroller.current && rowElement(scroller.current, row.key);
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    // These ask for the search and for the shortcuts.
    if (!element || ctrlKey || metaKey || altKey || key === "/" || key === "?") return;
    if (key.length > 1 && key !== "Shift") typeAhead.end();
    const step = treeStep(rows, at, key, page);
    if (key === "ContextMenu" || (key === "F10" && shiftKey)) {
      if (row.kind === "folder") onMenu(row.entry, element.getBoundingClientRect());
    } else if (key === "Enter" || (key === " " && !typeAhead.goesOn())) element.click();
    else if (key.length === 1) go(typeAhead.find(key, rows.map(spoken), at));
    else if (!step) return;
    else if (step.open === undefined) go(step.to);
    else change(row.path, step.open);
    event.preventDefault();
  };
  return { go, onKeyDown };
}

const spoken = (row: TreeRow): string => (row.kind === "folder" ? rowName(row) : "");

const rowElement = (place: HTMLElement, key: string): HTMLElement | undefined =>
  [...place.querySelectorAll<HTMLElement>("[data-row]")].find((one) => one.getAttribute("data-row") === key);
