import { SLOWEST_LINE } from "#contract/limits";
import { isFull } from "./database.ts";
import type { Locks } from "./locks.ts";
import { canGo, isBehind, type Queue, type Settled, type StoredChange } from "./queue.ts";

/** Held by the page or the worker that sends, so that nothing is sent twice. */
const LOCK = "satchel offline queue";

/** Held while a change is sent and until it is noted what became of it: whoever wants to discard it asks for it. */
export const sendingLock = (id: number): string => `satchel offline change ${id}`;

/** How long the server may take with one change, in milliseconds, besides the time that its bytes need on a slow line. */
const PATIENCE = 60_000;

/** Who sends: the Authorization of the moment and whose it is; both absent for a visitor. */
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

/** What became of a replay. */
export interface Replayed {
  /** Names of the changes that the server took. */
  readonly sent: readonly string[];
  /** Changes that it refused: they stay until somebody decides. */
  readonly rejected: number;
  /**
   * Changes that still wait for the server, which is out of reach or busy. Those that wait for somebody who is not here, or behind a refused one,
   * do not count.
   */
  readonly waiting: number;
}

type Outcome = "later" | { readonly refusal: string } | { readonly answer: unknown };

/**
 * Sends the changes that wait, one after the other in their order, from one page or worker at a time. A change leaves the queue when the server
 * has taken it; it is sent again under the same Idempotency-Key when the answer was lost. Never rejects for a server out of reach.
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
 * Sends the change of that number and notes what became of it; undefined for one that does not go, or that nothing was noted of. Adds to the names
 * of those before it that were refused.
 */
async function sendOne(id: number, refused: Set<string>, { queue, sender, fetch, base }: ReplayPorts) {
  // Read when its turn comes: meanwhile it may have been discarded, or have become another one.
  const change = await queue.get(id);
  const as = await sender();
  if (change?.status === "rejected") refused.add(change.requestKey);
  if (!change || !canGo(as.person, change) || isBehind(refused, change)) return undefined;
  const outcome = await send(change, { as, fetch, base });
  if (outcome === "later") return outcome;
  if ("refusal" in outcome) refused.add(change.requestKey);
  const known = knownOf(change, outcome);
  const isNoted = await queue.settle(change, known).catch((error: unknown) => {
    // No room even for that: it is asked again, under the same Idempotency-Key, and meanwhile holds up no other.
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

/** Changes whose answer the person has waited for. */
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
    // Out of reach, or silent for too long: it is tried again when the connection is there.
    return "later";
  }
}

const waits: ReadonlySet<number> = new Set([401, 408, 425, 429]);

function outcomeOf(change: StoredChange, status: number, answer: Answer | undefined): Outcome {
  // A password that is wrong stays wrong, and who carries no credential has none that could be renewed.
  const isFinal = status === 401 && (answer?.error === "password.wrong" || change.person === undefined);
  // A quota that is used up, and a fault of the server that this change brings to light: it would meet them every time, and hold up all others.
  const isItsOwn = status === 507 || answer?.error === "internal";
  // Busy, out of order or not signed in: none of these says anything about the change itself.
  if ((status >= 500 && !isItsOwn) || (waits.has(status) && !isFinal)) return "later";
  // A page in place of the answer is of whoever stands between us and the server: a sign-in to the network, a gateway. One that says that the
  // change is too long says so every time.
  if (!answer && status !== 413) return "later";
  if (status < 400 && answer?.success !== false) return { answer };
  // What was to be deleted is gone already, which was the aim.
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
