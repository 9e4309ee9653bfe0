import type { Endpoint } from "#contract/endpoint";
import { address } from "../api/call.ts";
import type { Asked, StandIn } from "../api/stand-in.ts";
import { randomKey } from "../lib/random-key.ts";
import { createStore } from "../lib/store.ts";
import { type Copies, createCopies } from "./copies.ts";
import type { OfflineDatabase } from "./database.ts";
import { createQueue, isReadable, type StoredChange } from "./queue.ts";
import { type Replayed, replay, type Sender } from "./replay.ts";
import { writeSender } from "./sender.ts";

/** Too many changes wait or the browser's storage is full; or a newer version of the pages has taken the database over. */
export type Unkept = "full" | "closed";

interface OfflinePorts {
  readonly database: OfflineDatabase;
  /** Who is signed in at this moment. */
  readonly sender: () => Sender;
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>;
  /** Where the API is, up to and including /api. */
  readonly base: string;
  readonly locks: Pick<LockManager, "request"> | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Hears why a change could not be kept. */
  readonly onUnkept: (why: Unkept) => void;
}

/** What this browser knows and keeps while the server is out of reach: copies of answers, and changes that wait. */
export function createOffline(ports: OfflinePorts) {
  const { database, now, sender, onUnkept } = ports;
  const copies = createCopies(database, now);
  const queue = createQueue(database);
  const changes = createStore<readonly StoredChange[]>([]);

  const refresh = async (): Promise<void> => {
    changes.set((await queue.all()).map((change) => (isReadable(change) ? change : unreadable(change))));
  };
  const send = async (): Promise<Replayed> => {
    const replayed = await replay({ ...ports, queue, sender: async () => sender() });
    await refresh();
    return replayed;
  };
  const enqueue = async (endpoint: Endpoint, asked: Asked): Promise<boolean> => {
    if (endpoint.offline === undefined) return false;
    const kept = await queue.add({
      type: endpoint.offline,
      method: endpoint.method,
      endpoint: address(endpoint.path, asked),
      data: asked.body,
      requestKey: asked.headers?.["idempotency-key"] ?? randomKey(),
      person: sender().person,
      timestamp: now(),
    });
    if (!kept) onUnkept("full");
    await refresh();
    return kept;
  };

  return {
    changes,
    refresh,
    send,
    standIn: standInOf({ copies, enqueue, onUnkept }),
    /** Sends a refused change once more, with other content if some is given. */
    async retry(id: number, data?: unknown): Promise<void> {
      const other = data === undefined ? {} : { data, requestKey: randomKey() };
      await queue.update(id, { status: "pending", ...other });
      await send();
    },
    async discard(id: number): Promise<void> {
      await queue.remove(id);
      await refresh();
    },
    /** Tells the worker who is signed in. */
    mirror: () => writeSender(database, sender(), now()),
    /** Forgets what belongs to the person who leaves, their waiting changes too. */
    async forgetPerson(): Promise<void> {
      await copies.forgetPerson();
      await queue.clear();
      await refresh();
    },
    sweep: copies.sweep,
  };
}

export type Offline = ReturnType<typeof createOffline>;

/** A change that another version of the pages has kept: it can be discarded, or wait for that version. */
const unreadable = ({ id, timestamp = 0 }: StoredChange): StoredChange => ({
  id,
  timestamp,
  shape: 1,
  type: "",
  method: "POST",
  endpoint: "",
  data: undefined,
  requestKey: "",
  person: undefined,
  status: "foreign",
});

interface Parts {
  readonly copies: Copies;
  readonly enqueue: (endpoint: Endpoint, asked: Asked) => Promise<boolean>;
  readonly onUnkept: OfflinePorts["onUnkept"];
}

/** A database that fails is one that keeps nothing: the call then fails as it would without it. */
function standInOf({ copies, enqueue, onUnkept }: Parts): StandIn {
  return {
    heard(endpoint, asked, answer) {
      if (endpoint.method !== "GET") return;
      const of = { ...asked, path: endpoint.path };
      const done = answer === undefined ? copies.forget(of) : copies.keep(of, answer);
      // Full or closed: there is only no copy then.
      done.catch(() => undefined);
    },
    recall: async (endpoint, asked) =>
      endpoint.method === "GET" ? copies.recall({ ...asked, path: endpoint.path }).catch(() => undefined) : undefined,
    queue: (endpoint, asked) =>
      enqueue(endpoint, asked).catch((error: unknown) => {
        onUnkept(error instanceof Error && error.name === "InvalidStateError" ? "closed" : "full");
        return false;
      }),
  };
}
