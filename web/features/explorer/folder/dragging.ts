import { type DragEvent, useRef, useState } from "react";
import { parentOf } from "#contract/paths";
import { bare } from "../../../lib/folder-path.ts";
import { useMedia } from "../../../lib/media.ts";
import { intoItself } from "../model/conflicts.ts";
import { type Entry, isFixed } from "../model/entry.ts";
import type { Operations } from "../model/operations.ts";

/** What tells our own drags from all others. */
const OURS = "application/x-satchel-entries";

export interface Dragging {
  /** The folder over which something is held that can be dropped there. */
  readonly over: string | undefined;
  /** Whether entries can be dragged at all. */
  readonly on: boolean;
  begin: (event: DragEvent, entries: readonly Entry[]) => void;
  /** Handlers of a folder that takes what is dropped on it; none of one that takes nothing. */
  target: (folder: string | undefined) => {
    /** What files from outside go into. */
    readonly "data-takes": string | undefined;
    onDragOver: (event: DragEvent) => void;
    onDragLeave: () => void;
    onDrop: (event: DragEvent) => void;
  };
  end: () => void;
}

interface DragParts {
  readonly operations: Operations;
  readonly mayMove: boolean;
  readonly mayCopy: boolean;
  readonly mayUpload: boolean;
  /** The folder over which files from outside are held. */
  readonly taker: string | undefined;
}

/** Moves entries by drag and drop, onto folders and the path above; with Ctrl or Alt held it copies. */
export function useDragging({ operations, mayMove, mayCopy, mayUpload, taker }: DragParts): Dragging {
  const [over, setOver] = useState<string>();
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

  return {
    over: over ?? taker,
    // A finger that rests on an entry asks for its menu, and does not lift it.
    on: (mayMove || mayCopy) && !fingers,
    begin(event, entries) {
      dragged.current = entries.filter((entry) => !isFixed(entry));
      if (dragged.current.length === 0) return event.preventDefault();
      event.dataTransfer.effectAllowed = mayMove && mayCopy ? "copyMove" : mayMove ? "move" : "copy";
      event.dataTransfer.setData(OURS, "");
      event.dataTransfer.setData("text/plain", dragged.current.map(({ name }) => name).join("\n"));
    },
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
    end() {
      setOver(undefined);
      dragged.current = [];
    },
  };
}
