import { jwt } from "@elysiajs/jwt";
import type { Clock } from "../lib/clock.ts";
import { Lru } from "../lib/lru.ts";
import { deriveKey } from "../lib/secret.ts";

/** Signs and reads the tokens that name a session (JWT, RFC 7519, HS256). */
export interface Tokens {
  sign(sessionId: string, expiresAt: number): Promise<string>;
  /** The session a token names, or undefined when it is altered, expired or none of ours. */
  read(token: string): Promise<string | undefined>;
}

interface Claims {
  readonly sessionId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const LONGEST_TOKEN = 1000;

/** A token's signature never changes, so a token once found valid is remembered (500 at most); its expiry is checked each time. */
export function createTokens(secret: string, clock: Clock): Tokens {
  const { jwt: signer } = jwt({ name: "jwt", secret: deriveKey(secret, "session tokens") }).decorator;
  const known = new Lru<string, Claims>(500);

  const verify = async (token: string): Promise<Claims | undefined> => {
    const claims = await signer.verify(token, { currentDate: new Date(clock()), algorithms: ["HS256"] });
    if (!claims || typeof claims.sub !== "string" || typeof claims.exp !== "number") return undefined;
    return { sessionId: claims.sub, expiresAt: claims.exp * 1000 };
  };

  return {
    sign: (sessionId, expiresAt) => signer.sign({ sub: sessionId, exp: Math.floor(expiresAt / 1000), iat: false }),
    async read(token) {
      if (token.length > LONGEST_TOKEN) return undefined;
      const claims = known.get(token) ?? (await verify(token));
      if (!claims || claims.expiresAt <= clock()) return undefined;
      known.set(token, claims);
      return claims.sessionId;
    },
  };
}
