import { SQL } from "bun";
import { TooLong, Unavailable } from "./database.ts";

/** What PostgreSQL and the way to it say when something fails ("PostgreSQL Error Codes", and the codes of Bun.SQL). */

/** What an error says: its code in PostgreSQL ("PostgreSQL Error Codes"), or Bun's. */
export function codeOf(error: unknown): string {
  if (!(error instanceof SQL.PostgresError)) return "";
  if (error.errno === UNSUPPORTED) return STALE;
  return error.errno ? `${error.errno}` : error.code;
}

/** A statement was prepared before its tables changed, or the transaction is SERIALIZABLE and this is a standby: both have this code. */
const UNSUPPORTED = "0A000";
/** The connections are not good any more; new ones may be. */
export const STALE = "stale";
const FULL_DISK = "53100";
export const ONLY_READS = "25006";

/** Another change was in the way, and nothing of this one was made. */
export const isInTheWay = (code: string): boolean => code === "40001" || code === "40P01";

/** PostgreSQL itself has said it, so that the statement was not made, nor the transaction that it stands in. */
export const isAnswer = (code: string): boolean => code !== "" && !code.startsWith("ERR_");

/** What a statement says that was to change another number of rows (`compile`): a division by zero. */
export const isUnexpected = (code: string): boolean => code === "22012";

/** Nothing was sent, or PostgreSQL began nothing: it starts or stops, has too many connections, or only reads, as one that is not the primary. */
export const isBefore = (code: string): boolean => BEFORE.has(code);
const BEFORE = new Set([
  ...["ERR_POSTGRES_CONNECTION_REFUSED", "ERR_POSTGRES_CONNECTION_FAILED", "ERR_POSTGRES_CONNECTION_TIMEOUT"],
  ...[STALE, ONLY_READS, "57P03", "53300"],
]);

/** The connection ended under the statement. */
export const isLost = (code: string): boolean => LOST.has(code) || code.startsWith("08");
const LOST = new Set([
  "ERR_POSTGRES_CONNECTION_CLOSED",
  "ERR_POSTGRES_IDLE_TIMEOUT",
  "ERR_POSTGRES_LIFETIME_TIMEOUT",
  // Ended by an administrator, a crash, or because the connection or its transaction was idle for too long.
  ...["57P01", "57P02", "57P05", "25P03"],
]);

/** PostgreSQL gave the statement up, does not let us in, or has not the means. */
const isRefused = (code: string): boolean =>
  ["57014", "55P03", "3D000", "ERR_POSTGRES_QUERY_CANCELLED"].includes(code) ||
  code.startsWith("28") ||
  code.startsWith("53");

/** An error as rooms know it. */
export function told(error: unknown): unknown {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === FULL_DISK) return error;
  if (code === "54000") return new TooLong(message);
  if (isInTheWay(code)) return new Unavailable("other changes were in the way for too long, and nothing was changed");
  if (isBefore(code)) return new Unavailable(`nothing was changed: ${message}`);
  if (isLost(code) || isRefused(code)) return new Unavailable(message);
  // Its own stack begins in the runtime and says nothing of who asked.
  return error instanceof SQL.PostgresError ? new Error(`PostgreSQL ${code}: ${message}`, { cause: error }) : error;
}
