import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";
import { Lru } from "./cache.ts";

/** A set of IP addresses and networks in CIDR notation. Looking one up is slow, so the answers for the last 1,000 are kept. */
export interface AddressSet {
  has(address: string): boolean;
  /** Whether it has none, whatever is asked. */
  readonly isEmpty: boolean;
}

/** IPv4 addresses that arrive on an IPv6 socket are written ::ffff:a.b.c.d (RFC 4291 section 2.5.5.2). */
export const plainAddress = (address: string): string =>
  address.startsWith("::") ? address.replace(/^::ffff:(?=\d+\.)/i, "") : address;

/** The address in one entry of X-Forwarded-For, which some proxies write with a port; undefined when there is none. */
export function hopAddress(hop: string): string | undefined {
  const text = hop.trim();
  const bare =
    /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? (/^[^:]*:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text);
  const plain = plainAddress(bare);
  return isIP(plain) === 0 ? undefined : plain;
}

/** Parses addresses and networks; the second half of the result lists the invalid entries. */
export function addressSet(entries: readonly string[]): [AddressSet, string[]] {
  const list = new BlockList();
  const wrong = entries.filter((entry) => !add(list, entry));
  if (entries.length === wrong.length) return [{ has: () => false, isEmpty: true }, wrong];
  const known = new Lru<string, boolean>(1000);
  const has = (address: string) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    const plain = plainAddress(address);
    const family = isIP(plain);
    const found = family !== 0 && list.check(plain, family === 4 ? "ipv4" : "ipv6");
    known.set(address, found);
    return found;
  };
  return [{ has, isEmpty: false }, wrong];
}

function add(list: BlockList, entry: string): boolean {
  const [address = "", bits, rest] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || rest !== undefined) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  if (bits === undefined) {
    list.addAddress(address, type);
    return true;
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  list.addSubnet(address, Number(bits), type);
  return true;
}

/** Returns the unit that a visitor is limited by: an IPv4 address, or the /64 network of a single IPv6 subscriber (RFC 6177). */
export function limitedAddress(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(":") || isIP(plain) !== 6) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  const network = [...groups, ...Array<string>(Math.max(0, zeros)).fill("0"), ...after].slice(0, 4);
  // A proxy may write one address in many ways (RFC 5952 section 2).
  return network.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}

/** The network that somebody is remembered by, which many people are in: /24 of IPv4, /48 of IPv6. Empty for what is no address. */
export function networkOf(address: string): string {
  const limited = limitedAddress(address);
  const family = isIP(plainAddress(address));
  if (family === 4) return `${limited.slice(0, limited.lastIndexOf("."))}.0/24`;
  return family === 6 ? `${limited.split(":").slice(0, 3).join(":")}::/48` : "";
}

/** Returns all IP addresses of a host name. Rejects when it has none or the lookup fails. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Resolves names as this machine does (getaddrinfo), its hosts file included. */
export const resolveByMachine: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Decides which IP addresses this server connects to. */
export interface AddressPolicy {
  /** Reports whether an IP address is forbidden, in any notation and also inside an IPv6 address that carries an IPv4 address. */
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
 * Forbids link-local networks (RFC 3927, RFC 4291 section 2.5.6) and the other addresses where AWS, Google Cloud, Azure and Alibaba Cloud
 * hand a machine its own credentials or settings. Private and loopback addresses stay allowed.
 */
export const noLinkLocal = forbidNetworks([
  ...["169.254.0.0/16", "fe80::/10", "fd00:ec2::254", "fd20:ce::254"],
  ...["168.63.129.16", "100.100.100.200"],
]);

/** What may be on the public internet: IPv4, global unicast IPv6 (RFC 4291 section 2.5.4), and IPv4 behind NAT64 (RFC 6052). */
const [worldwide] = addressSet(["0.0.0.0/0", "2000::/3", "64:ff9b::/96"]);

/** Networks among those that are not (IANA special-purpose address registries), and the address at which Azure serves its machines. */
const special = forbidNetworks([
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4", "168.63.129.16", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
]);

/** Forbids every address that is not on the public internet: those of this machine, of its network and its cloud, and reserved ones. */
export const publicOnly: AddressPolicy = {
  forbids: (address) => !worldwide.has(address.replace(/^\[|\]$/g, "")) || special.forbids(address),
};

/** What is on the public internet, and networks that the operator has named; never where a cloud hands its machines credentials. */
export const publicAnd = (networks: AddressSet): AddressPolicy => ({
  forbids: (address) =>
    noLinkLocal.forbids(address) || (publicOnly.forbids(address) && !networks.has(address.replace(/^\[|\]$/g, ""))),
});

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
