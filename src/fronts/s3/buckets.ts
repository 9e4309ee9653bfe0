import { ownerName } from "../../access/principal.ts";
import { S3_REGION } from "../../vfs/buckets.ts";
import { bucketOf, type Operation } from "./call.ts";
import { documentAnswer, each, elements, isoTime } from "./elements.ts";
import { say } from "./failures.ts";

/** ListBuckets: what the key sees, in one answer. */
export const listBuckets: Operation = async ({ view, caller }) => {
  view.at("/").demand("list");
  const owner = elements({ ID: ownerName(caller), DisplayName: caller.name });
  const buckets = each("Bucket", view.buckets(), ({ name, mount }) => ({
    Name: name,
    CreationDate: isoTime(mount.created_at),
    BucketRegion: S3_REGION,
  }));
  return documentAnswer("ListAllMyBucketsResult", elements({ Owner: { xml: owner }, Buckets: { xml: buckets } }));
};

/** HeadBucket: whether the bucket is there and may be looked at. */
export const headBucket: Operation = async (call) => {
  const { mount } = bucketOf(call);
  call.view.at(mount.path).demand("stat");
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
