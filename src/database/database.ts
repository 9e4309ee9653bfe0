import type { Sql } from "./sql.ts";

/** One step of the tables' history. */
export interface Step {
  readonly number: number;
  readonly statements: readonly string[];
}

/** What stands behind the interface: full-text search is the one thing that rooms say differently for each (`full-text.ts`). */
export type Engine = "sqlite" | "postgres";

/** Room on the disk of a database that is held for it. */
export interface Spare {
  /** Takes up the room, unless it does or fewer bytes are free. */
  take(free: number): void;
  /** Leaves the room to whoever writes next; reports whether there was any. */
  give(): boolean;
}

/** How servers on one database notify each other, so that what one has changed is read at once. */
export interface Notifications {
  /** Notifies all who listen when its transaction is through. */
  readonly notify: Sql;
  /**
   * Calls `onNotify` from now on; also when something may have been missed. Throws when it cannot. Called again it listens again if it was
   * lost, and does nothing otherwise.
   */
  listen(onNotify: () => void): Promise<void>;
}

/** What lists, search and openings read by, which a replica may answer that has all that whoever asks may know of. */
export interface Reading {
  readonly engine: Engine;
  /** The first row, or undefined. With `isGood` a replica is believed neither when it has none nor when that refuses it. */
  first<Row>(query: Sql, isGood?: (row: Row) => boolean): Promise<Row | undefined>;
  all<Row>(query: Sql): Promise<Row[]>;
}

/** A copy of the database on another server, which follows it. */
export interface Standby {
  /** Sends statements together on one connection, and answers with the rows of each as they come. Nothing is asked again. */
  read<Row>(queries: readonly Sql[]): Promise<Promise<Row[]>[]>;
  close(): Promise<void>;
}

/** The few operations that rooms need; asynchronous, so that another engine can implement them. */
export interface Database {
  readonly engine: Engine;
  /** The present by the clock of the database in epoch milliseconds, as a part of a statement. */
  readonly now: Sql;
  /** Undefined where servers only learn of changes when they look. */
  readonly notifications?: Notifications | undefined;
  /** The first row, or undefined. */
  first<Row>(query: Sql): Promise<Row | undefined>;
  all<Row>(query: Sql): Promise<Row[]>;
  /** Runs a statement and returns how many rows it changed. */
  run(query: Sql): Promise<number>;
  /** Runs all statements or none, and returns how many rows each changed. */
  batch(queries: readonly Sql[]): Promise<number[]>;
  /** Makes long work wait, at its next `ready`, until the promise resolves. */
  holdBack(until: Promise<void>): void;
  /** Long work waits for this right before each of its batches. */
  ready(): Promise<void>;
  /** Gives space that deleted rows left back to the disk, in slices; returns how many pages. */
  shrink(): Promise<number>;
  /** Builds indexes that a step of the tables would take too long for, while everybody reads and writes. */
  buildIndexes(): Promise<void>;
  /** Room that the database holds on its disk and can be given; undefined where it has no file of its own. */
  readonly spare?: Spare | undefined;
  /** The last step of the tables that was applied; 0 in a new database. */
  lastStep(): Promise<number>;
  /** Applies steps, each whole or not at all, and once however many servers do so at the same time. */
  apply(steps: readonly Step[]): Promise<void>;
  close(): Promise<void>;
}

/** The database does not answer, or not in time. Of a change nobody knows whether it was made unless the message says so. */
export class Unavailable extends Error {}

/** A text is too long for an index of the database. */
export class TooLong extends Error {}
