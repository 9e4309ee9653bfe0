import type { Language } from "#contract/languages";

/** The request that a share's page sends before its scripts are loaded (web/page-prefetch.ts). */
interface SharePrefetch {
  readonly url: string;
  readonly language: Language;
  readonly answer: Promise<Response>;
  readonly stop: () => void;
}

declare global {
  interface Window {
    sharePrefetch?: SharePrefetch | undefined;
  }
}

/** Returns the answer to a request that was sent early, once; undefined for any other request, and from the second call on. */
export function takeSharePrefetch(
  url: string,
  request: RequestInit,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const prefetched = window.sharePrefetch;
  if (prefetched?.url !== url || request.method !== "GET") return undefined;
  window.sharePrefetch = undefined;
  const headers = new Headers(request.headers);
  // It was sent without a credential.
  if (headers.has("authorization") || headers.get("accept-language") !== prefetched.language || signal.aborted) {
    prefetched.stop();
    return undefined;
  }
  signal.addEventListener("abort", prefetched.stop, { once: true });
  return prefetched.answer;
}
