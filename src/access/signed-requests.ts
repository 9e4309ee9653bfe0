import { limitedAddress } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import { createPolicyVerifier, type PostFields } from "../lib/signatures/post-policy.ts";
import { type SignedByVersion2, verifyVersion2 } from "../lib/signatures/sigv2-verify.ts";
import {
  createVerifier,
  type Refusal,
  type RequestParts,
  type Signed,
  type VerifyOptions,
} from "../lib/signatures/sigv4-verify.ts";
import type { Sender } from "./basic.ts";
import type { Signing } from "./identify.ts";
import { isBeyondGuessing, type KeyGuesses } from "./key-check.ts";
import type { Keys } from "./keys.ts";
import type { KeyCaller, LinkCaller } from "./principal.ts";
import { requireNetwork } from "./rights.ts";

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
  /** As for `createIdentify`. */
  readonly synced: () => Promise<void>;
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
