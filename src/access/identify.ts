import { anonymous, type Principal } from "./principal.ts";
import type { Sessions } from "./sessions.ts";

/** Who a request comes from, and whether it carried a credential that was refused. */
export interface Identity {
  readonly principal: Principal;
  readonly refused: boolean;
}

export type Identify = (headers: Headers) => Promise<Identity>;

const nobody: Identity = { principal: anonymous, refused: false };
const refused: Identity = { principal: anonymous, refused: true };

/** Reads the credential of a request; nothing else does. Schemes are case-insensitive (RFC 9110 section 11.1). */
export function createIdentify({ sessions }: { sessions: Sessions }): Identify {
  const bearer = async (token: string): Promise<Identity> => {
    const sessionId = await sessions.resume(token);
    return sessionId ? { principal: { kind: "admin", sessionId }, refused: false } : refused;
  };
  const schemes = new Map([["bearer", bearer]]);

  return async (headers) => {
    const header = headers.get("authorization");
    if (!header) return nobody;
    const [scheme = "", credential, more] = header.split(" ");
    const read = schemes.get(scheme.toLowerCase());
    if (!read || !credential || more !== undefined) return refused;
    return await read(credential);
  };
}
