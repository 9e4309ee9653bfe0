/** What whoever dropped something is told: its link, in a line for people or as JSON for programs. */

import { renderUnicodeCompact } from "uqr";
import { textAnswer } from "../../lib/counting.ts";
import { type RequestContext, wantsLines } from "../context.ts";

/** A share that was made of a drop. */
export interface Dropped {
  readonly kind: "paste" | "file";
  readonly id: string;
  readonly slug: string;
  /** The path of its page. */
  readonly page: string;
  /** Of a file. */
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  /** Of the file as it came. */
  readonly sha256?: Buffer | undefined;
  /** ISO 8601; null is never. */
  readonly expires: string | null;
  /** 0 is unlimited. */
  readonly views: number;
}

/** The answer to a drop; `removal` is the address at which it is deleted. */
export function dropAnswer(
  request: Request,
  context: Pick<RequestContext, "query" | "base">,
  { slug, page, name, size, sha256, expires, views }: Dropped,
  removal: string,
): Response {
  const url = context.base() + page;
  const digest = sha256?.toString("hex");
  const headers = {
    "cache-control": "no-store",
    location: url,
    // The first is what scripts for transfer.sh read.
    "x-url-delete": removal,
    "x-delete-url": removal,
    ...(sha256 && { "repr-digest": `sha-256=:${sha256.toString("base64")}:`, etag: `"${digest}"` }),
  };
  if (!wantsLines(request, context)) {
    const told = {
      ...{ url, raw: `${url}?raw`, delete: removal },
      ...{ slug, name, size, sha256: digest ?? null, expires, views: views === 0 ? null : views },
    };
    const type = { "content-type": "application/json;charset=utf-8" };
    return textAnswer(`${JSON.stringify(told)}\n`, { status: 201, headers: { ...headers, ...type } });
  }
  const lines = "qr" in context.query.values ? `${url}\n\n${renderUnicodeCompact(url, { border: 2 })}\n` : `${url}\n`;
  const type = { "content-type": "text/plain; charset=utf-8" };
  return textAnswer(lines, { status: 201, headers: { ...headers, ...type } });
}
