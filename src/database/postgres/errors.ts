import { SQL } from "bun";
import { messageOf } from "../../lib/errors.ts";
import { TooLong, Unavailable } from "../database.ts";

/** What PostgreSQL and the way to it say when something fails ("PostgreSQL Error Codes", and the codes of Bun.SQL). */

/** What an error says: its code in PostgreSQL ("PostgreSQL Error Codes"), or Bun's. */
export function codeOf(error: unknown): string {
  if (!(error instanceof SQL.PostgresError)) return "";
  const unsupported = error.errno === UNSUPPORTED ? error.routine : undefined;
  if (unsupported === "RevalidateCachedQuery") return STALE;
  if (unsupported && STANDBY_ROUTINES.includes(unsupported)) return STANDBY;
  return error.errno ? `${error.errno}` : error.code;
}

/**
 * Whatever PostgreSQL does not do has this code. Which of it is meant is told by the function of its source that says so, as pgJDBC
 * does: messages are in the language of the server.
 */
const UNSUPPORTED = "0A000";
/** Where it says that a standby has no SERIALIZABLE transactions: when one sets its level, or begins with it as the usual level. */
const STANDBY_ROUTINES = ["call_enum_check_hook", "GetSerializableTransactionSnapshot"];

/** A statement in a transaction was prepared before its tables changed. Bun prepares it anew when it is sent again. */
const STALE = "stale";
const STANDBY = "standby";
const FULL_DISK = "53100";
const ONLY_READS = "25006";

/** This is not the primary, or not any more; new connections may lead to it. */
export const isElsewhere = (code: string): boolean => code === STANDBY || code === ONLY_READS;

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
  ...[STALE, STANDBY, ONLY_READS, "57P03", "53300"],
]);

/** The connection ended under the statement. */
export const isLost = (code: string): boolean => LOST.has(code) || code.startsWith("08");
const LOST = new Set([
  "ERR_POSTGRES_CONNECTION_CLOSED",
  "ERR_POSTGRES_IDLE_TIMEOUT",
  "ERR_POSTGRES_LIFETIME_TIMEOUT",
  // Ended by an administrator, a crash, or because the connection or its transaction was idle for too long.
  ...["57P01", "57P02", "57P05", "25P03"],
  // Of several machines that are one database, the one that was to answer is gone.
  "40003",
]);

/** Of a transaction of which PostgreSQL has said that it was not made, or which was not sent. */
export const mayBegin = (code: string): boolean => isBefore(code) || isLost(code) || isInTheWay(code);

/** PostgreSQL gave the statement up, does not let us in, or has not the means. */
const isRefused = (code: string): boolean =>
  ["57014", "55P03", "3D000", "ERR_POSTGRES_QUERY_CANCELLED"].includes(code) ||
  code.startsWith("28") ||
  code.startsWith("53");

/** An error as rooms know it. */
export function translated(error: unknown): unknown {
  const code = codeOf(error);
  const message = messageOf(error);
  if (code === FULL_DISK) return error;
  if (code === "54000") return new TooLong(message);
  if (isInTheWay(code)) return new Unavailable("other changes were in the way for too long, and nothing was changed");
  if (isBefore(code)) return new Unavailable(`nothing was changed: ${message}`);
  if (isLost(code) || isRefused(code)) return new Unavailable(message);
  // Its own stack begins in the runtime and says nothing of who asked.
  return error instanceof SQL.PostgresError ? new Error(`PostgreSQL ${code}: ${message}`, { cause: error }) : error;
}
