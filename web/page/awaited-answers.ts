/** Idempotency-Keys of changes that wait for a connection and whose answers the page on view shows by itself. */
export const awaitedAnswers = new Set<string>();
