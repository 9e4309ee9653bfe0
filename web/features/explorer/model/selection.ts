/** The selected entries, as paths. A pure reducer, shared by mouse, keyboard and touch. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** Where the keyboard stands. */
  readonly focus: string | undefined;
  /** Where a range begins. */
  readonly anchor: string | undefined;
  /** On a touch screen: a tap chooses instead of opening. */
  readonly touch: boolean;
}

export type SelectionAct =
  /** A click: alone, with the range key or with the toggle key. */
  | { readonly do: "press"; readonly path: string; readonly range?: boolean; readonly toggle?: boolean }
  /** The keyboard goes to an entry; with `range` it takes along what lies between, with `keep` it only walks. */
  | { readonly do: "go"; readonly path: string; readonly range?: boolean; readonly keep?: boolean }
  /** A box is ticked, or a long press begins choosing. */
  | { readonly do: "toggle"; readonly path: string; readonly touch?: boolean }
  | { readonly do: "all" }
  | { readonly do: "none" }
  | { readonly do: "only"; readonly paths: readonly string[] }
  /** Choosing by tap is switched on. */
  | { readonly do: "touch" }
  /** The listing has changed: deselects what is gone. */
  | { readonly do: "keep" };

export const nothing: Selection = { chosen: new Set(), focus: undefined, anchor: undefined, touch: false };

const alone = (path: string, { touch }: Selection): Selection => ({
  chosen: new Set([path]),
  focus: path,
  anchor: path,
  touch,
});

/** The paths from one to another, both included, in the order that is shown. */
function between(order: readonly string[], one: string, other: string): readonly string[] {
  const [from, to] = [order.indexOf(one), order.indexOf(other)];
  if (from === -1 || to === -1) return [other];
  return order.slice(Math.min(from, to), Math.max(from, to) + 1);
}

function toggled(selection: Selection, path: string): Selection {
  const chosen = new Set(selection.chosen);
  if (!chosen.delete(path)) chosen.add(path);
  return { ...selection, chosen, focus: path, anchor: path };
}

function ranged(selection: Selection, path: string, order: readonly string[], adds: boolean): Selection {
  const anchor = selection.anchor ?? selection.focus ?? order[0] ?? path;
  const range = between(order, anchor, path);
  return { ...selection, chosen: new Set(adds ? [...selection.chosen, ...range] : range), focus: path, anchor };
}

/** The selection after an act; `order` has the paths as they are shown. */
export function select(selection: Selection, act: SelectionAct, order: readonly string[]): Selection {
  switch (act.do) {
    case "press":
      if (act.range) return ranged(selection, act.path, order, act.toggle === true);
      return act.toggle ? toggled(selection, act.path) : alone(act.path, selection);
    case "go":
      if (act.range) return ranged(selection, act.path, order, false);
      return act.keep ? { ...selection, focus: act.path } : alone(act.path, selection);
    case "toggle": {
      const next = toggled(selection, act.path);
      return { ...next, touch: act.touch === true || (selection.touch && next.chosen.size > 0) };
    }
    case "all":
      return { ...selection, chosen: new Set(order) };
    case "none":
      return { ...selection, chosen: new Set(), anchor: undefined, touch: false };
    case "only": {
      const [first] = act.paths;
      return { ...selection, chosen: new Set(act.paths), focus: first ?? selection.focus, anchor: first };
    }
    case "touch":
      return { ...selection, touch: true };
    case "keep":
      return kept(selection, order);
  }
}

function kept(selection: Selection, order: readonly string[]): Selection {
  const there = new Set(order);
  const left = (path: string | undefined) => (path !== undefined && there.has(path) ? path : undefined);
  const chosen = [...selection.chosen].filter((path) => there.has(path));
  const same = chosen.length === selection.chosen.size;
  const [focus, anchor] = [left(selection.focus), left(selection.anchor)];
  if (same && focus === selection.focus && anchor === selection.anchor) return selection;
  const touch = selection.touch && (same || chosen.length > 0);
  return { chosen: same ? selection.chosen : new Set(chosen), focus, anchor, touch };
}
