import { connect, isIP } from "node:net";
import type { AddressPolicy, Resolve } from "./addresses.ts";
import { Lru } from "./cache.ts";
import type { Clock } from "./clock.ts";

/** What is needed of the runtime's fetch. */
export type Fetch = (url: string, init: BunFetchRequestInit) => Promise<Response>;

/** A host that leads, by one of its addresses at least, to where the policy forbids to connect. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

interface PinnedFetchDeps {
  readonly fetch: Fetch;
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  readonly clock: Clock;
}

/** How long the addresses of a name are used without asking again, in milliseconds. */
const ADDRESSES_KEPT = 5000;
const NAMES_KEPT = 100;

/**
 * Makes a fetch that connects to the very address it has checked, so that a name cannot lead elsewhere between check and
 * connection (DNS rebinding). Host header, TLS server name and certificate check stay those of the name. Redirects are answered
 * and never followed. Throws ForbiddenAddress, and what `resolve` and `fetch` throw.
 */
export function createPinnedFetch({ fetch, policy, resolve, clock }: PinnedFetchDeps): Fetch {
  const lookups = new Lru<string, { readonly at: number; readonly addresses: Promise<readonly string[]> }>(NAMES_KEPT);
  /** The address that took a connection last, by host and port. */
  const chosen = new Lru<string, string>(NAMES_KEPT);

  const checked = async (host: string): Promise<readonly string[]> => {
    const addresses = await resolve(host);
    if (addresses.some((address) => policy.forbids(address))) throw new ForbiddenAddress("forbidden address");
    return addresses;
  };

  const addressesOf = (host: string): Promise<readonly string[]> => {
    const now = clock();
    const before = lookups.get(host);
    if (before && now >= before.at && now < before.at + ADDRESSES_KEPT) return before.addresses;
    const addresses = checked(host);
    lookups.set(host, { at: now, addresses });
    // A failure is not cached; its waiters receive it.
    addresses.catch(() => lookups.delete(host));
    return addresses;
  };

  const addressOf = async (host: string, port: number): Promise<string> => {
    const addresses = await addressesOf(host);
    const name = `${host}:${port}`;
    const before = chosen.get(name);
    if (before !== undefined && addresses.includes(before)) return before;
    const address = await firstToConnect(addresses, port);
    chosen.set(name, address);
    return address;
  };

  return async (url, init) => {
    const { protocol, host, hostname, port } = new URL(url);
    const options = { ...init, redirect: "manual" } as const;
    const name = hostname.replace(/^\[|\]$/g, "");
    if (isIP(name) !== 0) {
      if (policy.forbids(name)) throw new ForbiddenAddress("forbidden address");
      return await fetch(url, options);
    }
    const number = Number(port || (protocol === "https:" ? 443 : 80));
    const address = await unlessAborted(init.signal, addressOf(hostname, number));
    const headers = new Headers(init.headers);
    headers.set("host", host);
    const tls = protocol === "https:" && { tls: { ...init.tls, serverName: hostname.replace(/\.$/, "") } };
    try {
      return await fetch(withAddress(url, address, number), { ...options, headers, ...tls });
    } catch (error) {
      // Another address of the name may be the one that works now.
      chosen.delete(`${hostname}:${number}`);
      throw error;
    }
  };
}

/** The URL with an address in place of the name, and nothing else changed. */
const withAddress = (url: string, address: string, port: number): string =>
  url.replace(
    /^([a-z]+:\/\/)[^/?#]*/i,
    (_, scheme) => `${scheme}${isIP(address) === 6 ? `[${address}]` : address}:${port}`,
  );

/** Waits no longer than until the signal aborts, and throws its reason then. */
export async function unlessAborted<Result>(
  signal: AbortSignal | null | undefined,
  task: Promise<Result>,
): Promise<Result> {
  if (!signal) return await task;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([task, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The head start of an address before the next one is tried beside it, in milliseconds (RFC 8305 section 5). */
const HEAD_START = 250;
/** How long all of them have, in milliseconds. */
const PATIENCE = 5000;

/**
 * Returns the first of these IP addresses that accepts a TCP connection, tried in order (RFC 8305). A single address
 * is returned untried; the first if none accepts. Throws on an empty list.
 */
async function firstToConnect(addresses: readonly string[], port: number): Promise<string> {
  const [first] = addresses;
  if (first === undefined) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
  if (addresses.length === 1) return first;
  const won = new AbortController();
  const timer = setTimeout(() => won.abort(), PATIENCE);
  try {
    return await Promise.any(addresses.map((address, index) => attempt(address, port, index * HEAD_START, won.signal)));
  } catch {
    return first;
  } finally {
    clearTimeout(timer);
    won.abort();
  }
}

/** Connects after a delay and hangs up; returns the address, or rejects when it does not work out. */
function attempt(address: string, port: number, delay: number, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const begin = () => {
    const socket = connect({ host: address, port });
    socket.once("connect", () => resolve(address)).once("error", reject);
    signal.addEventListener("abort", () => socket.destroy(), { once: true });
    promise.finally(() => socket.destroy()).catch(() => undefined);
  };
  const timer = setTimeout(begin, delay);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    reject(new Error("too late"));
  });
  return promise;
}
