import { Failure } from "#contract/failures";
import { type Language, sentence } from "#contract/messages/sentence";
import type { Log } from "../../lib/log.ts";
import { unforeseen } from "../../lib/unforeseen.ts";

/** The caller's language: of zh and en the one that Accept-Language likes best (RFC 9110 section 12.5.4), English when it names neither. */
export function languageOf(headers: Headers): Language {
  const ranges = (headers.get("accept-language") ?? "").toLowerCase().split(",").map(weighed);
  const liked = ranges.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  return liked.map(({ range }) => /^(en|zh)(?=-|$)/.exec(range)?.[0]).find(isLanguage) ?? "en";
}

const isLanguage = (text: string | undefined): text is Language => text === "en" || text === "zh";

/** One entry of Accept-Language; a weight that is none counts as 1. */
function weighed(entry: string): { range: string; weight: number } {
  const [range = "", ...parameters] = entry.split(";").map((part) => part.trim());
  const weight = parameters.flatMap((parameter) => /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1] ?? [])[0];
  return { range, weight: weight === undefined ? 1 : Number(weight) };
}

/** Seconds after which what is only busy may be asked again. */
const BUSY_SECONDS = 2;

/** The envelope for a failure, or one line of text where the endpoint does not speak JSON. Never stored by a cache. */
export function failureResponse(failure: Failure, request: Request, reply: "json" | "text"): Response {
  const message = sentence(failure, languageOf(request.headers));
  const headers = new Headers({ "cache-control": "no-store", vary: "accept-language" });
  const { status, code: error } = failure;
  const seconds = failure.details.seconds ?? (status === 503 ? BUSY_SECONDS : undefined);
  if (seconds !== undefined) headers.set("retry-after", String(seconds));
  // The rest of a body that was waited for in vain must not be taken for the next request (RFC 9110 section 15.5.9).
  if (status === 408) headers.set("connection", "close");
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
