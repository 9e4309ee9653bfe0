import { Failure, type FailureCode } from "#contract/failures";
import { BASIC_REMEMBERED } from "#contract/limits";
import { allows } from "#contract/permissions";
import { limitedAddress } from "../lib/addresses.ts";
import { Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { createPolicyVerifier, type PostFields } from "../lib/post-policy.ts";
import { deriveKey, mac, sameText } from "../lib/secret.ts";
import { type SignedByVersion2, verifyVersion2 } from "../lib/sigv2-verify.ts";
import {
  createVerifier,
  type Refusal,
  type RequestParts,
  type Signed,
  type VerifyOptions,
} from "../lib/sigv4-verify.ts";
import { createSingleFlight } from "../lib/turns.ts";
import { type Admin, epochOf } from "./admin.ts";
import type { AccountRow } from "./admin-table.ts";
import { type CheckKey, isBeyondGuessing, type KeyGuesses } from "./key-check.ts";
import type { Keys } from "./keys.ts";
import {
  anonymous,
  type Caller,
  type EnteredLink,
  type KeyCaller,
  type LinkCaller,
  type Principal,
  type TreeCaller,
} from "./principal.ts";
import { requireNetwork } from "./rights.ts";
import type { Sessions } from "./sessions.ts";
import type { Credentials } from "./sign-in.ts";

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
  readonly synced: CaughtUp;
}

/** Returns when what other servers have changed is known here: who calls this server next has seen what another answered. */
type CaughtUp = () => Promise<void>;

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
type Signing = "query" | "header" | "query of version 2" | "header of version 2" | undefined;

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

/** Links by the names with which requests to S3 are signed. */
export interface LinkSigners {
  /** Whatever the state of the link is; undefined where there is none. */
  find(slug: string): Promise<LinkSigner | undefined>;
}

interface LinkSigner {
  readonly secret: string;
  /** Opens the link, or goes on with an opening, for whoever has signed. 403 link.network; 404, 410, 429. */
  enter(sender: Sender): Promise<LinkCaller>;
}

interface SignedDeps {
  readonly links: LinkSigners;
  readonly keys: Pick<Keys, "signer">;
  readonly guesses: KeyGuesses;
  readonly clock: Clock;
  readonly synced: CaughtUp;
}

/** A request that may be signed for S3. */
interface SignedRequest extends Omit<RequestParts, "authorization"> {
  readonly signing: Signing;
}

/** A form whose policy is signed for S3. */
interface SignedForm {
  readonly signing: "form";
  readonly fields: PostFields;
}

type SignedIdentity =
  | { readonly ok: true; readonly caller: KeyCaller | LinkCaller; readonly signature: Signed | SignedByVersion2 }
  | { readonly ok: false; readonly reason: Refusal };

/**
 * Finds the key that signed a request to S3: its access key id names it, and the key itself is the secret. A link is named by its slug, where
 * no key has that for its id; a wrong signature says no more of it than a wrong name. Who tries signatures for
 * a key that somebody chose is slowed down as for the key itself, and one that has worked from an address goes on to. 429 limit.wait.
 */
