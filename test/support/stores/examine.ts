import { storage as api } from "#contract/storage";
import type { Examination, StorageReport } from "#contract/storage-report";
import { ask } from "../share-file.ts";
import type { TestHouse } from "../test-house.ts";

type ReportedStep = StorageReport["result"]["steps"][number];

/** The answer to a test of a storage, its steps at hand by their names. */
export interface Examined {
  readonly status: number;
  readonly message: string;
  readonly data: StorageReport;
  readonly step: (id: Examination) => ReportedStep;
  /** Steps that failed, and those that could not be tried. */
  readonly failed: Examination[];
  readonly untried: Examination[];
}

/** The page that the administrator looks at in these tests. */
export const PAGE = "https://share.example";

/** Has a storage tested, as the page of the administrator does. */
export async function examine(
  house: TestHouse,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Examined> {
  const answer = await ask(house, api.test, { params: { id }, body: {} }, { origin: PAGE, ...headers });
  return { ...answer, ...sortOut(answer.data) };
}

/** What a report says of each step. */
export function sortOut(report: StorageReport): Pick<Examined, "step" | "failed" | "untried"> {
  const { steps } = report.result;
  const ids = (which: (step: ReportedStep) => boolean) => steps.filter(which).map(({ id }) => id);
  return {
    step(id) {
      const found = steps.find((one) => one.id === id);
      if (!found) throw new Error(`There is no ${id}`);
      return found;
    },
    failed: ids(({ success, skipped }) => !success && !skipped),
    untried: ids(({ success, skipped }) => !success && skipped),
  };
}
