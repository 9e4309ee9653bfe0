import { MAX_KEY_BYTES } from "#contract/limits";
import { SHARE_TARGET } from "#contract/share-target";
import { faultOf, type PostFields, type PostPolicy, readPolicy } from "../../lib/signatures/post-policy.ts";
import type { RequestContext } from "../context.ts";
import { clientOf } from "../downloads.ts";
import { isForm, readForm } from "../form.ts";
import { type Call, type Rooms, targetOf } from "./call.ts";
import { documentAnswer, elements, quoted } from "./elements.ts";
import { invalidArgument, refused, S3Failure, say } from "./failures.ts";
import { readTagging } from "./object-tagging.ts";
import { storeObject } from "./put-object.ts";

/** Forms with which browsers send files: PostObject ("Browser-based uploads using POST"). */

/** Bytes of the fields together; S3 takes 20 KB ("POST object", "Request Syntax"). */
const MAX_FIELDS_BYTES = 20 * 1024;

/** Reports whether a request that nobody signed may be a form for a bucket. */
export const isPost = ({ path }: RequestContext, { method, headers }: Request): boolean =>
  method === "POST" && path !== SHARE_TARGET && /^\/[^/]+\/?$/.test(path) && isForm(headers.get("content-type") ?? "");

/** Fields that become headers of the object, or are obeyed or refused as such. */
const HEADER =
  /^(?:cache-control|content-(?:type|disposition|encoding|language|md5)|expires|x-amz-(?!algorithm$|credential$|date$|signature$).+)$/;

/** The form's fields before its file, by names in lower case. */
async function readPost(request: Request) {
  const form = await readForm(request, {
    known: (name) => name.toLowerCase(),
    // Some clients give each part a file name.
    isPartAFile: (name) => name?.toLowerCase() === "file",
    fieldSize: MAX_FIELDS_BYTES,
    // Counted as they come: nobody has signed anything yet.
    together: {
      most: MAX_FIELDS_BYTES,
      beyond: new S3Failure(400, "MaxPostPreDataLengthExceeded", "The fields before the file have more than 20 KB."),
    },
  });
  // S3 ignores what follows the file.
  const fields = new Map([...form.fields].filter(([name]) => form.before.has(name)));
  return { fields, filename: form.filename, file: form.file };
}

/** The key with the name of the file, without the folders that some browsers put before it. 400 InvalidArgument, KeyTooLongError. */
function keyOf(fields: PostFields, filename: string): string {
  const name = filename.split(/[\\/]/).at(-1) ?? "";
  // Before it is put in: a key may ask for it a thousand times.
  if (Buffer.byteLength(name) > MAX_KEY_BYTES) throw say("KeyTooLongError");
  const key = (fields.get("key") ?? "").replaceAll(/\$\{filename\}/g, () => name);
  if (key === "" || key.endsWith("/")) throw invalidArgument("key");
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw say("KeyTooLongError");
  return key;
}

/** The policy of a form whose signature holds. 400 InvalidPolicyDocument; 403 AccessDenied when it is over, or forbids a field. */
function requirePolicy(fields: PostFields, now: number): PostPolicy {
  const policy = readPolicy(fields.get("policy") ?? "");
  if (!policy) throw new S3Failure(400, "InvalidPolicyDocument", "The policy is not valid.");
  const fault = now > policy.expires ? "Policy expired" : faultOf(policy, fields);
  if (fault !== undefined) throw new S3Failure(403, "AccessDenied", `Invalid according to Policy: ${fault}.`);
  return policy;
}

/** What the fields say of the object, as a request says it. 400 InvalidArgument. */
function headersOf(fields: PostFields): Headers {
  const headers = new Headers();
  for (const [name, value] of fields) {
    if (name === "x-amz-security-token")
      throw new S3Failure(403, "InvalidToken", "There are no temporary credentials.");
    const header = name === "acl" ? "x-amz-acl" : name;
    if (name === "tagging") headers.set("x-amz-tagging", readTagging(Buffer.from(value)));
    if (!HEADER.test(header)) continue;
    try {
      headers.set(header, Buffer.from(value).toString("latin1"));
    } catch {
      throw invalidArgument(name);
    }
  }
  return headers;
}

/** The file as it arrives, which is not whole when its size is not one of those that the policy allows. */
function sized(file: ReadableStream<Uint8Array>, { least, most }: PostPolicy): ReadableStream<Uint8Array> {
  let size = 0;
  return file.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > most) throw new S3Failure(400, "EntityTooLarge", "The file is larger than the policy allows.");
        controller.enqueue(chunk);
      },
      flush() {
        if (size < least) throw new S3Failure(400, "EntityTooSmall", "The file is smaller than the policy allows.");
      },
    }),
  );
}

/** The answer that the form asks for: 204 without a document unless it says another one. */
function answerTo(call: Call, fields: PostFields, etag: string): Response {
  const { bucket, key, context } = call;
  const redirect = redirectOf(fields, { bucket, key, etag: quoted(etag) });
  if (redirect) return new Response(null, { status: 303, headers: { location: redirect, etag: quoted(etag) } });
  const location = new URL(`${context.base()}/${encodeURIComponent(bucket)}/${encodeURIComponent(key)}`).href;
  const headers = { etag: quoted(etag), location };
  const status = fields.get("success_action_status");
  if (status === "201") {
    const content = elements({ Location: location, Bucket: bucket, Key: key, ETag: quoted(etag) });
    return documentAnswer("PostResponse", content, headers, 201);
  }
  return new Response(null, { status: status === "200" ? 200 : 204, headers });
}

/**
 * Where the browser goes on, which the policy allows: whoever signed it says where to. Undefined for what is no address of the web, as
 * if the form had not said it.
 */
function redirectOf(fields: PostFields, said: Readonly<Record<string, string>>): string | undefined {
  const text = fields.get("success_action_redirect") ?? fields.get("redirect");
  const url = text === undefined ? null : URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  for (const [name, value] of Object.entries(said)) url.searchParams.append(name, value);
  return url.href;
}

/** Answers forms by the rights of the key that signed their policies. */
export function createPosting(rooms: Rooms) {
  return async (sent: Request, context: RequestContext): Promise<Response> => {
    const { access, vfs, clock } = rooms;
    context.hold();
    const { fields: said, filename, file } = await readPost(sent);
    if (!said.has("policy") && !said.has("signature") && !said.has("x-amz-signature")) throw say("AccessDenied");
    const identity = await access.identifySigned({ signing: "form", fields: said }, clientOf(sent, context));
    if (!identity.ok) throw refused(identity.reason, "form");
    const { bucket } = targetOf(context.path.replace(/\/$/, ""));
    const fields = new Map(said).set("bucket", bucket).set("key", keyOf(said, filename));
    const policy = requirePolicy(fields, clock());
    const { caller, signature } = identity;
    if (caller.kind === "link") throw say("AccessDenied");
    const request = new Request(sent.url, {
      method: "POST",
      headers: headersOf(fields),
      body: sized(file, policy),
    });
    const view = await vfs.as(caller, "s3", { signal: sent.signal });
    const own = { ...context, length: undefined };
    const call = { rooms, request, context: own, caller, signature, view, bucket, key: fields.get("key") ?? "" };
    const { etag } = await storeObject(call, {});
    return answerTo(call, fields, etag);
  };
}
