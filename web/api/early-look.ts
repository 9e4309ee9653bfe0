import type { Language } from "#contract/languages";

/** What the page of a share has asked before its scripts were there (web/arrive.ts). */
interface EarlyLook {
  readonly url: string;
  readonly language: Language;
  readonly answer: Promise<Response>;
  readonly stop: () => void;
}

declare global {
  interface Window {
    earlyLook?: EarlyLook | undefined;
  }
}

/** The answer to a request that was sent early; undefined for any other one, and from the second time on. */
export function takeEarlyLook(url: string, request: RequestInit, signal: AbortSignal): Promise<Response> | undefined {
  const early = window.earlyLook;
  if (early?.url !== url || request.method !== "GET") return undefined;
  window.earlyLook = undefined;
  const headers = new Headers(request.headers);
  // It was asked by somebody who is signed in nowhere.
  if (headers.has("authorization") || headers.get("accept-language") !== early.language || signal.aborted) {
    early.stop();
    return undefined;
  }
  signal.addEventListener("abort", early.stop, { once: true });
  return early.answer;
}
