import type { LinkBucket } from "#contract/links";
import { s3Calls } from "../clients/s3.ts";
import type { TreeCalls, Who } from "../tree/tree-house.ts";

/** Links as buckets: a slug is the access key id and the name of the bucket, its secret is made by the server. */

/** How the owner of a link tells programs to use it. */
export async function connection({ house, admin }: TreeCalls, id: string, who: Who = admin) {
  const response = await house.request(`/api/links/${id}/connection`, { headers: who });
  const { data } = (await response.json()) as { data: { s3: LinkBucket | null } | null };
  return { status: response.status, s3: data?.s3 };
}

export async function bucketOf(tree: TreeCalls, id: string): Promise<LinkBucket> {
  const { s3 } = await connection(tree, id);
  if (!s3) throw new Error("no bucket");
  return s3;
}

/** Requests that are signed with the secret of a link. */
export async function signedByLink(tree: TreeCalls, id: string) {
  const { access_key_id, secret_access_key } = await bucketOf(tree, id);
  return s3Calls(tree.house, { s3_access_key_id: access_key_id, key: secret_access_key } as Parameters<
    typeof s3Calls
  >[1]);
}
