/**
 * The options of a drop, in one vocabulary: as header `X-Share-NAME`, as query parameter or as form field. What scripts made for other servers
 * send is understood besides.
 */

import { Failure } from "#contract/failures";
import { instantField, LAST_INSTANT, looseNumber, looseSwitch, passwordField } from "#contract/fields";
import { MAX_FOLDER_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_VIEWS } from "#contract/limits";
import * as z from "#contract/schemas";
import { sealedText } from "#contract/upload-fields";
import { headerText, type RequestContext } from "../context.ts";
import { isLimitName, saysLimit } from "../limit-names.ts";

/** What becomes of a drop. What is not said is as for any other share. */
export interface DropOptions {
  /** An instant as ISO 8601; null is never. */
  readonly expires?: string | null | undefined;
  readonly views?: number | undefined;
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  /** A folder below the default folder of the storage. */
  readonly path?: string | undefined;
  readonly remark?: string | undefined;
  /** Of a text: whether it is shown as it was written. */
  readonly plain?: boolean | undefined;
  readonly storage?: string | undefined;
  readonly password?: string | undefined;
  /** Of a file that is sealed: its sealed name (docs/sealed.md). */
  readonly sealed?: string | undefined;
}

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const LONGEST = 1000;

/** The vocabulary. Of an option that is said in several places the form counts, then the header, then the query. */
const vocabulary = {
  expire: text(40),
  views: looseNumber(0, MAX_VIEWS),
  slug: text(LONGEST),
  name: text(LONGEST),
  path: text(MAX_FOLDER_CHARACTERS),
  remark: text(MAX_REMARK_CHARACTERS),
  plain: looseSwitch,
  storage: text(LONGEST),
  password: passwordField,
  sealed: sealedText,
} as const;

type Name = keyof typeof vocabulary;

/** What those take that are more than text, as somebody may write it. */
const examples: Partial<Readonly<Record<Name, string>>> = {
  expire: "30m, 12h, 7d, 2026-12-31, never",
  views: "0, 1, 10",
  plain: "true, false",
};

/** 400 option.invalid with the name of the option, and what it takes. */
function invalid(name: Name): Failure {
  const example = examples[name];
  return new Failure("option.invalid", { option: example === undefined ? name : `${name} (${example})` });
}

const isName = (name: string): name is Name => Object.hasOwn(vocabulary, name);

/** Names of headers as transfer.sh and rustypaste have them. */
const headerAliases: Readonly<Record<string, Name | "days">> = {
  "max-downloads": "views",
  "max-days": "days",
  expire: "expire",
  filename: "name",
};

/**
 * Other names of query parameters and form fields: that of 0x0.st, whose `secret` asks for a slug that nobody guesses, which all are here, and
 * those that the API has. A limit that was said under one of them is not to be missed.
 */
const aliases: Readonly<Record<string, Name>> = { expires: "expire", expires_at: "expire", max_views: "views" };

/** The option of that name; undefined where it is none. */
const named = (said: string): Name | undefined =>
  isName(said) ? said : Object.hasOwn(aliases, said) ? aliases[said] : undefined;

/** The option of that name; undefined where it is none and says nothing. 400 option.unknown for what looks like a limit. */
function optionOf(said: string, value: unknown): Name | undefined {
  const name = named(said);
  if (name === undefined && saysLimit(said, value)) throw new Failure("option.unknown", { option: said });
  return name;
}

/** The name under which a form's field is read, as an option or as one that is refused; undefined for any other. */
export const optionNamed = (field: string): string | undefined =>
  named(field) !== undefined || isLimitName(field) ? field : undefined;

const PREFIX = "x-share-";

/** What the headers say, by option. 400 option.unknown for an X-Share header that is none: a typing error would else make a share without its limits. */
function inHeaders(headers: Headers): Record<string, string> {
  const said: Record<string, string> = {};
  for (const [alias, name] of Object.entries(headerAliases)) {
    const value = headerText(headers, alias);
    if (value !== undefined) said[name] = value;
  }
  for (const header of headers.keys()) {
    if (!header.startsWith(PREFIX)) continue;
    const name = header.slice(PREFIX.length);
    if (!isName(name)) throw new Failure("option.unknown", { option: header });
    said[name] = headerText(headers, header) ?? "";
  }
  return said;
}

