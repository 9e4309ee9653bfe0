import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Sort } from "../model/order.ts";

interface Still {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The paths of the entries in the order shown. */
  readonly order: readonly string[];
  readonly sort: Sort | undefined;
  /** Entries in a row, and its height in pixels. */
  readonly columns: number;
  readonly height: number;
}

/** Entries that are looked for from the first in view on: it may be the one that has gone. */
const LOOKED_FOR = 100;

/** Keeps in place what is in view when entries come or go above it, unless somebody looks at the very top. */
export function useScrollAnchor({ scroller, order, sort, columns, height }: Still): void {
  const before = useRef({ order, sort });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { order, sort };
    const place = scroller.current;
    if (!place || place.scrollTop === 0 || last.order === order || last.sort !== sort) return;
    const first = Math.floor(place.scrollTop / height) * columns;
    for (const [offset, path] of last.order.slice(first, first + LOOKED_FOR).entries()) {
      const index = order.indexOf(path);
      if (index < 0) continue;
      const rows = Math.floor(index / columns) - Math.floor((first + offset) / columns);
      if (rows !== 0) place.scrollTop += rows * height;
      return;
    }
  }, [scroller, order, sort, columns, height]);
}
