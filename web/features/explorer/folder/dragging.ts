import { type DragEvent, type PointerEvent, useRef, useState } from "react";
import { parentOf } from "#contract/paths";
import { bare } from "../../../lib/folder-path.ts";
import { useMedia } from "../../../lib/media.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { OWN_DRAG } from "../../../ui/file-drop/own-drag.ts";
import { intoItself } from "../model/conflicts.ts";
import { type Entry, isFixed } from "../model/entry.ts";
import type { Operations } from "../model/operations.ts";
import { useTree } from "../tree.ts";
import { useDragOut } from "./drag-out.ts";

/** An entry as every view shows it. */
export interface ShownEntry {
  readonly entry: Entry;
  readonly chosen: boolean;
  /** All that are chosen. */
  readonly entries: readonly Entry[];
  /** A finger chooses. */
  readonly touch: boolean;
}

export interface Dragging {
  /** The folder over which something is held that can be dropped there. */
  readonly over: string | undefined;
  /** Attributes of an entry that can be dragged, by no finger; a drag of a chosen one takes all along that are chosen. */
  source: (shown: ShownEntry) => {
    readonly draggable: boolean;
    onPointerDown: (event: PointerEvent) => void;
    onDragStart: (event: DragEvent) => void;
    onDragEnd: () => void;
  };
  /** Handlers of a folder that takes what is dropped on it; none of one that takes nothing. */
  target: (folder: string | undefined) => {
    /** What files from outside go into. */
    readonly "data-takes": string | undefined;
    onDragOver: (event: DragEvent) => void;
    onDragLeave: () => void;
    onDrop: (event: DragEvent) => void;
  };
  /** Files from outside are held over a folder, or (undefined) over none that would take them. */
  hold: (taker: string | undefined) => void;
}

interface DragParts {
  readonly operations: Operations;
  readonly mayMove: boolean;
  readonly mayCopy: boolean;
  readonly mayUpload: boolean;
  readonly mayDownload: boolean;
}

/** Draws beside the pointer what of several is dragged: the first name, and how many there are. */
function showCount(transfer: DataTransfer, entries: readonly Entry[]): void {
  const image = document.createElement("div");
  image.className =
    "fixed -top-96 left-0 flex max-w-64 items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 text-text";
  const name = document.createElement("span");
  name.className = "truncate";
  name.textContent = shownName(entries[0]?.name ?? "");
  const count = document.createElement("span");
  count.className = "rounded-full bg-accent px-2 font-medium text-accent-text text-[13px]";
  count.textContent = String(entries.length);
  image.append(name, count);
  document.body.append(image);
  transfer.setDragImage(image, -12, -12);
  // The browser has drawn it by then.
  setTimeout(() => image.remove());
}

/** Moves entries by drag and drop, onto folders and the path above; with Ctrl or Alt held it copies. One file is downloaded outside. */
export function useDragging({ operations, mayMove, mayCopy, mayUpload, mayDownload }: DragParts): Dragging {
  const { call } = useTree();
  const out = useDragOut(call, mayDownload);
  const [over, setOver] = useState<string>();
  const [taker, hold] = useState<string>();
  const dragged = useRef<readonly Entry[]>([]);
  const fingers = useMedia("(pointer: coarse)");

  const verbOf = ({ ctrlKey, altKey }: DragEvent): "copy" | "move" | undefined => {
    if (mayCopy && (ctrlKey || altKey || !mayMove)) return "copy";
    return mayMove ? "move" : undefined;
  };
  const accepts = (folder: string | undefined, event: DragEvent): folder is string => {
    const entries = dragged.current;
    if (folder === undefined || entries.length === 0 || !verbOf(event)) return false;
    const there = entries.every(({ path }) => parentOf(bare(path)) === folder);
    return !there && !intoItself(entries, folder);
  };

  const begin = (event: DragEvent, entries: readonly Entry[]) => {
    dragged.current = entries.filter((entry) => !isFixed(entry));
    const { dataTransfer } = event;
    const download = out.downloadOf(dragged.current);
    if (dragged.current.length === 0 || !(mayMove || mayCopy || download)) return event.preventDefault();
    // Whoever takes a file elsewhere copies it.
    const copies = mayCopy || download !== undefined;
    dataTransfer.effectAllowed = mayMove && copies ? "copyMove" : mayMove ? "move" : "copy";
    if (dragged.current.length > 1) showCount(dataTransfer, dragged.current);
    dataTransfer.setData(OWN_DRAG, "");
    dataTransfer.setData("text/plain", dragged.current.map(({ name }) => name).join("\n"));
    if (download !== undefined) dataTransfer.setData("DownloadURL", download);
  };
  const end = () => {
    setOver(undefined);
    dragged.current = [];
  };

  return {
    over: over ?? taker,
    source: ({ entry, chosen, entries, touch }) => ({
      // A finger that rests on an entry asks for its menu, and does not lift it.
      draggable: (mayMove || mayCopy || mayDownload) && !fingers && !touch,
      onPointerDown({ button, pointerType }) {
        if (button === 0 && pointerType !== "touch") out.prepare(entry);
      },
      onDragStart: (event) => begin(event, chosen ? entries : [entry]),
      onDragEnd: end,
    }),
    target: (folder) => ({
      "data-takes": mayUpload ? folder : undefined,
      onDragOver(event) {
        if (!accepts(folder, event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = verbOf(event) ?? "none";
        setOver(folder);
      },
      onDragLeave: () => setOver((now) => (now === folder ? undefined : now)),
      onDrop(event) {
        setOver(undefined);
        const verb = verbOf(event);
        if (!accepts(folder, event) || !verb) return;
        event.preventDefault();
        void operations[verb](dragged.current, folder);
        dragged.current = [];
      },
    }),
    hold,
  };
}
