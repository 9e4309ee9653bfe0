import { appendFileSync } from "node:fs";

/** One line of docs/performance.md: what was measured, and against what. */
export interface Figure {
  readonly work: string;
  /** What it is compared with, and what that leaves out; for what is no ratio, how it was measured. */
  readonly yardstick: string;
  readonly value: number;
  /** Of a rate and of points more is better, of anything else less. */
  readonly unit: "× rate" | "× time" | "ms" | "MB" | "kB" | "of 100";
  /** What is to be reached; without one nothing is promised. */
  readonly goal?: number;
}

/** Where `run.ts` gathers the figures of what it starts. */
export const GATHERED = "BENCH_FIGURES";

const isMoreBetter = ({ unit }: Pick<Figure, "unit">): boolean => unit === "× rate" || unit === "of 100";

const digits = ({ unit, value }: Pick<Figure, "unit" | "value">): string =>
  value.toFixed(unit === "× rate" || unit === "× time" ? 2 : value < 10 ? 1 : 0);

/** A value with its unit, and a goal with which way it is one. */
export const shownValue = (figure: Figure): string => `${digits(figure)} ${figure.unit}`;
export const shownGoal = (figure: Figure): string =>
  figure.goal === undefined ? "" : `${isMoreBetter(figure) ? "at least" : "at most"} ${figure.goal}`;

/** Reports whether a figure is what was to be reached. */
export const isReached = (figure: Figure): boolean => {
  const { goal, value } = figure;
  return goal === undefined || (isMoreBetter(figure) ? value >= goal : value <= goal);
};

/** Says a figure, and hands it to whoever gathers them. */
export function tell(figure: Figure): void {
  const goal = shownGoal(figure);
  process.stdout.write(`${figure.work}: ${shownValue(figure)}${goal && ` (to reach: ${goal})`}; ${figure.yardstick}\n`);
  const file = process.env[GATHERED];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
