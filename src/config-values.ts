import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { parseEnv } from "node:util";
import { isBasePath } from "#contract/base-path";
import { isUsername } from "#contract/fields";
import { type AddressSet, addressSet } from "./lib/addresses.ts";
import { messageOf } from "./lib/errors.ts";
import type { MailServer } from "./webhooks/mail.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of an environment. What is wrong with one becomes a problem, which never repeats a secret. */
export interface Values {
  /** An empty variable counts as none. */
  given(name: string): string | undefined;
  /** As `given`, or the text of the file that `<name>_FILE` names, as containers hand secrets out. */
  secret(name: string): string | undefined;
  /** The value that `read` makes of a text. */
  check<Value>(name: string, text: string, read: (text: string) => Value | undefined, wanted: string): Value;
}

/** Bytes of a file that holds a secret or an environment. */
const MAX_FILE = 65_536;

/** A file that somebody named. Throws a sentence when there is none, or too much in it. */
function readNamed(file: string): string {
  if (statSync(file).size > MAX_FILE) throw new Error("it is too large");
  return readFileSync(file, "utf8");
}

/**
 * The environment with the variables of a file of `NAME=VALUE` lines (Node's util.parseEnv), at most 64 KiB; a variable that is set
 * to something wins over the file's.
 */
export function withFile(environment: Environment, file: string, problems: string[]): Environment {
  try {
    const set = Object.entries(environment).filter(([, value]) => value);
    return { ...parseEnv(readNamed(file)), ...Object.fromEntries(set) };
  } catch (error) {
    problems.push(`--env names a file that cannot be used: ${messageOf(error)}.`);
    return environment;
  }
}

export function createValues(environment: Environment, problems: string[]): Values {
  const given = (name: string) => environment[name] || undefined;

  const fromFile = (name: string, file: string): string | undefined => {
    try {
      const text = readNamed(file).replace(/\r?\n$/, "");
      if (text === "") throw new Error("it is empty");
      return text;
    } catch (error) {
      problems.push(`${name} names a file that cannot be used: ${messageOf(error)}.`);
      return undefined;
    }
  };

  return {
    given,
    secret(name) {
      const [text, file] = [given(name), given(`${name}_FILE`)];
      if (text !== undefined && file !== undefined) problems.push(`Only one of ${name} and ${name}_FILE may be set.`);
      return text ?? (file === undefined ? undefined : fromFile(`${name}_FILE`, file));
    },
    check<Value>(name: string, text: string, read: (text: string) => Value | undefined, wanted: string) {
      const value = read(text);
      if (value === undefined) problems.push(`${name} must be ${wanted}.`);
      return value as Value;
    },
  };
}

/** How each value is read. Undefined is one that is not acceptable. */

export const wholeNumber = (minimum: number, maximum: number) => (text: string) => {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
};

export const oneOf =
  <Option extends string>(options: readonly Option[]) =>
  (text: string) =>
    options.find((option) => option === text);

export const HOST_WANTED = "an address or a name without a port, as in 0.0.0.0";

/** An address, IPv6 in brackets or without them, or the name of one. */
export const host = (text: string) =>
  isIP(text.replace(/^\[(.*)\]$/, "$1")) !== 0 || /^[\w.-]{1,253}$/.test(text) ? text : undefined;

export const username = (text: string) => (isUsername(text) ? text : undefined);

/** The readers below wrap their value, so that "not given" differs from "not acceptable". */
export const password = (text: string) => {
  if (text === "") return { value: undefined };
  return text.length >= 8 && text.length <= 128 ? { value: text } : undefined;
};

export const secretKey = (text: string) => {
  if (text === "") return { value: undefined };
  return text.length >= 16 ? { value: text } : undefined;
};

export const DATABASE_WANTED = "the address of a database, as in postgres://user:password@host:port/database";

/** It may hold a password, so no message repeats it. */
export function databaseUrl(text: string): { value: string | undefined } | undefined {
  if (text === "") return { value: undefined };
  const url = URL.parse(text);
  const isWhole =
    url &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    url.hostname !== "" &&
    url.pathname.length > 1 &&
    !/%(?![0-9a-f]{2})/i.test(text);
  return isWhole ? { value: text } : undefined;
}

/** An address of the web, as its origin and a base path. */
export function publicAddress(text: string): { value: { origin: string; path: string } | undefined } | undefined {
  if (text === "") return { value: undefined };
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  const path = url.pathname.replace(/\/$/, "");
  return path === "" || isBasePath(path) ? { value: { origin: url.origin, path } } : undefined;
}

/** A base path; a single slash is the root of the host. */
export function basePath(text: string): { value: string | undefined } | undefined {
  if (text === "" || text === "/") return { value: text === "" ? undefined : "" };
  return isBasePath(text) ? { value: text } : undefined;
}

export function webAddress(text: string): { value: string | undefined } | undefined {
  if (text === "") return { value: undefined };
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? { value: url.href } : undefined;
}

/** Addresses and networks with commas between. */
export function networks(name: string, text: string, problems: string[]): AddressSet {
  const entries = text.split(",").flatMap((entry) => entry.trim() || []);
  const [set, wrong] = addressSet(entries);
  if (wrong.length > 0) problems.push(`${name} must be addresses or networks: ${wrong.join(", ")} is none.`);
  return set;
}

export const MAIL_WANTED =
  "the address of a mail server, as in smtps://user:password@mail.example or smtp://localhost:25?tls=optional; tls is required, optional or none";

const TLS = ["required", "optional", "none"] as const;
const MAIL_PORTS = { "smtp:": 587, "smtps:": 465 } as const;

/** A mail server; it may hold a password, so no message repeats it. A password is sent over TLS alone unless `tls` says otherwise. */
export function mailServer(text: string): { value: Omit<MailServer, "from"> | undefined } | undefined {
  if (text === "") return { value: undefined };
  const url = URL.parse(text);
  if (!url || !(url.protocol === "smtp:" || url.protocol === "smtps:") || url.hostname === "") return undefined;
  if (/%(?![0-9a-f]{2})/i.test(url.username + url.password) || !["", "/"].includes(url.pathname)) return undefined;
  const usual = url.username === "" ? "optional" : "required";
  const tls = TLS.find((one) => one === (url.searchParams.get("tls") ?? usual));
  if (!tls || [...url.searchParams.keys()].some((name) => name !== "tls")) return undefined;
  return {
    value: {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? MAIL_PORTS[url.protocol] : Number(url.port),
      tls: url.protocol === "smtps:" ? "implicit" : tls,
      user: url.username === "" ? undefined : decodeURIComponent(url.username),
      password: url.password === "" ? undefined : decodeURIComponent(url.password),
    },
  };
}

/** An address of mail, or a name and one: `Satchel <satchel@host.example>`. */
export const mailFrom = (text: string): { value: string | undefined } | undefined => {
  if (text === "") return { value: undefined };
  return /^(?:[^<>\p{Cc}]{1,100} )?<?[^\s@<>,]{1,64}@[^\s@<>,]{1,190}>?$/u.test(text) ? { value: text } : undefined;
};
