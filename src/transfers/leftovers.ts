const SLICE = 20;

/**
 * Clears away all that `next` answers, a few at a time; answers how many. One that cannot be cleared away does not keep the
 * others from it; its failure is thrown in the end.
 */
export async function clearEach<Row extends { readonly id: string }>(
  next: (limit: number) => Promise<readonly Row[]>,
  clear: (row: Row) => Promise<void>,
): Promise<number> {
  const failed = new Map<string, unknown>();
  let cleared = 0;
  for (;;) {
    const slice = (await next(SLICE + failed.size)).filter(({ id }) => !failed.has(id));
    for (const row of slice) {
      try {
        await clear(row);
        cleared += 1;
      } catch (error) {
        failed.set(row.id, error);
      }
    }
    if (slice.length > 0) continue;
    for (const error of failed.values()) throw error;
    return cleared;
  }
}
