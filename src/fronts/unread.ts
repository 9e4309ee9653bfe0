import { limitedAddress } from "../lib/addresses.ts";
import { sizeOf } from "../lib/counting.ts";

const KiB = 1024;
const MiB = 1024 * KiB;
/** Bytes that all answers together hold while they wait for their readers. */
const TOTAL = 128 * MiB;
/** What one client may have of them, so that nobody has them all. */
const SHARE = TOTAL / 2;
/** Who has less of them is answered whatever the others do. */
const LITTLE = MiB;
/** The system takes a shorter answer as a whole, however slow its reader is. */
export const SHORT = 4 * KiB;
/** Bun reads so much of a file at once; one that is not shorter than `LONG` it lets the system send. */
const [PIECE, LONG] = [256 * KiB, MiB];
/** What a connection takes on which the system sends. */
const CONNECTION = 16 * KiB;
/** What an answer is taken for whose length nobody knows. */
const STREAM = 64 * KiB;
/** How many answers are given before a look at which of them are still on their way. */
const FEW = 64;
/** After how many milliseconds that is looked at anew. */
const INTERVAL = 1000;

/** How many seconds who has too many unread answers may read nothing of one. */
const HURRIED_SECONDS = 10;

/** What a server knows of the connections of its requests. */
export interface Connections {
  /** null once its answer has left as a whole, or its reader has gone. */
  requestIP(request: Request): object | null;
  /** How many seconds the connection stays open while nothing moves on it. */
  timeout(request: Request, seconds: number): void;
}

interface Answer {
  readonly request: Request;
  readonly address: string;
  readonly bytes: number;
  readonly connections: Connections;
}

interface Counted extends Answer {
  readonly owner: string;
  hurried: boolean;
}

interface UnreadOptions {
  /** Bytes; for tests. */
  readonly total?: number;
  readonly share?: number;
}

/**
 * The bound of answers that nobody reads: what the system does not take of one waits in memory, and Bun tells nobody when it has
 * left. So those that were just given are looked at now and then, and who has too many is refused until they are read or cut.
 */
export function createUnread({ total = TOTAL, share = SHARE }: UnreadOptions = {}) {
  const owners = new Map<string, number>();
  const counted = new Set<Counted>();
  let given: Answer[] = [];
  let sum = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const add = (owner: string, bytes: number): void => {
    sum += bytes;
    const own = (owners.get(owner) ?? 0) + bytes;
    if (own === 0) owners.delete(owner);
    else owners.set(owner, own);
  };

  const hasTooMuch = (owner: string): boolean => {
    const own = owners.get(owner) ?? 0;
    return own >= share || (sum >= total && own >= Math.min(LITTLE, share));
  };

  const countGiven = (): void => {
    for (const answer of given) {
      if (!isOpen(answer)) continue;
      const owner = limitedAddress(answer.address);
      counted.add({ ...answer, owner, hurried: false });
      add(owner, answer.bytes);
    }
    given = [];
  };

  const lookAgain = (): void => {
    for (const answer of counted) {
      if (isOpen(answer)) continue;
      counted.delete(answer);
      add(answer.owner, -answer.bytes);
    }
    countGiven();
    for (const answer of counted) {
      if (answer.hurried || !hasTooMuch(answer.owner)) continue;
      answer.hurried = true;
      answer.connections.timeout(answer.request, HURRIED_SECONDS);
    }
    timer = undefined;
    if (counted.size > 0) wait();
  };

  const wait = (): void => {
    timer ??= setTimeout(lookAgain, INTERVAL);
    timer.unref();
  };

  return {
    /** Reports whether a client may be answered. */
    admits: (address: string): boolean => sum < Math.min(LITTLE, share) || !hasTooMuch(limitedAddress(address)),

    /** Takes note of an answer that is about to leave. */
    note(request: Request, response: Response, address: string, connections: Connections): void {
      const bytes = heldBytes(response);
      if (bytes === 0) return;
      given.push({ request, address, bytes, connections });
      if (given.length >= FEW) countGiven();
      wait();
    },
  };
}

const isOpen = ({ connections, request }: Answer): boolean => connections.requestIP(request) !== null;

/** What an answer may hold in memory until it is read. */
function heldBytes(response: Response): number {
  const size = sizeOf(response);
  if (size === undefined) return STREAM;
  if (size <= SHORT) return 0;
  return size >= LONG ? CONNECTION : Math.min(size, PIECE);
}