export function createSignedIdentify({ keys, links, guesses, clock, synced }: SignedDeps) {
  const verifyVersion4 = createVerifier();
  const verifyPolicy = createPolicyVerifier();

  const verify = (request: SignedRequest | SignedForm, options: VerifyOptions) => {
    if (request.signing === "form") return verifyPolicy(request.fields, options);
    if (request.signing === "query of version 2") return verifyVersion2(request, options);
    return verifyVersion4({ ...request, authorization: request.headers.get("authorization") }, options);
  };

  /** Checks a signature by a key that `mayTry` allows; "guessable" where it does not. */
  const check = async (
    request: SignedRequest | SignedForm,
    sender: Sender,
    mayTry: (secret: string) => boolean | Promise<boolean>,
  ): Promise<SignedIdentity | "guessable"> => {
    let signer: Awaited<ReturnType<Keys["signer"]>>;
    let link: LinkSigner | undefined;
    let isTried = false;
    const lookup = async (accessKey: string): Promise<string | undefined> => {
      signer = await keys.signer(accessKey);
      link = signer ? undefined : await links.find(accessKey);
      if (link) return link.secret;
      isTried = signer !== undefined && (await mayTry(signer.secret));
      return isTried ? signer?.secret : undefined;
    };
    const signature = await verify(request, { lookup, now: clock() });
    if (link && signature.ok) return { ok: true, caller: await enter(link, sender), signature };
    if (link && !signature.ok && signature.reason === "signature mismatch") return { ok: false, reason: "unknown key" };
    if (!signer) return signature.ok ? { ok: false, reason: "unknown key" } : signature;
    if (!isTried) return "guessable";
    if (signature.ok) {
      await guesses.noteWorked(signer.secret, sender.address);
      return { ok: true, caller: signer.caller, signature };
    }
    return signature;
  };

  return async (request: SignedRequest | SignedForm, sender: Sender): Promise<SignedIdentity> => {
    const { address } = sender;
    await synced();
    let isChosen = false;
    const first = await check(request, sender, async (secret) => {
      isChosen = !isBeyondGuessing(secret);
      return !isChosen || (await guesses.hasWorked(secret, address));
    });
    if (first !== "guessable") {
      // A wrong signature is a guess, where the key has worked as well.
      if (isChosen && !first.ok && first.reason === "signature mismatch") await guesses.miss(address);
      return first;
    }
    let found: SignedIdentity | "guessable" = first;
    await guesses.guess(address, async () => {
      found = await check(request, sender, () => true);
      return typeof found === "object" && found.ok;
    });
    return found === "guessable" ? { ok: false, reason: "unknown key" } : found;
  };
}

