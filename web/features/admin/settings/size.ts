/** Units of a size as the page offers them; the setting is in megabytes. */
export const sizeUnits = ["KB", "MB", "GB"] as const;
export type SizeUnit = (typeof sizeUnits)[number];

const megabytes: Readonly<Record<SizeUnit, number>> = { KB: 1 / 1024, MB: 1, GB: 1024 };

/** Digits after the point that the server takes. */
const DECIMALS = 9;

/** A size in the largest unit in which it has few digits. */
export function splitSize(text: string): { size: string; unit: SizeUnit } {
  const value = Number(text);
  const fits = (unit: SizeUnit) => value / megabytes[unit] >= 1 && Number.isInteger((value / megabytes[unit]) * 100);
  const unit = sizeUnits.findLast(fits) ?? (value < 1 ? "KB" : "MB");
  return { size: plain(value / megabytes[unit]), unit };
}

/** Such a size as the setting has it: megabytes; what is no number stays as it is, for the server to refuse. */
export function joinSize(size: string, unit: SizeUnit): string {
  const value = Number(size.trim());
  return isNumber(size) ? plain(value * megabytes[unit]) : size.trim();
}

/** Reports whether a text is a number as the settings take it. */
export const isNumber = (text: string): boolean => /^\d{1,15}(\.\d{1,9})?$/.test(text.trim());

/** Without an exponent, and without zeros that say nothing. */
const plain = (value: number): string => String(Number(value.toFixed(DECIMALS)));
