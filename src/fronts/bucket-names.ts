/** All buckets are in one region, whatever name clients sign with; this one every client knows. */
export const S3_REGION = "us-east-1";

/** Names that S3 allows for a bucket (S3 user guide, "Bucket naming rules"), but for those that look like addresses. */
const NAME = /^[a-z\d](?:[a-z\d-]|\.(?=[a-z\d])){1,61}[a-z\d]$/;

/** What a name is made of. */
interface Mount {
  readonly id: string;
  readonly path: string;
}

/** What a mount is called as a bucket: as its path, or by its id where that is no name. */
function bucketName({ id, path }: Mount): string {
  const name = path.slice(1).replaceAll("/", ".");
  return NAME.test(name) && !/^[\d.]+$/.test(name) ? name : id;
}

/** Mounts as buckets, by name. */
export const namedBuckets = <One extends Mount>(
  mounts: readonly One[],
): { readonly name: string; readonly mount: One }[] =>
  mounts.map((mount) => ({ name: bucketName(mount), mount })).sort((one, other) => (one.name < other.name ? -1 : 1));

/** The mount of a bucket, by the name of that or by the id of the mount, which stays when that is renamed. */
export const mountOfBucket = <One extends Mount>(mounts: readonly One[], name: string): One | undefined =>
  mounts.find((mount) => bucketName(mount) === name) ?? mounts.find(({ id }) => id === name);