/** Whoever has signed with the secret of a link, as a visitor of it. 403 link.network; 404, 410, 429. */
async function enter(link: LinkSigner, sender: Sender): Promise<LinkCaller> {
  const caller = await link.enter(sender);
  requireNetwork(caller, sender.address);
  return { ...caller, network: limitedAddress(sender.address) };
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

interface BasicDeps {
  readonly admin: Admin;
  readonly checkKey: CheckKey;
  readonly links: BasicLinks;
  readonly synced: CaughtUp;
  readonly clock: Clock;
  readonly secret: string;
}

/** Links whose slug and password somebody sends as name and password; they are of another room. */
interface BasicLinks {
  /** Whoever opened a link so before, while that lasts. */
  known(credentials: Credentials, address: string): Promise<LinkCaller | undefined>;
  /** Opens a link; says why it does not, and undefined where there is none of this name. 429 limit.wait. */
  enter(credentials: Credentials, sender: Sender): Promise<EnteredLink | Failure | undefined>;
}

/** Who sends a name and a password. */
interface Sender {
  readonly address: string;
  /** User-Agent. */
  readonly agent?: string | null | undefined;
  /** As in Approach. */
  readonly takesKeys?: boolean | undefined;
}

/** The result of checking a name and a password against the account of that moment. */
interface Checked {
  readonly account: AccountRow;
  readonly right: boolean;
  readonly until: number;
}

const MAX_REMEMBERED = 1000;

/**
 * Checks HTTP Basic (RFC 7617): the administrator's name and password, any name with a key that may read by WebDAV as its password,
 * or the slug of a link with its password, which is any where the link has none.
 * Checking a password is expensive and such clients send it with every request, so the result is cached for five
 * minutes, by an HMAC of the whole credential, while the account stays unchanged. 401 login.wrong, 429 limit.wait.
 */
export function createBasic({ admin, checkKey, links, synced, clock, secret }: BasicDeps) {
  const hashKey = deriveKey(secret, "remembered credentials");
  const remembered = new Lru<string, Checked>(MAX_REMEMBERED);
  /** By credential and address. */
  const once = createSingleFlight<Checked>();

  const hashOf = ({ username, password }: Credentials): string =>
    mac(hashKey, JSON.stringify([username, password])).toString("base64url");

  /** The outcome of an earlier check, while the account is as it was. */
  const known = async (hash: string): Promise<Checked | undefined> => {
    const before = remembered.get(hash);
    if (!before || before.until <= clock()) return undefined;
    return (await admin.isStill(before.account)) ? before : undefined;
  };

  /** Checks and remembers a credential; whoever sends the same meanwhile waits for the same answer. */
  const check = (credentials: Credentials, hash: string, address: string): Promise<Checked> =>
    once(`${hash} ${address}`, async () => {
      const checked = { ...(await admin.check(credentials, address)), until: clock() + BASIC_REMEMBERED };
      remembered.set(hash, checked);
      return checked;
    });

  /** The account whose name and password these are; undefined when they are wrong. */
  const accountOf = async (credentials: Credentials, address: string): Promise<AccountRow | undefined> => {
    const hash = hashOf(credentials);
    const before = await known(hash);
    if (before) return before.right ? before.account : undefined;
    const checked = await check(credentials, hash, address);
    // The account may have been changed while the password was checked.
    return checked.right && (await admin.isStill(checked.account)) ? checked.account : undefined;
  };

  /**
   * The key that a password is, whatever the name. Somebody at the address who guesses keys must not keep the administrator out, so
   * a name with another password goes on to the account first, and hears of the limit only when it is none of that either.
   */
  const keyOf = async (
    { username, password }: Credentials,
    address: string,
    isOther: () => Promise<boolean>,
  ): Promise<KeyCaller | Failure | undefined> => {
    // Programs send an empty one where nobody typed any.
    if (password === "") return undefined;
    try {
      return await checkKey(password, address, isOther);
    } catch (error) {
      if (username === password || !(error instanceof Failure)) throw error;
      return error;
    }
  };

  /**
   * Returns the function that opens, once, the link that a name is, unless that is the administrator's own: nobody's link keeps them out.
   */
  const linkOf = (credentials: Credentials, sender: Sender) => {
    let entering: Promise<EnteredLink | Failure | undefined> | undefined;
    const enter = async (): Promise<EnteredLink | Failure | undefined> =>
      (await admin.isNamed(credentials.username)) ? undefined : await links.enter(credentials, sender);
    return () => (entering ??= enter());
  };

  return async (credentials: Credentials, sender: Sender): Promise<TreeCaller> => {
    const { address } = sender;
    // The account is read each time; what is in memory of keys and links is asked behind this.
    const [before] = await Promise.all([known(hashOf(credentials)), synced()]);
    if (before?.right) return { kind: "admin", sessionId: null, account: epochOf(before.account) };
    const visitor = await links.known(credentials, address);
    if (visitor) return visitor;
    const enterLink = linkOf(credentials, sender);
    const key = await keyOf(credentials, address, () => isByPassword(enterLink()));
    if (key && !(key instanceof Failure) && (sender.takesKeys || allows(key.permissions, "webdav_read"))) return key;
    const link = await enterLink();
    if (link && !(link instanceof Failure)) return link.caller;
    const account = link ? undefined : await accountOf(credentials, address);
    if (account) return { kind: "admin", sessionId: null, account: epochOf(account) };
    throw key instanceof Failure ? key : new Failure("login.wrong");
  };
}

/**
 * Reports whether a password opened a link. One that fails for whatever reason did not: were a guess at a key no guess
 * because the limit of links refused it, nothing would limit the guesses at keys.
 */
async function isByPassword(entering: Promise<EnteredLink | Failure | undefined>): Promise<boolean> {
  const link = await entering.catch(() => undefined);
  return link !== undefined && !(link instanceof Failure) && link.byPassword;
}

type Basic = ReturnType<typeof createBasic>;
