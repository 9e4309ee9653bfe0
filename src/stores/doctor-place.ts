import { isIP } from "node:net";
import { Failure } from "#contract/failures";
import { addressSet, plainAddress } from "../lib/addresses.ts";
import { type Elsewhere, failed, passed, type Result, type StepElsewhere } from "./doctor-bench.ts";
import { say, type Word } from "./doctor-words.ts";
import { createS3Store } from "./s3.ts";
import { type Address, readAddress } from "./s3-address.ts";

/** Examinations of where a storage is and how it is spoken to. */

const MINUTE = 60_000;
/** What a signature bears (S3 API, RequestTimeTooSkewed). */
const MOST_SKEW = 15 * MINUTE;
const WORTH_A_WORD = MINUTE;

export const clockSkew: StepElsewhere = async (_bench, { ahead }) => {
  const offset = ahead();
  if (offset === undefined) return { outcome: "needless", found: say("clockUnknown") };
  const apart = Math.abs(offset);
  const found = say("clockSame", { seconds: Math.round(apart / 1000) });
  if (apart >= MOST_SKEW) return failed(found, "clockAdvice");
  return passed(found, apart >= WORTH_A_WORD ? "clockAdvice" : undefined);
};

/** Why the bucket does not answer in this style; undefined when it does. */
async function refusalOf({ connection, fetch, within }: Elsewhere, pathStyle: boolean): Promise<Failure | undefined> {
  // The other style's name may lead to where nothing ever answers, and that is no reason to fail.
  const patience = { answer: within / 2, silence: within / 2 };
  try {
    await createS3Store({ ...connection, fetch, pathStyle, patience }).list({ prefix: "", limit: 1 });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

export const pathStyle: StepElsewhere = async ({ wrote }, elsewhere) => {
  const { connection } = elsewhere;
  const [inPath, inHost] = [true, false].map((pathStyle) => readAddress({ ...connection, pathStyle }));
  const configured = readAddress(connection);
  if (inPath?.urlOf("") === inHost?.urlOf(""))
    return passed(say(configured.pathStyle ? "styleFixedPath" : "styleFixedHost"));
  const [here, there] = await Promise.all([
    wrote ? undefined : refusalOf(elsewhere, configured.pathStyle),
    refusalOf(elsewhere, !configured.pathStyle),
  ]);
  return advise(configured, here, there);
};

function advise({ pathStyle }: Address, here: Failure | undefined, there: Failure | undefined): Result {
  if (!here && !there) return passed(say("styleBoth"));
  if (!here) return passed(say(pathStyle ? "styleOnlyPath" : "styleOnlyHost"));
  if (there?.code === "storage.refused") return passed(say("styleUnknown"));
  if (there) return passed(say("styleNeither"), "fixEndpoint");
  return pathStyle ? passed(say("styleWrongPath"), "stylePathOff") : passed(say("styleWrongHost"), "stylePathOn");
}

const [loopback] = addressSet(["127.0.0.0/8", "::1", "0.0.0.0", "::"]);
/** RFC 1918, RFC 3927, RFC 4193, RFC 4291 section 2.5.6, RFC 6598. */
const [privates] = addressSet(
  "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10 fc00::/7 fe80::/10".split(" "),
);
/** Names that no public server answers for (RFC 6761, RFC 6762, RFC 8375, RFC 9476, and what people use at home). */
const LOCAL_NAME = /^[^.]+$|\.(?:local|localdomain|lan|home|internal|intranet|corp|private|home\.arpa|test|alt)$/;

const bare = (hostname: string): string => plainAddress(hostname.replace(/^\[|\]$/g, "").replace(/\.$/, ""));

/** Why browsers elsewhere cannot reach a host; undefined when nothing speaks against it. */
function obstacle(hostname: string): Word | undefined {
  const host = bare(hostname);
  if (/^(?:.+\.)?localhost$/.test(host) || loopback.has(host)) return "publicLoopback";
  if (privates.has(host)) return "publicPrivate";
  return isIP(host) === 0 && LOCAL_NAME.test(host) ? "publicName" : undefined;
}

/** The most that a name is waited for, in milliseconds: a resolver that nobody answers takes longer than is worth it. */
const MOST_WAIT = 5000;
/** Of addresses that are shown. */
const MOST_SHOWN = 3;

/** What a host's addresses say against it; undefined when they say nothing. */
async function resolved(hostname: string, { resolve, within }: Elsewhere): Promise<Result | undefined> {
  if (isIP(bare(hostname)) !== 0) return undefined;
  const { promise: late, resolve: giveUp } = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(() => giveUp([]), Math.min(MOST_WAIT, within / 2));
  // A name that this server cannot look up may still lead browsers there, or this server by a proxy.
  const unknown = (): readonly string[] => [];
  const addresses = await Promise.race([resolve(bare(hostname)).catch(unknown), late]);
  clearTimeout(timer);
  if (addresses.length === 0) return passed(say("publicUnresolved", { host: hostname }));
  if (!addresses.every((address) => obstacle(address))) return undefined;
  const shown = addresses.slice(0, MOST_SHOWN).join(", ");
  return passed(say("publicLeads", { host: hostname, addresses: shown }), "publicAdvice");
}

export const reachable: StepElsewhere = async (_bench, elsewhere) => {
  const { connection, origin } = elsewhere;
  const { protocol, hostname: host } = new URL(readAddress(connection).endpoint);
  const word = obstacle(host);
  if (word) return passed(say(word, { host }), "publicAdvice");
  const inside = await resolved(host, elsewhere);
  if (inside?.advice) return inside;
  if (protocol === "http:" && origin.startsWith("https:")) return passed(say("publicPlain"), "publicPlainAdvice");
  return inside ?? passed(say("publicYes", { host }));
};
