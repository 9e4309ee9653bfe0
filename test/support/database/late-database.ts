import type { Database } from "../../../src/database/database.ts";

/** A database that has its answers at once and gives them in a later turn of the event loop, as one on another machine would. */
export const answeringLater = (db: Database): Database => ({
  ...db,
  async first<Row>(...query: Parameters<Database["first"]>) {
    const row = await db.first<Row>(...query);
    await new Promise(setImmediate);
    return row;
  },
});

/** A database of which a test can hold one answer back. */
export function createHeldDatabase() {
  let hold: { reached: () => void; goOn: Promise<void> } | undefined;
  return {
    engine: (db: Database): Database => ({
      ...db,
      async first<Row>(...query: Parameters<Database["first"]>) {
        const row = await db.first<Row>(...query);
        const held = hold;
        hold = undefined;
        held?.reached();
        await held?.goOn;
        return row;
      },
    }),
    /** Holds what `first` finds next: `reached` settles when it has found it, and `letGo` has it answer. */
    holdNext() {
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
      hold = { reached: resolve, goOn };
      return { reached, letGo };
    },
  };
}
