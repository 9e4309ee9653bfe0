export const capacityUnits = ["MB", "GB", "TB"] as const;
type CapacityUnit = (typeof capacityUnits)[number];

/** How much a storage may hold, as the form has it. */
export interface Capacity {
  readonly unlimited: boolean;
  readonly amount: string;
  readonly unit: CapacityUnit;
}

const bytesIn: Readonly<Record<CapacityUnit, number>> = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };

/** A number of bytes in the largest unit that has at least one of it; null is unlimited. */
export function capacityOf(bytes: number | null): Capacity {
  if (bytes === null) return { unlimited: true, amount: "", unit: "GB" };
  const unit = capacityUnits.findLast((one) => bytes >= bytesIn[one]) ?? "MB";
  return { unlimited: false, amount: String(Number((bytes / bytesIn[unit]).toFixed(3))), unit };
}

/** Bytes; null is unlimited, undefined is invalid. A comma may replace the decimal point. */
export function bytesOf({ unlimited, amount, unit }: Capacity): number | null | undefined {
  if (unlimited) return null;
  const text = amount.trim().replace(",", ".");
  const bytes = /^(?:\d+|\d*\.\d+)$/.test(text) ? Math.round(Number(text) * bytesIn[unit]) : 0;
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined;
}
