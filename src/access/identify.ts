import { Failure, type FailureCode } from "#contract/failures";
import type { Basic } from "./basic.ts";
import type { CheckKey } from "./key-check.ts";
import { anonymous, type Principal } from "./principal.ts";
import type { Sessions } from "./sessions.ts";

/** The caller of a request, and why the credential of the request was refused. */
interface Identity {
  readonly principal: Principal;
  readonly refused?: FailureCode;
}

/** What identifies the sender besides its headers. */
interface Approach {
  /** The caller's address. */
  readonly address: string;
  /** The hosts under which the caller may have reached this server. */
  hosts(): readonly string[];
}

/** 429 limit.wait when an address guesses too often. */
export type Identify = (headers: Headers, approach: Approach) => Promise<Identity>;

interface IdentifyDeps {
  readonly sessions: Sessions;
  readonly checkKey: CheckKey;
  readonly basic: Basic;
}

/** One request's credential, without the name of its scheme. */
interface Claim {
  readonly credential: string;
  readonly headers: Headers;
  readonly approach: Approach;
}

const nobody: Identity = { principal: anonymous };
const refuse = (refused: FailureCode): Identity => ({ principal: anonymous, refused });

/** Reads the credential of a request; nothing else does. Schemes are case-insensitive (RFC 9110 section 11.1). */
export function createIdentify({ sessions, checkKey, basic }: IdentifyDeps): Identify {
  const bearer = async ({ credential }: Claim): Promise<Identity> => {
    const sessionId = await sessions.resume(credential);
    return sessionId ? { principal: { kind: "admin", sessionId } } : refuse("auth.expired");
  };

  const apiKey = async ({ credential, approach }: Claim): Promise<Identity> => {
    const principal = await checkKey(credential, approach.address);
    return principal ? { principal } : refuse("key.invalid");
  };

  const basicAuth = async ({ credential, headers, approach }: Claim): Promise<Identity> => {
    if (isForeign(headers, approach)) return refuse("auth.expired");
    const text = Buffer.from(credential, "base64").toString("utf8");
    // A password may contain colons, a name may not (RFC 7617 section 2).
    const colon = text.indexOf(":");
    if (colon < 0) return refuse("login.wrong");
    try {
      const credentials = { username: text.slice(0, colon), password: text.slice(colon + 1) };
      return { principal: await basic(credentials, approach.address) };
    } catch (error) {
      if (error instanceof Failure && error.code === "login.wrong") return refuse(error.code);
      throw error;
    }
  };

  const schemes = new Map([
    ["bearer", bearer],
    ["apikey", apiKey],
    ["basic", basicAuth],
  ]);

  return async (headers, approach) => {
    const header = headers.get("authorization");
    if (header === null) {
      const key = headers.get("x-custom-auth-key") ?? headers.get("x-api-key");
      return key === null ? nobody : await apiKey({ credential: key, headers, approach });
    }
    const [scheme = "", credential, more] = header.split(" ");
    const read = schemes.get(scheme.toLowerCase());
    if (!read || !credential || more !== undefined) return refuse("auth.expired");
    return await read({ credential, headers, approach });
  };
}

/**
 * Reports whether a page of another origin sent a request. Browsers attach a remembered Basic credential by themselves, so a
 * request from another site, host or port proves nothing (Fetch Metadata; older browsers send Origin with requests that
 * change something).
 */
function isForeign(headers: Headers, { hosts }: Approach): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  if (origin === null) return false;
  const sender = URL.parse(origin);
  return !sender?.host || !hosts().some((host) => URL.parse(`${sender.protocol}//${host}`)?.host === sender.host);
}
