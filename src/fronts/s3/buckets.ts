import { namedBuckets, S3_REGION } from "../bucket-names.ts";
import { bucketOf, type Call, countParameter, type Operation, parameter } from "./call.ts";
import { afterToken, documentAnswer, each, elements, isoTime, personOf, tokenOf } from "./elements.ts";
import { invalidArgument, say } from "./failures.ts";

/** Buckets in a page of a list. */
const MAX_BUCKETS = 10_000;

/** How many buckets are wanted. 400 InvalidArgument. */
function limitOf(call: Call): number {
  const limit = countParameter(call, "max-buckets", MAX_BUCKETS + 1);
  if (limit < 1 || (limit > MAX_BUCKETS && parameter(call, "max-buckets"))) throw invalidArgument("max-buckets");
  return limit;
}

/** ListBuckets: what the key sees, by name, in one answer unless pages are asked for. */
export const listBuckets: Operation = async (call) => {
  const { view, caller } = call;
  view.at("/").requireRight("list");
  const limit = limitOf(call);
  const prefix = parameter(call, "prefix") ?? "";
  const after = afterToken(parameter(call, "continuation-token") ?? "");
  const region = parameter(call, "bucket-region") || S3_REGION;
  const found = namedBuckets(view.mounts()).filter(
    ({ name }) => name.startsWith(prefix) && name > after && region === S3_REGION,
  );
  const page = found.slice(0, limit);
  const buckets = each("Bucket", page, ({ name, mount }) => ({
    Name: name,
    CreationDate: isoTime(mount.created_at),
    BucketRegion: S3_REGION,
  }));
  const content = {
    Owner: personOf(caller),
    Buckets: { xml: buckets },
    ContinuationToken: found.length > page.length ? tokenOf(page.at(-1)?.name ?? "") : undefined,
    Prefix: prefix === "" ? undefined : prefix,
  };
  return documentAnswer("ListAllMyBucketsResult", elements(content));
};

/** HeadBucket: whether the bucket is there and may be looked at. */
export const headBucket: Operation = async (call) => {
  const { mount } = bucketOf(call);
  call.view.at(mount.path).requireRight("stat");
  return new Response(null, { headers: { "x-amz-bucket-region": S3_REGION, "content-type": "application/xml" } });
};

/** GetBucketLocation: empty for the region that S3 began with. */
export const bucketLocation: Operation = async (call) => {
  await headBucket(call);
  return documentAnswer("LocationConstraint", "");
};

/** GetBucketVersioning: there never were versions. */
export const bucketVersioning: Operation = async (call) => {
  await headBucket(call);
  return documentAnswer("VersioningConfiguration", "");
};

/** CreateBucket: clients that make sure of their bucket hear that it is there; only the administrator makes mounts. */
export const createBucket: Operation = async (call) => {
  await headBucket(call);
  throw say("BucketAlreadyOwnedByYou");
};
