import { Failure } from "#contract/failures";
import { UPLOAD_TURN_PATIENCE } from "#contract/limits";
import type { Cluster } from "../cluster/cluster.ts";
import type { Sql } from "../database/sql.ts";

/** The turn of a request that works on an upload. */
export interface UploadTurn {
  /** Aborts when a newer request came. */
  readonly signal: AbortSignal;
  /** As `InTurn` gives it: this server may have stood still, and a request to another one have its turn. */
  readonly proof: readonly Sql[];
}

/** A request that works on an upload, or waits until it may. */
interface Writer {
  readonly token: string;
  readonly controller: AbortController;
  /** Whether what is announced from now on came behind it. */
  isAnnounced: boolean;
  /** Has a brief one that waits come behind all others once more; none has it once its turn has begun. */
  announceAgain?: (() => void) | undefined;
}

/** Ends the announcement of a brief one. */
const BRIEF = "brief";

/**
 * One request at a time works on a resumable upload, on whichever server. A newer one ends the older, which mostly belongs to a broken
 * connection that nobody has noticed yet.
 */
export function createUploadWriters({ follow, publish, turns }: Pick<Cluster, "follow" | "publish" | "turns">) {
  const busy = () => new Failure("server.busy");
  const inTurn = turns("upload writers", { patience: UPLOAD_TURN_PATIENCE, busy });
  const writers = new Map<string, Set<Writer>>();

  /**
   * Tells the older requests on an upload that a newer one came. One that takes bytes may have its turn before a brief one that it came behind,
   * and then waits for bytes of somebody who waits for the answer to that: so one of those that wait announces itself again, which ends it.
   */
  const overtaken = (older: readonly Writer[], isBrief: boolean): void => {
    for (const { controller, announceAgain } of older)
      if (!announceAgain) controller.abort(new Failure("upload.superseded"));
    if (!isBrief) older.find(({ announceAgain }) => announceAgain)?.announceAgain?.();
  };

  // All servers read announcements in one order, which therefore is the order of the requests.
  follow("upload writers", (subjects) => {
    if (!subjects) for (const one of [...writers.values()].flatMap((some) => [...some])) one.isAnnounced = true;
    for (const subject of subjects ?? []) {
      const [upload = "", token, kind] = subject.split(" ");
      const all = [...(writers.get(upload) ?? [])];
      const announced = all.find((writer) => writer.token === token);
      // Before the others, of which one may announce itself again at once.
      if (announced) announced.isAnnounced = true;
      overtaken(
        all.filter((writer) => writer !== announced && writer.isAnnounced),
        kind === BRIEF,
      );
    }
  });

  /**
   * Runs a task on an upload once older ones have ended. When a newer one comes, its signal aborts: one that takes bytes has to end then,
   * and if it has not begun, it does not. A `brief` one has its turn all the same. 409 upload.superseded; 503 server.busy when others do not end.
   */
  return async <Result>(
    upload: string,
    task: (turn: UploadTurn) => Promise<Result>,
    { brief = false } = {},
  ): Promise<Result> => {
    const writer: Writer = { token: crypto.randomUUID(), controller: new AbortController(), isAnnounced: false };
    const { signal } = writer.controller;
    const waiting = new AbortController();
    const announce = () => publish("upload writers", `${upload} ${writer.token}${brief ? ` ${BRIEF}` : ""}`);
    if (brief) writer.announceAgain = () => void announce().catch(() => waiting.abort());
    const begun = (proof: readonly Sql[]) => {
      writer.announceAgain = undefined;
      return task({ signal, proof });
    };
    const all = writers.get(upload) ?? new Set();
    writers.set(upload, all.add(writer));
    try {
      await announce();
      return await inTurn(upload, begun, { signal: brief ? waiting.signal : signal });
    } catch (error) {
      throw signal.aborted && !brief ? signal.reason : error;
    } finally {
      all.delete(writer);
      if (all.size === 0 && writers.get(upload) === all) writers.delete(upload);
    }
  };
}
