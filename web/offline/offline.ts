import type { Endpoint } from "#contract/endpoint";
import { address } from "../api/call.ts";
import type { EndpointInput, OfflineFallback } from "../api/transport/offline-fallback.ts";
import { randomKey } from "../lib/random-key.ts";
import { createStore, type Store } from "../lib/store.ts";
import { type Copies, createCopies } from "./copies.ts";
import { isClosed, isFull, noteDamage, type OfflineDatabase } from "./database.ts";
import type { Locks } from "./locks.ts";
import { createQueue, isBehind, isFor, isReadable, type Queue, type Removed, type StoredChange } from "./queue.ts";
import { type Replayed, replay, type Sender, sendingLock } from "./replay.ts";
import { forgetSender, writeSender } from "./sender.ts";

/** `full`: the queue or the storage is full. `closed`: a newer version of the app has taken the database over. `broken`: the database fails. */
type NotQueued = "full" | "closed" | "broken";

/** The result of discarding a change; `sending` if it was being sent at that moment. */
type Discarded = Removed | "sending";

/**
 * A change as it is shown. `foreign`: another version of the app queued it; it can be discarded, or wait for that version. `others`: somebody
 * else made it; it waits for their session, and its content is hidden. `behind`: it builds on a rejected change, and waits until the person has
 * decided about that one.
 */
export type ShownChange = Omit<StoredChange, "status"> & {
  readonly status: StoredChange["status"] | "behind" | "foreign" | "others";
};

interface OfflinePorts {
  readonly database: OfflineDatabase;
  /** Returns who is signed in at this moment. */
  readonly sender: () => Sender;
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>;
  /** Where the API is, up to and including /api. */
  readonly base: string;
  readonly locks: Locks;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called when a change could not be queued. */
  readonly onQueueFailed: (why: NotQueued) => void;
}

/** What a page has while the server cannot be reached: copies of answers, and a queue of changes. */
export function createOffline(ports: OfflinePorts) {
  const { database, now, sender, onQueueFailed } = ports;
  const copies = createCopies(database, now);
  const queue = createQueue(database);
  const changes = createStore<readonly ShownChange[]>([]);
  const inTurn = createSerialRunner();
  /** Whether the last call got an answer: a browser that believes it is online may still not reach the server. */
  const reached = createStore(true);

  const refresh = async (): Promise<void> => {
    const all = await queue.all();
    const { person } = sender();
    const refused = new Set<string>();
    changes.set(all.map((change) => shown(change, person, refused)));
  };
  const attend = () =>
    inTurn(async () => {
      const { person } = sender();
      try {
        if (person !== undefined) await copies.attend(person);
      } finally {
        await writeSender(database, sender(), now());
        await refresh();
      }
    });
  const send = async (): Promise<Replayed> => {
    const replayed = await replay({ ...ports, queue, sender: async () => sender() });
    if (replayed.sent.length + replayed.rejected > 0) reached.set(true);
    await refresh();
    return replayed;
  };
  return {
    changes,
    refresh,
    send,
    reached,
    offlineFallback: fallbackOf({
      copies,
      queue,
      inTurn,
      reached,
      refresh,
      onQueueFailed,
      now,
      person: () => sender().person,
    }),
    /** Sends a rejected change again, with other content if some is given. */
    async retry(id: number, data?: unknown): Promise<Replayed> {
      await ports.locks.holdNow(sendingLock(id), () => queue.retry(id, data));
      return await send();
    },
    /** Discards a change as it was shown: not one that is being sent, was sent, or has changed since. */
    async discard(seen: ShownChange): Promise<Discarded> {
      const became = await ports.locks.holdNow(sendingLock(seen.id), () => queue.remove(seen, seen.status === "sent"));
      await refresh();
      return became ?? "sending";
    },
    /** Tells the worker who is signed in, and deletes copies that belong to anybody else. Their queued changes stay. */
    attend,
    /** Deletes everything of a person who signs out, queued changes included. */
    leave: (person: string) =>
      inTurn(async () => {
        await forgetAll(database, person);
        await writeSender(database, sender(), now());
        await refresh();
      }),
    /** Deletes everything of the person whose copies these are, as after a sign-out that nobody here has noticed. */
    leaveUnnoticed: () =>
      inTurn(async () => {
        const person = await copies.owner();
        if (person !== undefined && person !== sender().person) await forgetAll(database, person);
      }),
    sweep: copies.sweep,
    /** Reads the queue. Entries that the browser can no longer read are removed and recorded as damage. Rejects when the database fails. */
    async restore(): Promise<void> {
      await refresh().catch(async (error: unknown) => {
        if (!(await queue.removeUnreadable())) throw error;
        await noteDamage(database);
        await refresh();
      });
    },
  };
}

export type Offline = ReturnType<typeof createOffline>;

