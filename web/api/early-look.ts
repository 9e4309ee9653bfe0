import type { Language } from "#contract/languages";

/** The request that a share's page sends before its scripts are loaded (web/arrive.ts). */
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

/** Returns the answer to a request that was sent early, once; undefined for any other request, and from the second call on. */
export function takeEarlyLook(url: string, request: RequestInit, signal: AbortSignal): Promise<Response> | undefined {
  const early = window.earlyLook;
  if (early?.url !== url || request.method !== "GET") return undefined;
  window.earlyLook = undefined;
  const headers = new Headers(request.headers);
  // It was sent without a credential.
  if (headers.has("authorization") || headers.get("accept-language") !== early.language || signal.aborted) {
    early.stop();
    return undefined;
  }
  signal.addEventListener("abort", early.stop, { once: true });
  return early.answer;
}
