import { inOrder } from "../../lib/turns.ts";
import type { KeyCondition, KeyOutcome } from "../../vfs/view.ts";
import { bucketOf, type Call, type Operation, refuseVersion } from "./call.ts";
import { type DeletedKey, documentAnswer, each, readDeletion } from "./elements.ts";
import { asS3Failure, invalidArgument, say } from "./failures.ts";
import { etagIn, removalCondition } from "./headers.ts";
import { documentOf, isVouchedFor } from "./payload.ts";

/** What must hold of an object that is removed. 400 InvalidArgument. */
function conditionIn(headers: Headers): KeyCondition | undefined {
  const said = {
    etag: etagIn(headers.get("if-match")),
    size: headers.get("x-amz-if-match-size") ?? undefined,
    modified: headers.get("x-amz-if-match-last-modified-time") ?? undefined,
  };
  return removalCondition(said, invalidArgument("a condition"));
}

/** DeleteObject: 204, whether anything was there or not. 412 PreconditionFailed. */
export const deleteObject: Operation = async (call) => {
  refuseVersion(call);
  const [outcome] = await bucketOf(call).remove([call.key], conditionIn(call.request.headers));
  if (outcome?.failure) throw outcome.failure;
  return new Response(null, { status: 204 });
};

/** DeleteObjects: says of each key what became of it. */
export const deleteObjects: Operation = async (call) => {
  const bucket = bucketOf(call);
  call.view.at(bucket.mount.path).requireRight("remove");
  if (!isVouchedFor(call)) throw say("InvalidRequest", "DeleteObjects needs Content-MD5 or a checksum.");
  const { keys, quiet } = await readDeletion(await documentOf(call));
  await call.context.memory.takeEntries(keys.length);
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
  const plain = keys.filter(({ condition }) => !condition).map(({ key }) => key);
  const outcomes = await bucket.remove(plain);
  const conditional = keys.filter(({ condition }) => condition);
  const remove = ({ key, condition }: DeletedKey) => bucket.remove([key], condition);
  for await (const one of inOrder(conditional, AT_ONCE, remove)) outcomes.push(...one);
  return outcomes;
}
