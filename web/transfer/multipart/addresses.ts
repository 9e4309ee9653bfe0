import { PART_URLS } from "#contract/limits";
import type { PartUrl } from "#contract/uploads";
import { failed } from "../failures.ts";
import { isSameOrigin } from "../network/reachability.ts";

interface Source {
  /** Asks the server for addresses of these parts: at their storage, or relayed through the server. */
  readonly ask: (numbers: number[], relayed: boolean) => Promise<readonly PartUrl[]>;
  /** Returns this part and others that need an address, too. */
  readonly missing: (first: number, count: number) => number[];
}

/** The address of a part. */
export interface PartAddress {
  readonly number: number;
  readonly url: string;
  /** Whether the address is our server's, which passes the bytes on to the storage. */
  readonly relayed: boolean;
}

/** Provides the signed addresses of an upload's parts. They are fetched many at a time, and again when they have expired. */
export function createAddresses({ ask, missing }: Source) {
  const known = new Map<number, string>();
  let relayed = false;
  let asking: Promise<void> | undefined;
  let turning: Promise<boolean> | undefined;

  const add = (urls: readonly PartUrl[]) => {
    for (const { partNumber, url } of urls) known.set(partNumber, url);
  };
  const fetchFrom = async (number: number) => {
    const way = relayed;
    const urls = await ask(missing(number, PART_URLS), way);
    // Addresses that were requested before the switch to the relay are of no use.
    if (way === relayed) add(urls);
  };
  const fetchOnce = (number: number): Promise<void> => {
    asking ??= fetchFrom(number).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const of = async (number: number): Promise<PartAddress> => {
    while (!known.has(number) && asking) await asking;
    const way = relayed;
    if (!known.has(number)) await fetchOnce(number);
    const url = known.get(number);
    if (url !== undefined) return { number, url, relayed };
    if (way === relayed) throw failed("unknown");
    return of(number);
  };

  const turn = async ({ number, url }: PartAddress): Promise<boolean> => {
    const urls = await ask(missing(number, PART_URLS), true);
    if (urls.every((other) => isSameOrigin(other.url, url))) return false;
    relayed = true;
    known.clear();
    add(urls);
    return true;
  };

  return {
    add,
    isRelayed: () => relayed,
    /** Returns the address of this part. Throws ApiFailure. */
    of,
    /** Records that an address was refused. All known ones are then as old, unless this one has been replaced already. */
    refuse({ number, url }: PartAddress) {
      if (known.get(number) === url) known.clear();
    },
    /**
     * Sends all parts through the server from now on, because the storage is unreachable. Returns false if that cannot help: the
     * part was relayed already, or the storage is the server itself. Throws ApiFailure.
     */
    async relay(address: PartAddress): Promise<boolean> {
      if (address.relayed) return false;
      turning ??= turn(address).catch((error: unknown) => {
        turning = undefined;
        throw error;
      });
      return await turning;
    },
  };
}

export type Addresses = ReturnType<typeof createAddresses>;
