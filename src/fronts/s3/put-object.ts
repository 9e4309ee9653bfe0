import { bucketOf, type Call, type Operation } from "./call.ts";
import { checksumHeaders } from "./checksums.ts";
import { quoted } from "./elements.ts";
import { say } from "./failures.ts";
import { keptHeadersOf, refuseUnknown, writeConditions } from "./headers.ts";
import { taggingOf } from "./object-tagging.ts";
import { payloadOf } from "./payload.ts";

/** PutObject: answers the MD5 of the bytes as the ETag, if the storage takes it. */
export const putObject: Operation = async (call) => {
  const { request, key, context } = call;
  const { headers } = request;
  const conditions = writeConditions(headers);
  context.hold();
  if (key.endsWith("/")) return await makeFolder(call);
  const { etag, checksums } = await storeObject(call, conditions);
  return new Response(null, { headers: { etag: quoted(etag), ...checksumHeaders(checksums) } });
};

/** Writes the body of a request with what its headers say of it. 404 NoSuchKey, 412 PreconditionFailed and what `refuseUnknown` throws. */
export async function storeObject(call: Call, conditions: Partial<ReturnType<typeof writeConditions>>) {
  const { headers } = call.request;
  const bucket = bucketOf(call);
  refuseUnknown(headers);
  const kept = keptHeadersOf(headers);
  const tags = taggingOf(headers);
  const node = bucket.at(call.key);
  node.requireWritable("write", false);
  if (conditions.ifMatch !== undefined && !(await bucket.head(call.key))) throw say("NoSuchKey");
  const { body, length, digesting, checksums } = payloadOf(call, { md5: true });
  const type = headers.get("content-type") ?? undefined;
  const written = await node.put({ body, length, type, headers: kept, tags, digesting, ...conditions });
  return { etag: written.entry.etag ?? "", checksums: checksums() };
}

/** A key that ends in a slash is a folder, and has no bytes. */
async function makeFolder(call: Call): Promise<Response> {
  refuseUnknown(call.request.headers);
  const { length } = payloadOf(call);
  if (length !== 0) throw say("InvalidArgument", "A key that ends in a slash is a folder and has no bytes.");
  const bucket = bucketOf(call);
  await bucket.at(call.key).mkdir();
  const head = await bucket.head(call.key, "mkdir");
  return new Response(null, { headers: { etag: quoted(head?.etag ?? "") } });
}