/** Makes what runs tasks one after the other: of two changes of the person or of copies at once the earlier one could end last. */
function createSerialRunner() {
  let last: Promise<unknown> = Promise.resolve();
  return (task: () => Promise<void>): Promise<void> => {
    const done = last.then(task);
    // The caller gets the error; the queue goes on.
    last = done.catch(() => undefined);
    return done;
  };
}

/** Deletes everything of a person, their credential first. It writes nothing, so that it works on a full device. */
export async function forgetAll(database: OfflineDatabase, person: string): Promise<void> {
  await forgetSender(database);
  await createQueue(database).removeOf(person);
  await createCopies(database, Date.now).forgetPerson();
}

/** Returns a call as it may be sent while nobody looks: it must not spend a view of a limited share, which is the person's decision. */
const unattended = (type: string, asked: EndpointInput): EndpointInput =>
  type === "verifyFilePassword" ? { ...asked, query: { ...asked.query, peek: "1" } } : asked;

/** Returns a change as it is shown. Adds its key to `refused` if it was rejected. */
function shown(change: StoredChange, person: string | undefined, refused: Set<string>): ShownChange {
  if (!isReadable(change)) return withheld(change, "foreign");
  if (change.status === "rejected") refused.add(change.requestKey);
  if (!isFor(person, change)) return withheld(change, "others");
  return change.status === "pending" && isBehind(refused, change) ? { ...change, status: "behind" } : change;
}

const withheld = (change: StoredChange, status: ShownChange["status"]): ShownChange => ({
  id: change.id,
  timestamp: change.timestamp ?? 0,
  shape: 1,
  type: "",
  method: "POST",
  endpoint: "",
  data: undefined,
  // Reveals nothing, and identifies the change that was shown.
  requestKey: change.requestKey,
  person: undefined,
  status,
});

interface Parts {
  readonly copies: Copies;
  readonly queue: Queue;
  readonly inTurn: (task: () => Promise<void>) => Promise<void>;
  readonly reached: Store<boolean>;
  /** Publishes the queue as it is now. */
  readonly refresh: () => Promise<void>;
  readonly onQueueFailed: OfflinePorts["onQueueFailed"];
  readonly now: OfflinePorts["now"];
  readonly person: () => string | undefined;
}

/** Calls that set some values of a record. Once one succeeds, queued ones must not set the same values again. */
const overtaking: ReadonlySet<string> = new Set(["updateGroupSettings", "updatePaste"]);

function whyNotQueued(error: unknown): NotQueued {
  if (isClosed(error)) return "closed";
  return isFull(error) ? "full" : "broken";
}

const requestKeyOf = ({ headers }: EndpointInput): string => headers?.["idempotency-key"] ?? randomKey();

/** With a database that fails nothing is stored, and the call fails as it would without it. */
function fallbackOf(parts: Parts): OfflineFallback {
  const { copies, queue, inTurn, reached, refresh, onQueueFailed, now, person } = parts;
  const enqueue = async (endpoint: Endpoint, asked: EndpointInput): Promise<boolean> => {
    if (endpoint.offline === undefined) return false;
    const change = {
      type: endpoint.offline,
      method: endpoint.method,
      endpoint: address(endpoint.path, unattended(endpoint.offline, asked)),
      data: asked.body,
      requestKey: requestKeyOf(asked),
      person: person(),
      timestamp: now(),
    };
    const kept = await queue.add(change);
    if (!kept) onQueueFailed("full");
    await refresh();
    return kept;
  };
  const note = async (
    endpoint: Endpoint,
    asked: EndpointInput,
    answer: unknown,
    who: string | undefined,
  ): Promise<void> => {
    const { method, offline: type } = endpoint;
    const of = { ...asked, path: endpoint.path };
    if (method === "GET") return answer === undefined ? copies.forget(of) : copies.keep(of, answer, who);
    // A queued, older change must not undo what has just been saved.
    if (type === undefined || !overtaking.has(type) || answer === undefined) return;
    if ((answer as { success?: unknown }).success === false) return;
    const call = { type, method, endpoint: address(endpoint.path, asked), person: who };
    await queue.overtake({ ...call, data: asked.body, requestKey: requestKeyOf(asked) });
  };
  return {
    recordAnswer(endpoint, asked, answer) {
      reached.set(true);
      const who = person();
      // If the database is full or closed, there is just no copy.
      inTurn(() => note(endpoint, asked, answer, who)).catch(() => undefined);
    },
    recall(endpoint, asked) {
      reached.set(false);
      if (endpoint.method !== "GET") return Promise.resolve(undefined);
      return copies.recall({ ...asked, path: endpoint.path }, person()).catch(() => undefined);
    },
    queue: (endpoint, asked) =>
      enqueue(endpoint, asked).catch((error: unknown) => {
        onQueueFailed(whyNotQueued(error));
        return false;
      }),
  };
}
