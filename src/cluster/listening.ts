/** How a server hears that another one has changed something. */

import type { Notifications } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { type Log, unforeseen } from "../lib/log.ts";

/** Milliseconds from a notification to reading, so that many changes are read at once. */
const NOTIFY_DELAY = 10;
/** Looks between two attempts to listen, at most: a minute. */
const MOST_LOOKS = 24;

interface ListeningDeps {
  /** Undefined where servers only learn of changes when they look. */
  readonly notifications: Notifications | undefined;
  readonly log: Log;
  /** Called soon after others have changed something. */
  readonly read: () => void;
}

/** Listens to the other servers. */
export function createListening({ notifications, log, read }: ListeningDeps) {
  const notify: Sql[] = [];
  let isListening = false;
  /** Looks until the next attempt to listen, and until the one after it: more each time while it fails, undefined while it does not. */
  let listenBackoff: { readonly wait: number; left: number } | undefined;
  let notifyTimer: Timer | undefined;
  let isClosed = false;

  const onNotify = (): void => {
    if (isClosed) return;
    notifyTimer ??= setTimeout(() => {
      notifyTimer = undefined;
      read();
    }, NOTIFY_DELAY);
  };

  const begin = async ({ notify: statement, listen }: Notifications): Promise<void> => {
    try {
      await listen(onNotify);
      if (notify.length === 0) notify.push(statement);
      if (listenBackoff) log.info("LISTEN works again");
      listenBackoff = undefined;
    } catch (error) {
      if (!listenBackoff) log.warn("LISTEN failed, polling for changes", unforeseen(error));
      const wait = Math.min(2 * (listenBackoff?.wait ?? 0.5), MOST_LOOKS);
      listenBackoff = { wait, left: wait };
    }
  };

  return {
    /** Statements that notify the others. Filled once this server listens; one that never could notifies nobody either. All of them poll anyway. */
    notify: notify as readonly Sql[],

    /** Reports whether others notify this server. */
    isNotified: (): boolean => notify.length > 0 && !listenBackoff,

    /** Listens to the others, also when that was not possible before. Called at the start and with each look. */
    async listen(): Promise<void> {
      if (!notifications || isListening || isClosed) return;
      if (listenBackoff && --listenBackoff.left > 0) return;
      // A server that does not answer can make it last long.
      isListening = true;
      await begin(notifications);
      isListening = false;
    },

    close(): void {
      isClosed = true;
      clearTimeout(notifyTimer);
    },
  };
}
