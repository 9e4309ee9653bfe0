import type { LucideIcon } from "lucide-react";
import type { WordKey } from "../../../i18n/i18n.ts";
import type { CommandActions } from "./command-actions.ts";
import type { CommandContext } from "./command-context.ts";

/** A key with what is held down; `mod` is Ctrl, on a Mac the command key. */
export interface Shortcut {
  readonly key: string;
  readonly mod?: boolean;
  readonly shift?: boolean;
}

/** Something that can be done in the explorer. Toolbar, context menu, action bar and keyboard are all made of these. */
export interface Command {
  readonly id: string;
  readonly label: Extract<WordKey, `explorer.command.${string}`>;
  readonly icon: LucideIcon;
  /** What it is about: the chosen entries, or the folder itself. Commands of one group stand together. */
  readonly about: "selection" | "folder";
  readonly group: number;
  /** Stands in the toolbar by itself, in place of the menu behind it. */
  readonly prominent?: true;
  readonly danger?: true;
  /** Only a key: neither toolbar nor menu shows it. */
  readonly hidden?: true;
  readonly shortcuts?: readonly Shortcut[];
  /** Reports whether it can be done, and the person may. What is not allowed is not shown and its key does nothing. */
  readonly allowed: (context: CommandContext) => boolean;
  readonly run: (actions: CommandActions, context: CommandContext) => void;
}
