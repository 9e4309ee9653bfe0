import { afterBlanks, sameStrongTag } from "../../lib/conditional.ts";
import { invalid, tokenIn } from "./headers.ts";

/** The If header (RFC 4918 section 10.4). */

/** One condition of a list. */
interface Condition {
  readonly not: boolean;
  readonly kind: "token" | "etag";
  /** A state token without its brackets, or an entity tag with its quotes. */
  readonly value: string;
}

/** Conditions that must all hold. */
export interface ConditionList {
  /** What the list is about, as it was sent; undefined is the request's own resource. */
  readonly resource: string | undefined;
  readonly conditions: readonly Condition[];
}

/** What is known of a resource. */
export interface ResourceState {
  /** With its quotes; undefined for what is no file, or is not there. */
  readonly etag: string | undefined;
  /** Tokens of the locks that hold at it. */
  readonly tokens: readonly string[];
}

const MOST_CONDITIONS = 100;

/** `Not` before a condition, and the condition, whose token may lack its brackets; or the bracket that ends a list. */
const PART =
  /(?:(Not)[ \t]*)?(?:<([^<>\s]{1,2000})>|(\w[\w+.-]{0,30}:[^<>()[\]\s]{1,200})|\[((?:W\/)?"[^"]{0,2000}")\])|(\))/iy;
/** What a list begins with: a resource, then the bracket. */
const START = /(?:<([^<>\s]{1,8000})>[ \t]*)?\(/y;

/**
 * Reads an If header: at least one list, all of them tagged or none, or a lock token alone, as some clients send it. 400 header.invalid for anything else, and beyond a hundred
 * conditions.
 */
export function parseIf(header: string): ConditionList[] {
  const lists: ConditionList[] = [];
  const text = header.trimEnd();
  const alone = tokenIn(text);
  if (alone !== undefined) return [{ resource: undefined, conditions: [{ not: false, kind: "token", value: alone }] }];
  let resource: string | undefined;
  let total = 0;
  for (let at = afterBlanks(text, 0); at < text.length; ) {
    const start = matchAt(START, text, at);
    if (!start) throw invalid("If");
    // A tag holds for the lists that follow it, up to the next one.
    if (start[1] !== undefined && lists.length > 0 && resource === undefined) throw invalid("If");
    resource = start[1] ?? resource;
    const { conditions, end } = conditionsAt(text, at + start[0].length);
    total += conditions.length;
    if (conditions.length === 0 || total > MOST_CONDITIONS) throw invalid("If");
    lists.push({ resource, conditions });
    at = afterBlanks(text, end);
  }
  if (lists.length === 0) throw invalid("If");
  return lists;
}

function conditionsAt(text: string, from: number): { conditions: Condition[]; end: number } {
  const conditions: Condition[] = [];
  for (let at = afterBlanks(text, from); conditions.length <= MOST_CONDITIONS; ) {
    const part = matchAt(PART, text, at);
    if (!part) break;
    at = afterBlanks(text, at + part[0].length);
    if (part[5] !== undefined) return { conditions, end: at };
    const [, not, bracketed, bare, etag] = part;
    const token = bracketed ?? bare;
    const value = token ?? etag ?? "";
    conditions.push({ not: not !== undefined, kind: token === undefined ? "etag" : "token", value });
  }
  throw invalid("If");
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const own = new RegExp(pattern);
  own.lastIndex = at;
  return own.exec(text);
}

/** The tokens that a request submits by its If header, in whichever list they stand (section 10.4.1). */
export const tokensOf = (lists: readonly ConditionList[]): string[] => [
  ...new Set(lists.flatMap(({ conditions }) => conditions.flatMap((one) => (one.kind === "token" ? [one.value] : [])))),
];

/** Whether a list holds, that is whether a request may go on (section 10.4.3). Asks once for each resource. */
export async function holdsIf(
  lists: readonly ConditionList[],
  stateOf: (resource: string | undefined) => Promise<ResourceState>,
): Promise<boolean> {
  const states = new Map<string | undefined, ResourceState>();
  for (const { resource, conditions } of lists) {
    const state = states.get(resource) ?? (await stateOf(resource));
    states.set(resource, state);
    if (conditions.every((condition) => holds(condition, state) !== condition.not)) return true;
  }
  return false;
}

const holds = ({ kind, value }: Condition, { etag, tokens }: ResourceState): boolean =>
  kind === "token" ? tokens.includes(value) : etag !== undefined && sameStrongTag(value, etag);
