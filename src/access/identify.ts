import { Failure, type FailureCode } from "#contract/failures";
import { sameText } from "../lib/secret.ts";
import type { Basic } from "./basic.ts";
import type { CheckKey } from "./key-check.ts";
import { anonymous, type Caller, type LinkCaller, type Principal } from "./principal.ts";
import { requireNetwork } from "./rights.ts";
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
  /** Whether a key may also stand in the place of a session, and of a password without the right to WebDAV. */
  readonly takesKeys?: boolean | undefined;
}

/** 429 limit.wait when an address guesses too often. */
export type Identify = (headers: Headers, approach: Approach) => Promise<Identity>;

interface IdentifyDeps {
  readonly sessions: Sessions;
  readonly checkKey: CheckKey;
  readonly basic: Basic;
  /** Whoever has opened a link, by the grant that they were given; undefined when it is void. */
  readonly callerByGrant: (grant: string) => Promise<LinkCaller | undefined>;
  /** Returns when what other servers have changed is known here: who calls this server next has seen what another answered. */
  readonly synced: () => Promise<void>;
}

/** Finds whoever is signed in where nobody has to be, and refuses nothing: undefined for all others, for ended sessions and lost keys. */
export const createSignedIn =
  (identify: Identify) =>
  async (headers: Headers, approach: Approach): Promise<Caller | undefined> => {
    // As pages send it. HTTP Basic would open the link that its name is, which may spend something.
    if (!/^(?:bearer|apikey) /i.test(headers.get("authorization") ?? "")) return undefined;
    try {
      const { principal } = await identify(headers, approach);
      return principal.kind === "admin" || principal.kind === "key" ? principal : undefined;
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  };

/** One request's credential, without the name of its scheme. */
interface Claim {
  readonly credential: string;
  readonly headers: Headers;
  readonly approach: Approach;
}

/** How a request to S3 says that it is signed; a header of version 2 is not served any more. */
export type Signing = "query" | "header" | "query of version 2" | "header of version 2" | undefined;

/** How a request is signed; what its query says comes first, because a redirect may carry a header along. */
export function signingOf(headers: Headers, parameters: Readonly<Record<string, unknown>>): Signing {
  if ("X-Amz-Algorithm" in parameters) return "query";
  if ("AWSAccessKeyId" in parameters) return "query of version 2";
  const header = headers.get("authorization") ?? "";
  if (header.startsWith("AWS4-HMAC-SHA256")) return "header";
  return header.startsWith("AWS ") ? "header of version 2" : undefined;
}

/** The password of HTTP Basic, by whatever name, of whoever sends by a link; the address would show it to everybody on the way. */
export function basicPassword(headers: Headers): string {
  const [scheme = "", credential = ""] = (headers.get("authorization") ?? "").split(" ");
  if (scheme.toLowerCase() !== "basic") return "";
  const text = Buffer.from(credential, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}

const nobody: Identity = { principal: anonymous };
const refuse = (refused: FailureCode): Identity => ({ principal: anonymous, refused });

/** Reports whether a request carries this token (RFC 6750), in constant time. */
export const bearsToken = (headers: Headers, token: string): boolean =>
  sameText(headers.get("authorization") ?? "", `Bearer ${token}`);

/** Reads the credential of a request; nothing else does. Schemes are case-insensitive (RFC 9110 section 11.1). */
export function createIdentify({ sessions, checkKey, basic, callerByGrant, synced }: IdentifyDeps): Identify {
  const bearer = async ({ credential, headers, approach }: Claim): Promise<Identity> => {
    // The table of sessions is read each time, so the two need not wait for each other.
    const [sessionId] = await Promise.all([sessions.resume(credential), synced()]);
    if (sessionId) return { principal: { kind: "admin", sessionId } };
    return approach.takesKeys ? await apiKey({ credential, headers, approach }) : refuse("auth.expired");
  };

  const apiKey = async ({ credential, approach }: Claim): Promise<Identity> => {
    await synced();
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
      const principal = await basic(credentials, {
        ...{ address: approach.address, takesKeys: approach.takesKeys },
        agent: headers.get("user-agent"),
      });
      requireNetwork(principal, approach.address);
      return { principal };
    } catch (error) {
      if (error instanceof Failure && error.code === "login.wrong") return refuse(error.code);
      throw error;
    }
  };

  const link = async ({ credential, approach }: Claim): Promise<Identity> => {
    await synced();
    const principal = await callerByGrant(credential);
    if (!principal) return refuse("grant.void");
    requireNetwork(principal, approach.address);
    return { principal };
  };

  const schemes = new Map([
    ["link", link],
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
