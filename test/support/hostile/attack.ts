import { furnish } from "./furnish.ts";
import { faultsOf, type Secrets } from "./judge.ts";
import type { Known } from "./known.ts";
import { type HostileRequest, hostileRequest } from "./requests.ts";
import { createSender, type Outcome } from "./sender.ts";

/** A request that met something that is not documented. */
export interface Fault {
  readonly request: HostileRequest;
  readonly faults: readonly string[];
}

export interface AttackOptions {
  readonly address: string;
  /** The present password of the administrator is the first; the attack changes it among these. */
  readonly passwords: readonly string[];
  readonly secrets: Secrets;
  readonly seed: number;
  /** The number of the first request, and how many there are. */
  readonly from: number;
  readonly count: number;
  /** Sees every request with what became of it. */
  readonly seen?: (request: HostileRequest, outcome: Outcome) => void;
  /** Runs while the house is put in order between some and some. */
  readonly between?: () => void;
}

/** Requests at once, and how many go out before the house is put in order again. */
const CLIENTS = 12;
const ROUND = 1000;

/** Sends hostile requests to a house that listens, and answers those that met a fault. */
export async function attack({
  address,
  passwords,
  secrets,
  seed,
  from,
  count,
  seen,
  between,
}: AttackOptions): Promise<Fault[]> {
  const furnished = furnish({ address, passwords });
  const port = Number(new URL(address).port);
  const found: Fault[] = [];
  const client = async (numbers: { next: number }, end: number, known: Known) => {
    const sender = createSender(port);
    while (numbers.next < end) {
      const request = hostileRequest(seed, numbers.next++, known);
      const outcome = await sender.send(request);
      seen?.(request, outcome);
      const faults = faultsOf(request, outcome, secrets);
      if (faults.length > 0) found.push({ request, faults });
    }
    sender.close();
  };
  for (let next = from; next < from + count; next += ROUND) {
    const known = await furnished.restore();
    between?.();
    const numbers = { next };
    const end = Math.min(next + ROUND, from + count);
    await Promise.all(Array.from({ length: CLIENTS }, () => client(numbers, end, known)));
  }
  return found;
}

const MAX_TOLD = 8;
const MAX_BYTES = 4000;

/** What a person needs to look into faults: the first of each kind with the bytes that were sent. */
export function report(seed: number, faults: readonly Fault[]): string {
  const kinds = new Map<string, Fault[]>();
  for (const fault of faults) {
    const kind = (fault.faults[0] ?? "").slice(0, 60);
    kinds.set(kind, [...(kinds.get(kind) ?? []), fault]);
  }
  const told = [...kinds.values()].slice(0, MAX_TOLD).map((alike) => {
    const [
      {
        request,
        faults: [said = ""],
      } = alike[0] as Fault,
    ] = alike;
    const { number, route, as, breaches, bytes } = request;
    const sent = JSON.stringify(bytes.subarray(0, MAX_BYTES).toString("latin1"));
    return `#${number} ${route} as ${as} (${breaches.join(", ")}), ${alike.length} alike\n  ${said}\n  sent ${bytes.length} bytes: ${sent}`;
  });
  const numbers = faults.slice(0, 50).map(({ request }) => request.number);
  return `${faults.length} faults with seed ${seed}, requests ${numbers.join(" ")}\n${told.join("\n")}`;
}
