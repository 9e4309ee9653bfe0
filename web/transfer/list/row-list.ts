import { createStore } from "../../lib/store.ts";
import type { UploadPorts } from "../ports.ts";
import type { UploadItem, UploadTotals } from "../uploads.ts";
import type { Row } from "./row.ts";
import { createSpeed, secondsFor } from "./speed.ts";

/** How often rows are updated while bytes move, in milliseconds. */
const TICK = 200;

function isSame(one: UploadItem, other: UploadItem): boolean {
  const fields = new Map(Object.entries(other));
  return Object.entries(one).every(([name, value]) => Object.is(value, fields.get(name)));
}

/** Holds the rows and publishes them: at once when a state changes, a few times a second while bytes move. */
export function createRowList({ now, every }: Pick<UploadPorts, "now" | "every">) {
  const items = createStore<readonly UploadItem[]>([]);
  const totals = createStore<UploadTotals>(totalsOf([], 0));
  const shown = new Map<Row, UploadItem>();
  const stale = new Set<Row>();
  const speed = createSpeed(now);
  let rows: readonly Row[] = [];
  let stopTicking: (() => void) | undefined;
  let updating = false;

  /** Returns the same object as before, unless something in the row has changed. */
  const itemOf = (row: Row): UploadItem => {
    const before = shown.get(row);
    if (before && !stale.has(row)) return before;
    const now = row.item();
    const item = before && isSame(before, now) ? before : now;
    shown.set(row, item);
    return item;
  };

  const show = () => {
    const next = rows.map(itemOf);
    stale.clear();
    const before = items.get();
    if (next.length !== before.length || next.some((item, index) => item !== before[index])) items.set(next);
    totals.set(totalsOf(next, speed.rate()));
    tickWhile(totals.get().active);
  };

  const tick = () => {
    speed.sample();
    for (const row of rows) {
      if (row.state() !== "uploading") continue;
      row.sample();
      stale.add(row);
    }
    show();
  };

  const tickWhile = (active: boolean) => {
    if (active === (stopTicking !== undefined)) return;
    if (active) speed.reset();
    stopTicking?.();
    stopTicking = active ? every(TICK, tick) : undefined;
  };

  return {
    items,
    totals,
    rows: () => rows,
    find: (id: string) => rows.find((row) => row.id === id),
    moved: speed.add,
    add(row: Row) {
      rows = [...rows, row];
    },
    remove(leaving: readonly Row[]) {
      rows = rows.filter((row) => !leaving.includes(row));
      for (const row of leaving) shown.delete(row);
    },
    changed(row: Row) {
      stale.add(row);
      if (!updating) show();
    },
    /** Makes several changes and publishes them as one. */
    update<T>(act: () => T): T {
      updating = true;
      try {
        return act();
      } finally {
        updating = false;
        show();
      }
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((whole, number) => whole + number, 0);

/** Sums up the rows that were started and not cancelled; `speed` is that of all together. */
function totalsOf(items: readonly UploadItem[], speed: number): UploadTotals {
  const started = items.filter(({ state }) => state !== "idle" && state !== "aborted");
  const count = (wanted: UploadItem["state"]) => started.filter(({ state }) => state === wanted).length;
  const moving = started.filter(({ state }) => state === "uploading");
  const active = moving.length > 0;
  const left = sum(moving.map(({ file, sent }) => file.size - sent));
  return {
    files: started.length,
    completed: count("completed"),
    failed: count("failed"),
    sent: sum(started.map(({ sent }) => sent)),
    size: sum(started.map(({ file }) => file.size)),
    speed: active ? speed : 0,
    secondsLeft: active ? secondsFor(left, speed) : undefined,
    active,
  };
}
