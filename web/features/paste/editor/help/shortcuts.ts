import {
  copyLineDown,
  defaultKeymap,
  deleteLine,
  historyKeymap,
  indentWithTab,
  moveLineDown,
  moveLineUp,
  redo,
} from "@codemirror/commands";
import { findNext, gotoLine, openSearchPanel, searchKeymap, selectNextOccurrence } from "@codemirror/search";
import type { Command, KeyBinding } from "@codemirror/view";
import { t, type WordKey } from "../../../../i18n/i18n.ts";
import { keyName, onMac } from "../../../../lib/keys.ts";
import { flat } from "../bar/tools.ts";

/** What the text field itself can do, of which no button tells. */
const commands: readonly (readonly [name: Extract<WordKey, `help.key.${string}`>, run: Command | undefined])[] = [
  ["help.key.redo", redo],
  ["help.key.find", openSearchPanel],
  ["help.key.findNext", findNext],
  ["help.key.goToLine", gotoLine],
  ["help.key.nextSame", selectNextOccurrence],
  ["help.key.lineUp", moveLineUp],
  ["help.key.lineDown", moveLineDown],
  ["help.key.copyLine", copyLineDown],
  ["help.key.deleteLine", deleteLine],
  ["help.key.indent", indentWithTab.run],
];

const bindings: readonly KeyBinding[] = [indentWithTab, ...searchKeymap, ...historyKeymap, ...defaultKeymap];

const signs: Readonly<Record<string, string>> = { Mod: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" };
const arrows: Readonly<Record<string, string>> = { ArrowUp: "↑", ArrowDown: "↓" };

/** A key as the editor's table of keys writes it ("Mod-Alt-g"), as keyboards label it. */
export function labelOfKey(key: string, mac: boolean): string {
  const parts = key.split("-");
  const last = parts.pop() ?? "";
  const label = arrows[last] ?? (last.length === 1 ? last.toUpperCase() : last);
  if (mac) return parts.map((part) => signs[part] ?? part).join("") + label;
  return [...parts.map((part) => (part === "Mod" ? "Ctrl" : part)), label].join("+");
}

interface Shortcut {
  readonly label: string;
  readonly keys: string;
}

/** Every key of the toolbar and of the text field that does something worth knowing, from the tables that make them work. */
export function shortcuts(): Shortcut[] {
  const tools = flat.flatMap(({ id, key }) => (key ? [{ label: t(id), keys: keyName(key) }] : []));
  const own = commands.flatMap(([name, run]) => {
    const bound = bindings.find((one) => one.run === run);
    const key = (onMac() ? bound?.mac : bound?.linux) ?? bound?.key;
    return key ? [{ label: t(name), keys: labelOfKey(key, onMac()) }] : [];
  });
  return [...tools, ...own, { label: t("help.key.save"), keys: keyName("S") }];
}
