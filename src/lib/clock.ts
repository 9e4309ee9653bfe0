/** The present as epoch milliseconds. Passed in, so that tests can stand still and jump. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** An instant as ISO 8601 with milliseconds and Z, as the wire carries it. */
export const iso = (instant: number): string => new Date(instant).toISOString();

/** As `iso`, keeping null for "never". */
export const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant));
