import * as z from "zod/mini";
import type { Endpoint } from "#contract/endpoint";
import { Failure, type FailureDetails } from "#contract/failures";
import type { Bound } from "#contract/messages/bounds";

type Part = "params" | "query" | "body" | "response";

/** An answer that the contract does not allow: a bug of ours. */
export class ResponseMismatch extends Error {
  constructor(readonly field: string) {
    super(`The answer does not fit its contract at "${field}".`);
  }
}

/** The same schema, whose outer object zod compiles: zod/mini, of which the pages load less, interprets objects field by field. */
export function compiled(schema: z.ZodMiniType | undefined): z.core.$ZodType | undefined {
  return schema instanceof z.ZodMiniObject ? new z.core.$ZodObjectJIT(schema._zod.def) : schema;
}

/**
 * Parses a part of a request or of an answer by its schema; returns undefined without one. A failure names the field and
 * the bound that it went beyond, and never quotes its value. 404 route.missing for params, 400 query.invalid, 400 body.invalid.
 */
export function parse(schema: z.core.$ZodType | undefined, read: () => unknown, part: Part): unknown {
  if (!schema) return undefined;
  const result = z.safeParse(schema, read());
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = fieldOf(issue);
  if (part === "params") throw new Failure("route.missing");
  if (part === "query") throw new Failure("query.invalid", { field, ...boundOf(issue) });
  if (part === "body") throw new Failure("body.invalid", { field: field || "body", ...boundOf(issue) });
  throw new ResponseMismatch(field);
}

/**
 * The name of the field that is wrong, as the contract spells it. The names in a record are the sender's: of one that is not
 * acceptable it is the name of the record.
 */
function fieldOf(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path ?? [];
  return (issue?.code === "invalid_key" ? path.slice(0, -1) : path).map(String).join(".");
}

/** The bound that a value went beyond, as the sentence of its failure says it. Where a value may be of several kinds it is that of the first kind. */
function boundOf(issue: z.core.$ZodIssue | undefined): FailureDetails | undefined {
  switch (issue?.code) {
    case "too_small":
      return { bound: boundNames[issue.origin]?.least ?? "least", limit: Number(issue.minimum) };
    case "too_big":
      return { bound: boundNames[issue.origin]?.most ?? "most", limit: Number(issue.maximum) };
    case "invalid_union":
      return issue.errors
        .flat()
        .map(boundOf)
        .find((bound) => bound !== undefined);
    default:
      return undefined;
  }
}

const boundNames: Readonly<Record<string, { readonly least: Bound; readonly most: Bound }>> = {
  string: { least: "leastCharacters", most: "mostCharacters" },
  array: { least: "leastEntries", most: "mostEntries" },
};

/**
 * Makes the function that reads an endpoint's parameters from a path below /api; the last one of what answers with bytes is all
 * that follows. It throws 404 route.missing, or 400 path.invalid for a file's, when one cannot be decoded.
 */
export function paramsReader({ path: pattern, reply }: Endpoint): (path: string) => Record<string, string> {
  const names = pattern.split("/");
  const parameters = names.flatMap((name, index) => (name.startsWith(":") ? { name: name.slice(1), index } : []));
  const rest = reply === "text" || reply === "file" ? names.length - 1 : -1;
  return (path) => {
    const parts = path.slice("/api".length).split("/");
    const params: Record<string, string> = {};
    for (const { name, index } of parameters) {
      const part = index === rest ? parts.slice(index).join("/") : (parts[index] ?? "");
      params[name] = decoded(part, reply);
    }
    return params;
  };
}

function decoded(part: string, reply: Endpoint["reply"]): string {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Failure(reply === "file" ? "path.invalid" : "route.missing");
  }
}
