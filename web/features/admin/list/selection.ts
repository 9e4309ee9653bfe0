import { useState } from "react";

/** Which rows of the page on view are ticked. Rows that leave the view leave the selection. */
export function useSelection(ids: readonly string[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const selected = ids.filter((id) => ticked.has(id));
  return {
    selected,
    has: (id: string) => ticked.has(id),
    all: ids.length > 0 && selected.length === ids.length,
    toggle(id: string) {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setTicked(next);
    },
    toggleAll: () => setTicked(new Set(selected.length === ids.length ? [] : ids)),
    /** Ticks these and no others. */
    select: (some: readonly string[]) => setTicked(new Set(some)),
    clear: () => setTicked(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