/** 400 option.passwordInAddress, option.invalid, option.unknown. */
function inQuery({ query }: Pick<RequestContext, "query">): Record<string, string> {
  if ("password" in query.values) throw new Failure("option.passwordInAddress");
  const said: Record<string, string> = {};
  for (const [parameter, value] of Object.entries(query.values)) {
    const name = optionOf(parameter, value);
    if (name === undefined) continue;
    // Also when it is said by two of its names.
    if (typeof value !== "string" || said[name] !== undefined) throw invalid(name);
    said[name] = value;
  }
  return said;
}

/** 400 option.invalid for one that is said by two of its names, option.unknown. */
function inForm(fields: ReadonlyMap<string, string>): Record<string, string> {
  const said: Record<string, string> = {};
  for (const [field, value] of fields) {
    const name = optionOf(field, value);
    if (name === undefined || value === "") continue;
    if (said[name] !== undefined) throw invalid(name);
    said[name] = value;
  }
  return said;
}

const HOUR = 3_600_000;
const units: Readonly<Record<string, number>> = { m: HOUR / 60, h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** As long as that: `30m`, `2 hours`, `7days`. */
const SPAN = /^(\d{1,6})\s*(?:(m)(?:ins?|inutes?)?|(h)(?:rs?|ours?)?|(d)(?:ays?)?|(w)(?:eeks?)?)$/i;
/** A day, which ends at its end in UTC. */
const DATE = /^\d{4}-\d\d-\d\d$/;
/** 0x0.st takes a number for hours, and one that is as long as this for epoch milliseconds. */
const EPOCH_DIGITS = 12;

/**
 * When something ends of which that is said: after a span, at an instant (ISO 8601), at the end of a day in UTC, or `never`, which is null; numbers
 * are hours, or epoch milliseconds. Undefined where nothing is said. 400 option.invalid.
 */
export function expiryOf(said: string | undefined, now: number): string | null | undefined {
  if (said === undefined) return undefined;
  const expires = instantIn(said, now);
  if (expires === undefined) throw invalid("expire");
  return expires;
}

/** Undefined for what is none. */
function instantIn(value: string, now: number): string | null | undefined {
  const said = value.trim();
  if (/^(?:never|0)$/i.test(said)) return null;
  const [, count, ...words] = SPAN.exec(said) ?? [];
  if (count !== undefined) return iso(now + Number(count) * (units[words.join("").toLowerCase()] ?? 0));
  if (/^\d{1,15}$/.test(said)) return iso(said.length >= EPOCH_DIGITS ? Number(said) : now + Number(said) * HOUR);
  if (DATE.test(said)) return iso(Date.parse(`${said}T23:59:59.999Z`));
  return z.safeParse(instantField, said).success ? iso(Date.parse(said)) : undefined;
}

const iso = (instant: number): string | undefined =>
  instant >= 0 && instant <= LAST_INSTANT ? new Date(instant).toISOString() : undefined;

/** Days as transfer.sh has them. */
const spanOf = (days: string): string => `${days}d`;

/** One value. 400 option.invalid with the name of the option. */
function readOption<Named extends Name>(name: Named, said: string): z.output<(typeof vocabulary)[Named]> {
  const read = z.safeParse(vocabulary[name], said);
  if (!read.success) throw invalid(name);
  return read.data as z.output<(typeof vocabulary)[Named]>;
}

/** The options of a request; `fields` are those of its form. 400 option.invalid, option.unknown, option.passwordInAddress. */
export function optionsOf(
  request: Request,
  context: Pick<RequestContext, "query">,
  fields: ReadonlyMap<string, string>,
  now: number,
): DropOptions {
  const { days, ...said } = { ...inQuery(context), ...inHeaders(request.headers), ...inForm(fields) };
  const read = <Named extends Name>(name: Named) =>
    said[name] === undefined ? undefined : readOption(name, said[name]);
  const expire = read("expire") ?? (days === undefined ? undefined : spanOf(days));
  return {
    expires: expiryOf(expire, now),
    views: read("views"),
    slug: read("slug"),
    name: read("name"),
    path: read("path"),
    remark: read("remark"),
    plain: read("plain"),
    storage: read("storage"),
    password: read("password"),
    sealed: read("sealed"),
  };
}
