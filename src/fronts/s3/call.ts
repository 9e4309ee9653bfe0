import { MAX_KEY_BYTES, MAX_S3_KEYS } from "#contract/limits";
import type { KeyCaller, LinkCaller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import type { SignedByVersion2 } from "../../lib/signatures/sigv2-verify.ts";
import type { Signed } from "../../lib/signatures/sigv4-verify.ts";
import type { MountObjects, View } from "../../vfs/view.ts";
import { mountOfBucket } from "../bucket-names.ts";
import type { RequestContext } from "../context.ts";
import { invalidArgument, S3Failure, say } from "./failures.ts";

/** What the operations use of the house. */
export type Rooms = Pick<House, "vfs" | "transfers" | "access" | "links" | "activity" | "clock" | "log">;

/** What a request is about. */
export interface S3Target {
  /** Empty is the service. */
  readonly bucket: string;
  /** Empty is the bucket itself. */
  readonly key: string;
}

/** One request whose signature holds, by whomever. */
export interface SignedCall extends S3Target {
  readonly rooms: Rooms;
  readonly request: Request;
  readonly context: RequestContext;
  readonly signature: Signed | SignedByVersion2;
  readonly view: View;
}

/** One that a key has signed. */
export interface Call extends SignedCall {
  readonly caller: KeyCaller;
}

/** One that was signed with the secret of a link. */
export interface LinkCall extends SignedCall {
  readonly caller: LinkCaller;
}

export const isOfKey = (call: Call | LinkCall): call is Call => call.caller.kind === "key";

/** Answers one operation of S3. */
export type Operation<Called extends SignedCall = Call> = (call: Called) => Promise<Response>;

/** A method with the parameter that tells it from others of its kind. */
export type Operations<Called extends SignedCall = Call> = Readonly<Record<string, Operation<Called>>>;

/**
 * Requires that the buckets of a request are whose it expects them to be; to each caller they are its own. 403 AccessDenied.
 */
export function requireOwner({ headers }: Request, owner: string): void {
  for (const name of ["x-amz-expected-bucket-owner", "x-amz-source-expected-bucket-owner"]) {
    const expected = headers.get(name);
    if (expected !== null && expected !== owner)
      throw new S3Failure(403, "AccessDenied", "The bucket has another owner than was expected.");
  }
}

/** Bucket and key of a path-style request. 400 InvalidURI for what is no UTF-8, KeyTooLongError. */
export function targetOf(path: string): S3Target {
  const [, bucket = "", ...rest] = path.split("/");
  const key = decoded(rest.join("/"));
  const name = decoded(bucket);
  if (key === undefined || name === undefined) throw say("InvalidURI");
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw say("KeyTooLongError");
  return { bucket: name, key };
}

/** A text without its percent-encoding; undefined when that is none of UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A parameter of the query. 400 InvalidArgument when it was sent more than once. */
export function parameter({ context }: Pick<Call, "context">, name: string): string | undefined {
  const value = context.query.values[name];
  if (value === undefined || typeof value === "string") return value;
  throw say("InvalidArgument", `The parameter ${name} was sent more than once.`);
}

/** A whole number from 0 to `most` in the query, which is what a larger one means. 400 InvalidArgument. */
export function countParameter(call: Pick<Call, "context">, name: string, most: number): number {
  const text = parameter(call, name);
  if (text === undefined || text === "") return most;
  if (!/^\d{1,10}$/.test(text)) throw invalidArgument(name);
  return Math.min(Number(text), most);
}

/** How many rows the page of a list has at most, once there is memory for them. 400 InvalidArgument; 503 SlowDown. */
export async function pageLimit(call: Pick<Call, "context">, name: string): Promise<number> {
  const limit = countParameter(call, name, MAX_S3_KEYS);
  await call.context.memory.takeEntries(limit);
  return limit;
}

/** A bucket of the caller by its name. 404 NoSuchBucket. */
export function bucketOf({ view, bucket: name }: Pick<Call, "view" | "bucket">): MountObjects {
  const mount = mountOfBucket(view.mounts(), name);
  const bucket = mount && view.objects(mount.id);
  if (!bucket) throw say("NoSuchBucket");
  return bucket;
}

/** There are no versions, which some clients call null. 404 NoSuchVersion. */
export function refuseVersion(call: Pick<Call, "context">): void {
  const version = parameter(call, "versionId");
  if (version !== undefined && version !== "" && version !== "null") throw say("NoSuchVersion");
}
