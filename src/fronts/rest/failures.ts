import { Failure } from "#contract/failures";
import { type Language, sentence } from "#contract/messages/sentence";
import type { Log } from "../../lib/log.ts";
import { unforeseen } from "../../lib/unforeseen.ts";

/** The caller's language: the first of zh and en that Accept-Language names, English when it names neither. */
export function languageOf(headers: Headers): Language {
  for (const entry of headers.get("accept-language")?.split(",") ?? []) {
    const tag = entry.trim().toLowerCase();
    if (tag.startsWith("zh")) return "zh";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}

/** The envelope for a failure, or one line of text where the endpoint does not speak JSON. Never stored by a cache. */
export function failureResponse(failure: Failure, request: Request, reply: "json" | "text"): Response {
  const message = sentence(failure, languageOf(request.headers));
  const headers = new Headers({ "cache-control": "no-store", vary: "accept-language" });
  if (typeof failure.details.seconds === "number") headers.set("retry-after", String(failure.details.seconds));
  const { status, code: error } = failure;
  if (reply === "json") {
    return Response.json({ code: status, error, message, success: false, data: null }, { status, headers });
  }
  headers.set("content-type", "text/plain; charset=utf-8");
  return new Response(`${message}\n`, { status, headers });
}

/** What Elysia says about an error of its own. */
export interface Thrown {
  readonly code: string | number;
  readonly error: unknown;
}

interface ValidationProblem {
  readonly type: string;
  readonly on?: string;
  readonly property?: string;
  readonly all?: readonly { readonly path?: readonly (string | number)[] | string; readonly property?: string }[];
}

/** Turns whatever was thrown into a Failure: the one translator of this front. What nobody foresaw is logged with the request's id. */
export function toFailure({ code, error }: Thrown, requestId: string, log: Log): Failure {
  if (error instanceof Failure) return error;
  // What is thrown while a body is read comes wrapped.
  if (error instanceof Error && error.cause instanceof Failure) return error.cause;
  if (code === "NOT_FOUND") return new Failure("route.missing");
  if (code === "PARSE") return new Failure("body.malformed");
  if (code === "VALIDATION") {
    const problem = error as ValidationProblem;
    if (problem.type === "params") return new Failure("route.missing");
    if (problem.type === "body") return new Failure("body.invalid", { field: fieldOf(problem) });
    if (problem.type !== "response") return new Failure("query.invalid", { field: fieldOf(problem) });
  }
  const field = code === "VALIDATION" ? fieldOf(error as ValidationProblem) : undefined;
  log.error("bug", { request: requestId, field, ...unforeseen(error) });
  return new Failure("internal", { request: requestId });
}

/** The name of the first field that is wrong, as the contract spells it; never the value. */
function fieldOf({ property, all }: ValidationProblem): string {
  const path = all?.[0]?.path ?? all?.[0]?.property ?? property ?? "";
  const names = Array.isArray(path) ? path : String(path).split(/[./]/);
  const field = names.filter((name) => name !== "" && name !== "root").join(".");
  return field || "body";
}
