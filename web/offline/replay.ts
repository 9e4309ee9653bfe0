import { SLOWEST_LINE } from "#contract/limits";
import { isFull } from "./database.ts";
import type { Locks } from "./locks.ts";
import { canGo, isBehind, type Queue, type Settled, type StoredChange } from "./queue.ts";

/** The lock of the page or worker that sends, so that nothing is sent twice. */
const LOCK = "satchel offline queue";

/** Returns the name of the lock that is held from the sending of a change until its result is stored. Discarding the change needs it, too. */
export const sendingLock = (id: number): string => `satchel offline change ${id}`;

/** How long the server may take for one change, in milliseconds, in addition to the time that its bytes need on a slow line. */
const PATIENCE = 60_000;

/** Who sends: the current Authorization and the person it belongs to; both undefined for a visitor. */
export interface Sender {
  readonly authorization: string | undefined;
  readonly person: string | undefined;
  readonly language: string;
}

interface ReplayPorts {
  readonly queue: Queue;
  /** Reads the sender right before each change: a session may have ended meanwhile. */
  readonly sender: () => Promise<Sender>;
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>;
  /** Where the API is, up to and including /api. */
  readonly base: string;
  readonly locks: Locks;
}

/** The result of a replay. */
export interface Replayed {
  /** The types of the changes that the server accepted. */
  readonly sent: readonly string[];
  /** How many changes it rejected: they stay until the person decides. */
  readonly rejected: number;
  /**
   * How many changes still wait for the server, which cannot be reached or is busy. Changes of other persons, and those that build on a rejected
   * one, do not count.
   */
  readonly waiting: number;
}

type Outcome = "later" | { readonly refusal: string } | { readonly answer: unknown };

/**
 * Sends the queued changes one after the other, in order, from one page or worker at a time. A change leaves the queue when the server has
 * accepted it. If the answer was lost, it is sent again with the same Idempotency-Key. Does not reject when the server cannot be reached.
 */
export const replay = (ports: ReplayPorts): Promise<Replayed> => ports.locks.hold(LOCK, () => sendAll(ports));

async function sendAll(ports: ReplayPorts): Promise<Replayed> {
  const { queue, sender, locks } = ports;
  const sent: string[] = [];
  let rejected = 0;
  const refused = new Set<string>();
  for (let next = await queue.next(0); next !== undefined; next = await queue.next(next)) {
    const id = next;
    const became = await locks.hold(sendingLock(id), () => sendOne(id, refused, ports));
    if (became === "later") break;
    if (became === "rejected") rejected += 1;
    else if (became) sent.push(became.sent);
  }
  const { person } = await sender();
  const waiting = (await queue.all()).filter((change) => canGo(person, change) && !isBehind(refused, change));
  return { sent, rejected, waiting: waiting.length };
}

/**
 * Sends the change with that id and stores its result; undefined if it is not to be sent now, or its result was not stored. Adds its key to
 * `refused` if it is rejected.
 */
async function sendOne(id: number, refused: Set<string>, { queue, sender, fetch, base }: ReplayPorts) {
  // Read only now: it may have been discarded or changed since the queue was read.
  const change = await queue.get(id);
  const as = await sender();
  if (change?.status === "rejected") refused.add(change.requestKey);
  if (!change || !canGo(as.person, change) || isBehind(refused, change)) return undefined;
  const outcome = await send(change, { as, fetch, base });
  if (outcome === "later") return outcome;
  if ("refusal" in outcome) refused.add(change.requestKey);
  const known = knownOf(change, outcome);
  const isNoted = await queue.settle(change, known).catch((error: unknown) => {
    // There is no room for the result: the change is sent again later with the same Idempotency-Key, and does not hold up the others.
    if (!isFull(error)) throw error;
    return false;
  });
  if (!isNoted) return undefined;
  return known?.status === "rejected" ? "rejected" : { sent: change.type };
}

function knownOf({ type }: StoredChange, outcome: Exclude<Outcome, "later">): Settled | undefined {
  if ("refusal" in outcome) return { status: "rejected", refusal: outcome.refusal };
  return answering.has(type) ? { status: "sent", answer: outcome.answer } : undefined;
}

/** The types of changes whose answer the person wants to see. */
const answering: ReadonlySet<string> = new Set(["createPaste", "verifyFilePassword"]);

type Sending = Pick<ReplayPorts, "fetch" | "base"> & { readonly as: Sender };

async function send(change: StoredChange, { as, fetch, base }: Sending): Promise<Outcome> {
  const headers = new Headers({
    "accept-language": as.language,
    "content-type": "application/json",
    "idempotency-key": change.requestKey,
  });
  if (change.person !== undefined && as.authorization !== undefined) headers.set("authorization", as.authorization);
  const body = change.data === undefined ? null : JSON.stringify(change.data);
  try {
    const signal = AbortSignal.timeout(PATIENCE + ((body?.length ?? 0) / SLOWEST_LINE) * 1000);
    const response = await fetch(base + change.endpoint, { method: change.method, headers, body, signal });
    return outcomeOf(change, response.status, parsed(await response.text()));
  } catch {
    // The server cannot be reached or took too long: the change is sent again when the connection is back.
    return "later";
  }
}

const waits: ReadonlySet<number> = new Set([401, 408, 425, 429]);

function outcomeOf(change: StoredChange, status: number, answer: Answer | undefined): Outcome {
  // A wrong password stays wrong, and without a credential there is none to renew.
  const isFinal = status === 401 && (answer?.error === "password.wrong" || change.person === undefined);
  // A full quota, or a bug of the server that this change triggers: it would fail every time and hold up all others.
  const isItsOwn = status === 507 || answer?.error === "internal";
  // The server is busy or broken, or nobody is signed in: that says nothing about the change itself.
  if ((status >= 500 && !isItsOwn) || (waits.has(status) && !isFinal)) return "later";
  // An answer that is not JSON is of something between us and the server: a network's sign-in page, a gateway. If that finds the change too
  // large, it will every time.
  if (!answer && status !== 413) return "later";
  if (status < 400 && answer?.success !== false) return { answer };
  // The texts are already deleted, which was the aim.
  if (answer?.error === "share.missing" && change.type === "batchDeletePastes") return { answer };
  return { refusal: typeof answer?.message === "string" ? answer.message : `HTTP ${status}` };
}

type Answer = Readonly<Record<string, unknown>>;

function parsed(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}
