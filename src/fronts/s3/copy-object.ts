import { Failure } from "#contract/failures";
import { evaluateConditions, parseRange } from "../../lib/conditional.ts";
import { plainType, typeOfName } from "../../lib/mime.ts";
import type { OpenFile } from "../../lib/open-file.ts";
import type { MountObjects, ObjectHead } from "../../vfs/view.ts";
import { bucketOf, type Call, type Operation, targetOf } from "./call.ts";
import { checksumElements } from "./checksums.ts";
import { documentAnswer, elements, isoTime, quoted } from "./elements.ts";
import { invalidArgument, say } from "./failures.ts";
import { keptHeadersOf, refuseUnknown, writeConditions } from "./headers.ts";
import { copiedTagging } from "./object-tagging.ts";

/** An object that a request names as its source. */
interface Source {
  readonly bucket: MountObjects;
  readonly key: string;
}

/** What `x-amz-copy-source` names. 400 InvalidArgument, 404 NoSuchBucket, NoSuchVersion. */
export function sourceOf({ request, view }: Call): Source {
  const said = Buffer.from(request.headers.get("x-amz-copy-source") ?? "", "latin1").toString();
  const [path = "", version] = said.split("?versionId=");
  const { bucket: name, key } = targetOf(`/${path.replace(/^\//, "")}`);
  if (name === "" || key === "") throw invalidArgument("x-amz-copy-source");
  if (version !== undefined && version !== "null") throw say("NoSuchVersion");
  return { bucket: bucketOf({ view, bucket: name }), key };
}

const CONDITIONS = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"] as const;

/** Requires what the request wants of its source. 412 PreconditionFailed. */
function requireSource({ headers }: Request, { etag, modified }: { etag: string; modified: number }): void {
  const conditions = new Headers();
  for (const name of CONDITIONS) {
    const value = headers.get(`x-amz-copy-source-${name}`);
    if (value !== null) conditions.set(name, value);
  }
  const outcome = evaluateConditions("GET", conditions, { etag: quoted(etag), modified });
  if (outcome !== "proceed") throw say("PreconditionFailed");
}

/** The bytes of the source that a part is made of. 400 InvalidArgument, 416 InvalidRange. */
function sourceRange({ headers }: Request, size: number) {
  const said = headers.get("x-amz-copy-source-range");
  if (said === null) return undefined;
  if (!/^bytes=\d{1,15}-\d{1,15}$/.test(said)) throw invalidArgument("x-amz-copy-source-range");
  const range = parseRange(said, size);
  const last = Number(said.slice(said.indexOf("-") + 1));
  if (range === undefined || range === "unsatisfiable" || range.end !== last) throw say("InvalidRange");
  return range;
}

/** What a part is made of, as it was found. */
interface PartSource {
  readonly body: Response;
  readonly length: number;
  /** Whether nobody has written the object since. */
  readonly isStill: () => Promise<boolean>;
}

/**
 * Opens the source of a part; undefined when it has changed since it was found. A disk reads what was found, whatever becomes of
 * it, so the body ends with an error if another one is there by then. 404 NoSuchKey, 412 PreconditionFailed; 400, 416 as `sourceRange`.
 */
export async function openSource({ request }: Call, { bucket, key }: Source): Promise<PartSource | undefined> {
  const source = await bucket.open(key);
  if (!source) throw say("NoSuchKey");
  const { head } = source;
  requireSource(request, head);
  const range = sourceRange(request, head.size);
  const bytes = await source.read(range);
  if (!bytes) return undefined;
  const isStill = async () => (await bucket.head(key, "copy"))?.etag === head.etag;
  const length = range ? range.end - range.start + 1 : head.size;
  return { body: new Response(bytes instanceof ReadableStream ? bytes : ofVersion(bytes, isStill)), length, isStill };
}

const ofVersion = (bytes: Blob | OpenFile, isStill: () => Promise<boolean>): ReadableStream<Uint8Array> =>
  bytes.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async flush() {
        if (!(await isStill())) throw new Failure("path.conflict");
      },
    }),
  );

/** CopyObject: with what is kept of the source, or in place of it what the request says. */
export const copyObject: Operation = async (call) => {
  const { request, key, context } = call;
  const { headers } = request;
  refuseUnknown(headers);
  const to = bucketOf(call);
  const from = sourceOf(call);
  const directive = headers.get("x-amz-metadata-directive") ?? "COPY";
  if (directive !== "COPY" && directive !== "REPLACE") throw invalidArgument("x-amz-metadata-directive");
  const { ifMatch, ifNone } = writeConditions(headers);
  const described = directive === "REPLACE" ? describedBy(headers, key) : undefined;
  const tags = copiedTagging(headers);
  context.hold();
  const head = await from.bucket.head(from.key, "copy");
  if (!head) throw say("NoSuchKey");
  requireSource(request, head);
  if (key.endsWith("/")) return await copyFolder(call, from);
  if (ifMatch !== undefined && !(await to.head(key, "copy"))) throw say("NoSuchKey");
  const isSame = from.bucket.mount.bucket === to.mount.bucket && from.key === key;
  if (isSame && !described)
    throw say("InvalidRequest", "An object that is copied to itself must get other headers than it has.");
  const { outcome, made } = await from.bucket.at(from.key).copy(to.at(key), {
    overwrite: !ifNone,
    ifMatch,
    described,
    tags,
    requireSource: (found) => requireSource(request, found),
  });
  if (outcome === "skipped" || !made) throw say("PreconditionFailed");
  return result(made);
};

const describedBy = (headers: Headers, key: string) => ({
  type: plainType(headers.get("content-type")) ?? typeOfName(key),
  headers: keptHeadersOf(headers),
});

/** A folder's own mark, and nothing below it. */
async function copyFolder(call: Call, { key: from }: Source): Promise<Response> {
  if (!from.endsWith("/")) throw say("InvalidArgument", "Only a folder can be copied to a folder.");
  const bucket = bucketOf(call);
  await bucket.at(call.key).mkdir();
  const head = await bucket.head(call.key, "mkdir");
  if (!head) throw say("NoSuchKey");
  return result(head);
}

const result = ({ modified, etag, checksums }: ObjectHead): Response => {
  const content = { LastModified: isoTime(modified), ETag: quoted(etag), ...checksumElements(checksums) };
  return documentAnswer("CopyObjectResult", elements(content));
};
