import { Failure } from "#contract/failures";
import { readBytes } from "../../body.ts";
import type { RequestContext } from "../../context.ts";

/** The fields of a form by their names; a list when a name was sent more than once. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

const TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * Reads a form of texts of at most `limit` bytes (URL Standard section 5.1). 413 body.tooLarge; 400 form.unreadable for another
 * content type and for what is no UTF-8; 408 body.late.
 */
export async function readFields(request: Request, context: RequestContext, limit: number): Promise<Fields> {
  if (!TYPE.test(request.headers.get("content-type") ?? "")) throw new Failure("form.unreadable");
  const text = decode(await readBytes(request, context, limit));
  // The parser of the URL Standard replaces what it cannot read: a path would become another one.
  if (!isEncoded(text)) throw new Failure("form.unreadable");
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name];
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  return fields;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Failure("form.unreadable");
  }
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
