import { onMac } from "../../../lib/keys.ts";
import type { Command, Shortcut } from "./command.ts";
import type { CommandContext } from "./command-context.ts";

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

const fits = ({ key, mod = false, shift = false }: Shortcut, event: Pressed): boolean =>
  (event.key === key || event.key.toLowerCase() === key) &&
  (event.ctrlKey || event.metaKey) === mod &&
  // These need Shift on some keyboards.
  (event.shiftKey === shift || key === "/" || key === "?") &&
  !event.altKey;

/** The command that a key stands for at the moment; undefined when there is none. */
export const commandFor = (all: readonly Command[], event: Pressed, now: CommandContext): Command | undefined =>
  all.find(({ shortcuts, allowed }) => shortcuts?.some((one) => fits(one, event)) && allowed(now));

/** Reports whether a key chooses all there is, where something can be chosen. */
export const selectsAll = ({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): boolean =>
  key.toLowerCase() === "a" && (ctrlKey || metaKey) && !shiftKey && !altKey;

/** Signs stand on Apple's keys; fonts of other systems may lack them, and screen readers pass over them. */
const signs: Readonly<Record<string, string>> = { Enter: "↵", Backspace: "⌫" };
const names: Readonly<Record<string, string>> = { " ": "Space", Delete: "Del" };

/** A shortcut as the keys are labelled: "Ctrl+C", "⌘C". */
export function shortcutName({ key, mod, shift }: Shortcut): string {
  const name = (onMac() ? signs[key] : undefined) ?? names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  const held = onMac() ? [mod && "⌘", shift && "⇧"] : [mod && "Ctrl", shift && "Shift"];
  return [...held.filter((one) => typeof one === "string"), name].join(onMac() ? "" : "+");
}

/** Reports whether a key belongs to what has the focus: to a field that is written in, or a button that it presses. */
export function isTaken(target: EventTarget | null, { key, ctrlKey, metaKey }: Pressed): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true], dialog, [popover]"))
    return true;
  // The tree of folders has its own.
  if (target.closest("[role=tree]")) return ctrlKey || metaKey ? key.toLowerCase() !== "k" : key !== "/" && key !== "?";
  const presses = key === "Enter" || key === " ";
  return presses && target.closest("button, a[href]:not([data-entry-link]), input, summary") !== null;
}
