import type { Sql } from "../database/sql.ts";
import { createPace, createYielder } from "../lib/turns.ts";
import type { Place } from "../stores/store.ts";
import { createApply } from "./apply.ts";
import { createNodeBatch } from "./node-batch.ts";
import { createNodeTree } from "./node-tree.ts";
import type { NodesTable } from "./nodes-table.ts";

/** Pages of the full-text index that one step of merging may write. */
const MERGED_AT_ONCE = 32;

/**
 * Collects changes of nodes and writes them in batches that take a few milliseconds. Only ids are remembered in
 * between, because each statement finds in the database what the ones before it made. There is one writer, and one
 * task at a time uses it.
 */
export async function createWriter(table: NodesTable) {
  const batch = createNodeBatch();
  const tree = createNodeTree({ table, batch, last: await table.lastId() });
  let proof: readonly Sql[] = [];
  const yielder = createYielder();
  const writing = createPace({ first: 200, least: 100, most: 1000 });
  let corrected = 0;
  /** Counts the calls of a function, which corrects what the index has without a change that was recorded. */
  const correcting =
    <Asked extends readonly unknown[], Answer>(correct: (...asked: Asked) => Answer) =>
    (...asked: Asked): Answer => {
      corrected += 1;
      return correct(...asked);
    };

  const writeAll = async (): Promise<void> => {
    const statements = batch.statements();
    await table.ready();
    await writing.measure(statements.length, () => table.write([...statements, ...proof]));
    batch.clear();
    await yielder.yieldIfDue();
    await table.ready();
    await table.merge(MERGED_AT_ONCE);
    await yielder.yieldIfDue();
  };

  const flush = async (): Promise<void> => {
    if (!batch.isEmpty()) await writeAll();
    if (tree.knowsMany()) tree.forget();
  };

  const forget = (): void => {
    tree.forget();
    batch.clear();
  };

  return {
    locate: tree.locate,
    makeFolder: correcting(tree.makeFolder),
    add: correcting(tree.add),
    remove: correcting(tree.remove),
    replace: correcting(tree.replace),
    /** How many corrections there were so far. */
    corrections: (): number => corrected,
    apply: createApply({ table, batch, tree, flush }),
    tidy: createTidying(table, yielder),

    /** Forgets what another server may have changed; `given` goes with every batch that is written from now on. */
    async begin(given: readonly Sql[]): Promise<void> {
      forget();
      proof = given;
      tree.goOnAfter(await table.lastId());
    },

    /** Gives a folder that is there the time of the object of its own key, when that is newer. */
    async setTime(place: Place, modified: number): Promise<void> {
      const node = await tree.locate(place);
      const known = node && (await table.byId(node.id))?.newest;
      if (node && (known ?? 0) < modified) batch.grow(node.id, { size: 0, files: 0, newest: modified });
    },

    /** How many new names make a batch. */
    batchOfNames: (): number => Math.ceil(writing.count() / 2),

    /** Writes when there is enough to write, and lets others run. */
    async pause(): Promise<void> {
      if (batch.size() >= writing.count() || tree.knowsMany()) await flush();
      await yielder.yieldIfDue();
    },

    /** Runs a task and writes its changes. Nothing of a failing task is written, except earlier changes. */
    async run(task: () => Promise<void>): Promise<void> {
      try {
        await task();
        await flush();
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}

/**
 * Returns the function that does a step of the work that can wait: it deletes the content of removed folders, then merges, and reports
 * whether there is more.
 */
function createTidying(table: NodesTable, yielder: ReturnType<typeof createYielder>) {
  const clearing = createPace({ first: 100, least: 50, most: 1000 });
  return async (): Promise<boolean> => {
    await table.ready();
    const folder = await table.removedFolder();
    const limit = clearing.count();
    const merged = folder === undefined && (await table.merge(MERGED_AT_ONCE));
    if (folder !== undefined) await clearing.measure(limit, () => table.clear(folder, limit));
    await yielder.yieldIfDue();
    return folder !== undefined || merged;
  };
}

export type Writer = Awaited<ReturnType<typeof createWriter>>;
