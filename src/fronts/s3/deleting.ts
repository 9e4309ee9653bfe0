import { inOrder } from "../../lib/turns.ts";
import type { KeyOutcome } from "../../vfs/removing-keys.ts";
import { bucketOf, type Call, type Operation } from "./call.ts";
import { type DeletedKey, documentAnswer, each, readDeletion } from "./elements.ts";
import { asS3Failure, say } from "./failures.ts";
import { etagIn } from "./headers.ts";
import { documentOf, isVouchedFor } from "./payload.ts";
import { refuseVersion } from "./reading.ts";

/** DeleteObject: 204, whether anything was there or not. 412 PreconditionFailed. */
export const deleteObject: Operation = async (call) => {
  refuseVersion(call);
  const ifMatch = etagIn(call.request.headers.get("if-match"));
  const [outcome] = await bucketOf(call).remove([call.key], ifMatch);
  if (outcome?.failure) throw outcome.failure;
  return new Response(null, { status: 204 });
};

/** DeleteObjects: says of each key what became of it. */
export const deleteObjects: Operation = async (call) => {
  const bucket = bucketOf(call);
  call.view.at(bucket.mount.path).demand("remove");
  if (!isVouchedFor(call)) throw say("InvalidRequest", "DeleteObjects needs Content-MD5 or a checksum.");
  const { keys, quiet } = await readDeletion(await documentOf(call));
  const outcomes = await removed(call, keys);
  const deleted = outcomes.filter(({ failure }) => !failure);
  const failed = outcomes.filter(({ failure }) => failure);
  const errors = each("Error", failed, ({ key, failure }) => {
    const { code = "", message = "" } = failure ? asS3Failure(failure) : {};
    return { Key: key, Code: code, Message: message };
  });
  return documentAnswer("DeleteResult", (quiet ? "" : each("Deleted", deleted, ({ key }) => ({ Key: key }))) + errors);
};

/** Objects that are removed at the same time, each in a version of its own. */
const AT_ONCE = 8;

/** Those without conditions together, each of the others by itself. */
async function removed(call: Call, keys: readonly DeletedKey[]): Promise<KeyOutcome[]> {
  if (keys.some(({ version }) => version !== undefined && version !== "" && version !== "null"))
    throw say("NoSuchVersion");
  const bucket = bucketOf(call);
  const plain = keys.filter(({ ifMatch }) => ifMatch === undefined).map(({ key }) => key);
  const outcomes = await bucket.remove(plain);
  const conditional = keys.filter(({ ifMatch }) => ifMatch !== undefined);
  const remove = ({ key, ifMatch }: DeletedKey) => bucket.remove([key], ifMatch);
  for await (const one of inOrder(conditional, AT_ONCE, remove)) outcomes.push(...one);
  return outcomes;
}
