import type { Socket } from "node:net";
import type { AddressPolicy } from "../../../src/lib/addresses.ts";
import { createSafeFetch, SourceError, type SourceLimits } from "../../../src/lib/safe-fetch.ts";

export const anywhere: AddressPolicy = { forbids: () => false };

interface Given {
  readonly policy?: AddressPolicy;
  readonly resolve?: (host: string) => readonly string[];
  readonly limits?: Partial<SourceLimits>;
}

export const safe = ({ policy = anywhere, resolve = () => ["127.0.0.1"], limits }: Given = {}) =>
  createSafeFetch({
    fetch,
    policy,
    resolve: async (host) => resolve(host),
    clock: () => performance.now(),
    ...(limits && { limits }),
  });

/** What comes of a URL: its bytes, or the name of its problem. */
export async function outcome(url: string, given: Given = {}, most = 1000): Promise<string> {
  try {
    const answer = await safe(given)(url, { method: "GET" });
    return `${answer.status} ${await new Response(answer.body(most)).text()}`;
  } catch (error) {
    return error instanceof SourceError ? error.problem : String(error);
  }
}

export const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
export const say = (text: string | Uint8Array) => (socket: Socket) => void socket.end(text);
