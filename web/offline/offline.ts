import type { Endpoint } from "#contract/endpoint";
import { address } from "../api/call.ts";
import type { Asked, StandIn } from "../api/stand-in.ts";
import { randomKey } from "../lib/random-key.ts";
import { createStore, type Store } from "../lib/store.ts";
import { type Copies, createCopies } from "./copies.ts";
import { isClosed, isFull, noteDamage, type OfflineDatabase } from "./database.ts";
import type { Locks } from "./locks.ts";
import { createQueue, isBehind, isFor, isReadable, type Queue, type Removed, type StoredChange } from "./queue.ts";
import { type Replayed, replay, type Sender, sendingLock } from "./replay.ts";
import { forgetSender, writeSender } from "./sender.ts";

/** Too many changes wait or the browser's storage is full; a newer version of the pages has taken the database over; or the database fails. */
type Unkept = "full" | "closed" | "broken";

/** What became of a change that was to be discarded: it is on its way, waits no more, or has become another one. */
type Discarded = Removed | "sending";

/**
 * A change as it is shown. Of one that another version of the pages has kept nothing is known: it can be discarded, or wait for that version. One
 * that somebody else made waits until they are here again, and tells nothing of what is in it. One behind a refused one waits for the decision.
 */
export type ShownChange = Omit<StoredChange, "status"> & {
  readonly status: StoredChange["status"] | "behind" | "foreign" | "others";
};

interface OfflinePorts {
  readonly database: OfflineDatabase;
  /** Who is signed in at this moment. */
  readonly sender: () => Sender;
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>;
  /** Where the API is, up to and including /api. */
  readonly base: string;
  readonly locks: Locks;
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
  const changes = createStore<readonly ShownChange[]>([]);
  /** Whether the server answered when it was asked last: what a browser takes for a connection may lead nowhere. */
  const reached = createStore(true);

  const refresh = async (): Promise<void> => {
    const all = await queue.all();
    const { person } = sender();
    const refused = new Set<string>();
    changes.set(all.map((change) => shown(change, person, refused)));
  };
  // One change of person or copy after the other: of two at once the earlier one could end last.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const done = last.then(task);
    // Whoever asked for it hears of it.
    last = done.catch(() => undefined);
    return done;
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
  const enqueue = async (endpoint: Endpoint, asked: Asked): Promise<boolean> => {
    if (endpoint.offline === undefined) return false;
    const change = {
      type: endpoint.offline,
      method: endpoint.method,
      endpoint: address(endpoint.path, unattended(endpoint.offline, asked)),
      data: asked.body,
      requestKey: requestKeyOf(asked),
      person: sender().person,
      timestamp: now(),
    };
    const kept = await queue.add(change);
    if (!kept) onUnkept("full");
    await refresh();
    return kept;
  };

  return {
    changes,
    refresh,
    send,
    reached,
    standIn: standInOf({ copies, queue, enqueue, inTurn, reached, onUnkept, person: () => sender().person }),
    /** Sends a refused change once more, with other content if some is given. */
    async retry(id: number, data?: unknown): Promise<Replayed> {
      await ports.locks.holdNow(sendingLock(id), () => queue.retry(id, data));
      return await send();
    },
    /** Discards a change as it was shown: not one that is being sent, was sent, or became another one since. */
    async discard(seen: ShownChange): Promise<Discarded> {
      const became = await ports.locks.holdNow(sendingLock(seen.id), () => queue.remove(seen, seen.status === "sent"));
      await refresh();
      return became ?? "sending";
    },
    /** Tells the worker who is signed in, and forgets what the server answered to anybody else. Their changes wait for them. */
    attend,
    /** Forgets what belongs to a person who has chosen to leave, their changes too. */
    leave: (person: string) =>
      inTurn(async () => {
        await forgetAll(database, person);
        await writeSender(database, sender(), now());
        await refresh();
      }),
    sweep: copies.sweep,
    /** Reads what waits, without what the browser cannot read any more; that is noted as damage. Rejects when the database fails. */
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

/** Forgets all that is a person's, first of all what acts in their name. It only deletes, so that a full device is no obstacle. */
export async function forgetAll(database: OfflineDatabase, person: string): Promise<void> {
  await forgetSender(database);
  await createQueue(database).removeOf(person);
  await createCopies(database, Date.now).forgetPerson();
}

/** A call as it is sent when perhaps nobody is there: whether a view of a limited share is spent is decided by who sees what it buys. */
const unattended = (type: string, asked: Asked): Asked =>
  type === "verifyFilePassword" ? { ...asked, query: { ...asked.query, peek: "1" } } : asked;

/** Adds to the names of the changes before it that were refused. */
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
  // Tells nothing of it, and says which one was shown.
  requestKey: change.requestKey,
  person: undefined,
  status,
});

interface Parts {
  readonly copies: Copies;
  readonly queue: Queue;
  readonly enqueue: (endpoint: Endpoint, asked: Asked) => Promise<boolean>;
  readonly inTurn: (task: () => Promise<void>) => Promise<void>;
  readonly reached: Store<boolean>;
  readonly onUnkept: OfflinePorts["onUnkept"];
  readonly person: () => string | undefined;
}

/** Changes of a record, each of which sets some of its values. */
const overtaking: ReadonlySet<string> = new Set(["updateGroupSettings", "updatePaste"]);

function whyUnkept(error: unknown): Unkept {
  if (isClosed(error)) return "closed";
  return isFull(error) ? "full" : "broken";
}

const requestKeyOf = ({ headers }: Asked): string => headers?.["idempotency-key"] ?? randomKey();

/** A database that fails is one that keeps nothing: the call then fails as it would without it. */
function standInOf({ copies, queue, enqueue, inTurn, reached, onUnkept, person }: Parts): StandIn {
  const note = async (endpoint: Endpoint, asked: Asked, answer: unknown, who: string | undefined): Promise<void> => {
    const { method, offline: type } = endpoint;
    const of = { ...asked, path: endpoint.path };
    if (method === "GET") return answer === undefined ? copies.forget(of) : copies.keep(of, answer, who);
    // What holds since a moment ago is not to be undone by what is older and still waits.
    if (type === undefined || !overtaking.has(type) || answer === undefined) return;
    if ((answer as { success?: unknown }).success === false) return;
    const call = { type, method, endpoint: address(endpoint.path, asked), person: who };
    await queue.overtake({ ...call, data: asked.body, requestKey: requestKeyOf(asked) });
  };
  return {
    heard(endpoint, asked, answer) {
      reached.set(true);
      const who = person();
      // Full or closed: there is only no copy then.
      inTurn(() => note(endpoint, asked, answer, who)).catch(() => undefined);
    },
    recall(endpoint, asked) {
      reached.set(false);
      if (endpoint.method !== "GET") return Promise.resolve(undefined);
      return copies.recall({ ...asked, path: endpoint.path }, person()).catch(() => undefined);
    },
    queue: (endpoint, asked) =>
      enqueue(endpoint, asked).catch((error: unknown) => {
        onUnkept(whyUnkept(error));
        return false;
      }),
  };
}
