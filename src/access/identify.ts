import { Failure, type FailureCode } from "#contract/failures";
import type { Basic } from "./basic.ts";
import type { CheckKey } from "./key-check.ts";
import { anonymous, type Principal } from "./principal.ts";
import type { Sessions } from "./sessions.ts";

/** Who a request comes from, and why the credential that it carried was refused. */
export interface Identity {
  readonly principal: Principal;
  readonly refused?: FailureCode;
}

/** 429 limit.wait when an address guesses too often. */
export type Identify = (headers: Headers, address: string) => Promise<Identity>;

interface IdentifyNeeds {
  readonly sessions: Sessions;
  readonly checkKey: CheckKey;
  readonly basic: Basic;
}

/** One request's credential, without the name of its scheme. */
interface Claim {
  readonly credential: string;
  readonly headers: Headers;
  readonly address: string;
}

const nobody: Identity = { principal: anonymous };
const refuse = (refused: FailureCode): Identity => ({ principal: anonymous, refused });

/** Reads the credential of a request; nothing else does. Schemes are case-insensitive (RFC 9110 section 11.1). */
export function createIdentify({ sessions, checkKey, basic }: IdentifyNeeds): Identify {
  const bearer = async ({ credential }: Claim): Promise<Identity> => {
    const sessionId = await sessions.resume(credential);
    return sessionId ? { principal: { kind: "admin", sessionId } } : refuse("auth.expired");
  };

  const apiKey = async ({ credential, address }: Pick<Claim, "credential" | "address">): Promise<Identity> => {
    const principal = await checkKey(credential, address);
    return principal ? { principal } : refuse("key.invalid");
  };

  /** Browsers send a remembered Basic credential by themselves, so one that another site's page sent along says nothing. */
  const basicAuth = async ({ credential, headers, address }: Claim): Promise<Identity> => {
    if (headers.get("sec-fetch-site") === "cross-site") return refuse("auth.expired");
    const text = Buffer.from(credential, "base64").toString("utf8");
    // A password may contain colons, a name may not (RFC 7617 section 2).
    const colon = text.indexOf(":");
    if (colon < 0) return refuse("login.wrong");
    try {
      return { principal: await basic({ username: text.slice(0, colon), password: text.slice(colon + 1) }, address) };
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

  return async (headers, address) => {
    const header = headers.get("authorization");
    if (header === null) {
      const key = headers.get("x-custom-auth-key") ?? headers.get("x-api-key");
      return key === null ? nobody : await apiKey({ credential: key, address });
    }
    const [scheme = "", credential, more] = header.split(" ");
    const read = schemes.get(scheme.toLowerCase());
    if (!read || !credential || more !== undefined) return refuse("auth.expired");
    return await read({ credential, headers, address });
  };
}
