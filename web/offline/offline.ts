import type { Endpoint } from "#contract/endpoint";
import { address } from "../api/call.ts";
import type { Asked, StandIn } from "../api/stand-in.ts";
import { randomKey } from "../lib/random-key.ts";
import { createStore } from "../lib/store.ts";
import { type Copies, createCopies } from "./copies.ts";
import type { OfflineDatabase } from "./database.ts";
import { createQueue, isFor, isReadable, type StoredChange } from "./queue.ts";
import { type Replayed, replay, type Sender } from "./replay.ts";
import { writeSender } from "./sender.ts";

/** Too many changes wait or the browser's storage is full; or a newer version of the pages has taken the database over. */
type Unkept = "full" | "closed";

/**
 * A change as it is shown. Of one that another version of the pages has kept nothing is known: it can be discarded, or wait for that version. One
 * that somebody else made waits until they are here again, and tells nothing of what is in it.
 */
export type ShownChange = Omit<StoredChange, "status"> & {
  readonly status: StoredChange["status"] | "foreign" | "others";
};

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
  const changes = createStore<readonly ShownChange[]>([]);

  const refresh = async (): Promise<void> => {
    const all = await queue.all();
    const { person } = sender();
    changes.set(all.map((change) => shown(change, person)));
  };
  // One change of person after the other: of two at once the earlier one could end last.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const done = last.then(task);
    // Whoever asked for it hears of it.
    last = done.catch(() => undefined);
    return done;
  };
  const attend = () =>
    inTurn(async () => {
      await writeSender(database, sender(), now());
      const { person } = sender();
      if (person !== undefined) await copies.attend(person);
      await refresh();
    });
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
      endpoint: address(endpoint.path, unattended(endpoint.offline, asked)),
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
    standIn: standInOf({ copies, enqueue, onUnkept, person: () => sender().person }),
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
    /** Tells the worker who is signed in, and forgets what the server answered to anybody else. Their changes wait for them. */
    attend,
    /** Forgets what belongs to a person who has chosen to leave, their changes too. */
    leave: (person: string) =>
      inTurn(async () => {
        await writeSender(database, sender(), now());
        await queue.removeOf(person);
        await copies.forgetPerson();
        await refresh();
      }),
    sweep: copies.sweep,
  };
}

export type Offline = ReturnType<typeof createOffline>;

/** A call as it is sent when perhaps nobody is there: whether a view of a limited share is spent is decided by who sees what it buys. */
const unattended = (type: string, asked: Asked): Asked =>
  type === "verifyFilePassword" ? { ...asked, query: { ...asked.query, peek: "1" } } : asked;

function shown(change: StoredChange, person: string | undefined): ShownChange {
  if (!isReadable(change)) return withheld(change, "foreign");
  return isFor(person, change) ? change : withheld(change, "others");
}

const withheld = ({ id, timestamp = 0 }: StoredChange, status: ShownChange["status"]): ShownChange => ({
  id,
  timestamp,
  shape: 1,
  type: "",
  method: "POST",
  endpoint: "",
  data: undefined,
  requestKey: "",
  person: undefined,
  status,
});

interface Parts {
  readonly copies: Copies;
  readonly enqueue: (endpoint: Endpoint, asked: Asked) => Promise<boolean>;
  readonly onUnkept: OfflinePorts["onUnkept"];
  readonly person: () => string | undefined;
}

/** A database that fails is one that keeps nothing: the call then fails as it would without it. */
function standInOf({ copies, enqueue, onUnkept, person }: Parts): StandIn {
  return {
    heard(endpoint, asked, answer) {
      if (endpoint.method !== "GET") return;
      const of = { ...asked, path: endpoint.path };
      const done = answer === undefined ? copies.forget(of) : copies.keep(of, answer);
      // Full or closed: there is only no copy then.
      done.catch(() => undefined);
    },
    recall: async (endpoint, asked) =>
      endpoint.method === "GET"
        ? copies.recall({ ...asked, path: endpoint.path }, person()).catch(() => undefined)
        : undefined,
    queue: (endpoint, asked) =>
      enqueue(endpoint, asked).catch((error: unknown) => {
        onUnkept(error instanceof Error && error.name === "InvalidStateError" ? "closed" : "full");
        return false;
      }),
  };
}
