import { MAX_PARTS, MAX_S3_KEYS } from "#contract/limits";
import { nameOf } from "#contract/paths";
import { httpDate } from "../../lib/conditional.ts";
import { disposition } from "../../lib/mime.ts";
import type { ObjectHead } from "../../vfs/view.ts";
import { serveFile } from "../bytes.ts";
import { bucketOf, type Call, type Operation, parameter, refuseVersion } from "./call.ts";
import { checksumElements, checksumHeaders, wantsChecksums } from "./checksums.ts";
import { documentAnswer, each, elements } from "./elements.ts";
import { invalidArgument, S3Failure, say } from "./failures.ts";
import { overridesOf } from "./headers.ts";
import { countOf, ofPart, partOf, partsAfter, readPartNumber, withRange } from "./object-parts.ts";
import { tagCount } from "./object-tagging.ts";

/** How often an object may change between the question what it is and the one for its bytes. */
const TRIES = 3;

/** GetObject and HeadObject, under conditions and a range. 404 NoSuchKey, 412 PreconditionFailed, 416 InvalidRange. */
export const getObject: Operation = async (call) => {
  const { request, key } = call;
  refuseVersion(call);
  const number = parameter(call, "partNumber") === undefined ? undefined : readPartNumber(call);
  const overrides = overridesOf(call);
  const bucket = bucketOf(call);
  for (let tries = 0; tries < TRIES; tries++) {
    const object = await bucket.open(key);
    if (!object) throw say("NoSuchKey");
    const { head } = object;
    const file = { ...head, disposition: disposition("attachment", nameOf(key)), cache: "no-cache" } as const;
    const part = number === undefined ? undefined : partOf(head, number);
    const response = await serveFile(part ? withRange(request, part) : request, file, object.read);
    if (!response) continue;
    const headers = { ...tagCount(await bucket.tags(head)), ...overrides };
    return finished(request, part ? ofPart(response, part) : response, head, headers);
  }
  throw say("PreconditionFailed", "The object changes all the time.");
};

/** An answer with the headers that are kept with the object or asked for, or as a failure of S3. */
function finished(
  request: Request,
  response: Response,
  { headers, checksums }: ObjectHead,
  overrides: Readonly<Record<string, string>>,
): Response {
  if (response.status === 412) throw say("PreconditionFailed");
  if (response.status === 416) {
    const range = response.headers.get("content-range") ?? "";
    throw say("InvalidRange", undefined, { "content-range": range });
  }
  // What nobody has kept with the object is not among what HEAD tells of it: clients write that to the next copy.
  if (request.method === "HEAD")
    for (const name of ["content-disposition", "cache-control"]) response.headers.delete(name);
  // Whoever gets a part of the bytes could not check it by what is of all of them.
  const sums = wantsChecksums(request) && response.status === 200 ? checksumHeaders(checksums) : {};
  for (const [name, value] of Object.entries({ ...headers, ...sums, ...overrides })) response.headers.set(name, value);
  return response;
}

const attributes = new Set(["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"]);

/** The parts of an object, in pages; which of its checksums each had is not kept. 400 InvalidArgument. */
function objectParts({ request }: Call, parts: NonNullable<ObjectHead["parts"]>): string {
  const limit = countIn(request, "x-amz-max-parts", MAX_S3_KEYS);
  const after = countIn(request, "x-amz-part-number-marker", 0, MAX_PARTS);
  const page = partsAfter(parts, after, limit);
  const count = countOf(parts);
  const last = page.at(-1)?.number ?? after;
  const isTruncated = last < count;
  const head = elements({
    PartsCount: count,
    PartNumberMarker: after,
    NextPartNumberMarker: isTruncated ? last : undefined,
    MaxParts: limit,
    IsTruncated: isTruncated,
  });
  return head + each("Part", page, ({ number, size }) => ({ PartNumber: number, Size: size }));
}

/** A whole number in a header, `most` where it is larger, and `otherwise` where there is none. 400 InvalidArgument. */
function countIn({ headers }: Request, name: string, otherwise: number, most = otherwise): number {
  const text = headers.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,10}$/.test(text)) throw invalidArgument(name);
  return Math.min(Number(text), most);
}

/** GetObjectAttributes: what is known without reading the object. */
export const getObjectAttributes: Operation = async (call) => {
  refuseVersion(call);
  const wanted = (call.request.headers.get("x-amz-object-attributes") ?? "").split(",").map((one) => one.trim());
  if (wanted.some((one) => !attributes.has(one)))
    throw new S3Failure(400, "InvalidArgument", "An attribute is not one of those that there are.");
  const head = await bucketOf(call).head(call.key);
  if (!head) throw say("NoSuchKey");
  const has = (name: string) => wanted.includes(name);
  const content = elements({
    ...(has("ETag") && { ETag: head.etag }),
    ...(has("Checksum") && head.checksums && { Checksum: { xml: elements(checksumElements(head.checksums)) } }),
    ...(has("ObjectParts") && head.parts && { ObjectParts: { xml: objectParts(call, head.parts) } }),
    ...(has("StorageClass") && { StorageClass: "STANDARD" }),
    ...(has("ObjectSize") && { ObjectSize: head.size }),
  });
  return documentAnswer("GetObjectAttributesResponse", content, { "last-modified": httpDate(head.modified) });
};
