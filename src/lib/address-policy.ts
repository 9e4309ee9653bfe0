import { isIPv6 } from "node:net";
import { addressSet } from "./addresses.ts";

/** Decides which IP addresses this server connects to. */
export interface AddressPolicy {
  /** Whether an IP address is forbidden, in whatever notation and also inside an IPv6 address that carries an IPv4 address. */
  forbids(address: string): boolean;
}

/** Forbids networks in CIDR notation and single addresses. Throws on an entry that is neither. */
function forbidNetworks(networks: readonly string[]): AddressPolicy {
  const [forbidden, wrong] = addressSet(networks);
  if (wrong.length > 0) throw new Error(`no network: ${wrong.join(", ")}`);
  return {
    forbids(address) {
      const plain = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
      return [plain, ...carriedAddresses(plain)].some((one) => forbidden.has(one));
    },
  };
}

/**
 * Forbids link-local networks (RFC 3927, RFC 4291 section 2.5.6) and the IPv6 addresses where AWS and Google Cloud hand a
 * machine its own credentials. Private and loopback addresses stay allowed.
 */
export const noLinkLocal = forbidNetworks(["169.254.0.0/16", "fe80::/10", "fd00:ec2::254", "fd20:ce::254"]);

/** Prefixes, in groups of 16 bits, behind which an IPv4 address follows, and the first group of that address. */
const CARRIERS: readonly { readonly prefix: readonly number[]; readonly at: number }[] = [
  // IPv4-compatible, IPv4-mapped (RFC 4291 section 2.5.5), IPv4-translated (RFC 2765 section 2.1).
  { prefix: [0, 0, 0, 0, 0, 0], at: 6 },
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  // NAT64, well-known and local (RFC 6052 section 2.1, RFC 8215).
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { prefix: [0x64, 0xff9b, 1], at: 6 },
  // 6to4 (RFC 3056 section 2).
  { prefix: [0x2002], at: 1 },
];

/** The IPv4 addresses that an IPv6 address carries; none for other addresses. */
function carriedAddresses(address: string): string[] {
  if (!isIPv6(address)) return [];
  const groups = groupsOf(address);
  const carriers = CARRIERS.filter(({ prefix }) => prefix.every((group, index) => groups[index] === group));
  return carriers.map(({ at }) => dotted(groups[at] ?? 0, groups[at + 1] ?? 0));
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join(".");

/** The eight groups of 16 bits of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes a dotted tail as two groups (WHATWG URL Standard, "IPv6 serializer").
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = text.split("::");
  const read = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [before, after] = [read(head), read(tail ?? "")];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
