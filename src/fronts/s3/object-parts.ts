import { MAX_PARTS } from "#contract/limits";
import { contentRange } from "../../lib/conditional.ts";
import type { ObjectHead } from "../../vfs/view.ts";
import { type Call, parameter } from "./call.ts";
import { say } from "./failures.ts";

/** The parts that an object came in, which GetObject and HeadObject hand out one by one (`partNumber`). */

/** One part of an object. */
interface ObjectPart {
  /** Of its first byte, and of its last; undefined in an object without bytes. */
  readonly range: { readonly start: number; readonly end: number } | undefined;
  /** Bytes of the object. */
  readonly size: number;
  /** Parts of the object; undefined when it came in one piece. */
  readonly count: number | undefined;
}

/** The number of a part in the query. 400 InvalidArgument. */
export function readPartNumber(call: Pick<Call, "context">): number {
  const text = parameter(call, "partNumber") ?? "";
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_PARTS)
    throw say("InvalidArgument", `A part number is a whole number from 1 to ${MAX_PARTS}.`);
  return number;
}

/** How many parts there are. */
export const countOf = (parts: NonNullable<ObjectHead["parts"]>): number =>
  parts.reduce((sum, [, count]) => sum + count, 0);

/** A page of the parts behind a number, with their sizes in bytes. */
export function partsAfter(parts: NonNullable<ObjectHead["parts"]>, after: number, limit: number) {
  const page: { readonly number: number; readonly size: number }[] = [];
  let before = 0;
  for (const [size, count] of parts) {
    for (let number = Math.max(before, after) + 1; number <= before + count && page.length < limit; number++)
      page.push({ number, size });
    before += count;
  }
  return page;
}

/** 416 InvalidPartNumber; 501 NotImplemented where nobody knows how large the parts were. */
export function partOf({ parts, size, etag }: ObjectHead, number: number): ObjectPart {
  if (!parts && /-(?!1$)\d+$/.test(etag)) throw say("NotImplemented", "The parts of this object are not known.");
  let [start, before] = [0, 0];
  for (const [bytes, count] of parts ?? [[size, 1]]) {
    if (number <= before + count) {
      start += (number - before - 1) * bytes;
      const range = bytes === 0 ? undefined : { start, end: start + bytes - 1 };
      return { range, size, count: parts && countOf(parts) };
    }
    start += count * bytes;
    before += count;
  }
  throw say("InvalidPartNumber");
}

/** The request as one for the bytes of a part. 400 InvalidRequest for one with a range of its own. */
export function withRange({ method, headers }: Request, { range }: ObjectPart): Pick<Request, "method" | "headers"> {
  if (headers.has("range")) throw say("InvalidRequest", "Either a range or a part is asked for.");
  const own = new Headers(headers);
  own.delete("if-range");
  if (range) own.set("range", `bytes=${range.start}-${range.end}`);
  return { method, headers: own };
}

/** The answer for a part: that to HEAD says of it what that to GET does. */
export function ofPart(answer: Response, { range, size, count }: ObjectPart): Response {
  if (answer.status !== 200 && answer.status !== 206) return answer;
  const response =
    range && answer.status === 200 ? new Response(null, { status: 206, headers: answer.headers }) : answer;
  if (range && response !== answer) {
    response.headers.set("content-length", String(range.end - range.start + 1));
    response.headers.set("content-range", contentRange(range, size));
  }
  if (count !== undefined) response.headers.set("x-amz-mp-parts-count", String(count));
  return response;
}
