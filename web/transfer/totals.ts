import { secondsFor } from "./speed.ts";
import type { UploadItem, UploadTotals } from "./uploads.ts";

const sum = (numbers: readonly number[]): number => numbers.reduce((whole, number) => whole + number, 0);

/** Sums up the rows that were started and not cancelled; `speed` is that of all together. */
export function totalsOf(items: readonly UploadItem[], speed: number): UploadTotals {
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
