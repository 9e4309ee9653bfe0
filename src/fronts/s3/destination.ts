import { ownerName } from "../../access/principal.ts";
import type { Entry } from "../../vfs/entry.ts";
import type { Node } from "../../vfs/node.ts";
import type { ObjectHead, PartsUpload } from "../../vfs/view.ts";
import { clientOf, logUpload } from "../downloads.ts";
import { bucketOf, type Call, isOfKey, type LinkCall, parameter } from "./call.ts";
import { elements, personOf } from "./elements.ts";
import { S3Failure, say } from "./failures.ts";
import { writeConditions } from "./headers.ts";

/** Where an object in parts goes: to a key of a mount, or to one of a link, which takes only what is new. */
export interface Destination {
  /** Whether headers and tags are kept with it. */
  readonly keepsHeaders: boolean;
  /** The node of the key. 403 when nothing may be written there; 404 NoSuchBucket. */
  node(): Node;
  /** The upload that the request names. 403 auth.forbidden, path.forbidden. */
  parts(): Promise<PartsUpload>;
  /** What is at the key for those who write. */
  head(): Promise<ObjectHead | undefined>;
  /** Somebody who began an upload; without a name the caller. */
  person(name?: string): { readonly xml: string };
  /** Notes what has arrived, and answers the key that it has got. */
  arrived(entry: Entry): string;
}

export const destinationOf = (call: Call | LinkCall): Destination => (isOfKey(call) ? inMount(call) : inLink(call));

const uploadId = (call: Call | LinkCall): string => parameter(call, "uploadId") ?? "";

const inMount = (call: Call): Destination => ({
  keepsHeaders: true,
  node: () => bucketOf(call).at(call.key),
  parts: () => bucketOf(call).parts(call.key, uploadId(call)),
  head: () => bucketOf(call).head(call.key, "write"),
  person: (name = ownerName(call.caller)) => personOf(call.caller, name),
  arrived: () => call.key,
});

const inLink = (call: LinkCall): Destination => ({
  keepsHeaders: false,
  node: () => newInLink(call),
  async parts() {
    const { path } = newInLink(call).location;
    return await call.view.parts({ path, upload: uploadId(call), isSigned: true });
  },
  head: async () => undefined,
  person: () => ownerOfLink(call),
  arrived(entry) {
    logUpload(call.rooms.activity, call.caller, clientOf(call.request, call.context), entry);
    return entry.path.slice(1);
  },
});

/** The bucket of a link is called as its access key id, whatever other name it has to its owner. */
export const bucketOfLink = ({ signature }: LinkCall): string => signature.accessKey;

export const ownerOfLink = (call: LinkCall) => ({
  xml: elements({ ID: bucketOfLink(call), DisplayName: bucketOfLink(call) }),
});

/** 404 NoSuchBucket for any other name; 403 for a link that shows nothing. */
export function requireLinkBucket(call: LinkCall): void {
  if (call.bucket !== bucketOfLink(call)) throw say("NoSuchBucket");
  call.view.at("/").requireRight("list");
}

/** The node of a key to which a link may take a file. 403 AccessDenied; 404 NoSuchBucket; 412 PreconditionFailed. */
export function newInLink(call: LinkCall): Node {
  requireLinkBucket(call);
  const { ifMatch } = writeConditions(call.request.headers);
  if (ifMatch !== undefined) throw say("PreconditionFailed");
  const node = call.view.atKey(call.key);
  if (!node.location.mount) throw new S3Failure(403, "AccessDenied", "A link takes files in its folders alone.");
  node.requireWritable("write", false);
  return node;
}
