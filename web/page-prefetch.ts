import { REQUEST_TIMEOUT } from "#contract/limits";
import { ADMIN, KEY } from "./api/session/credential-names.ts";
import { languageOf, preferredLanguages } from "./i18n/language.ts";
import { ownPath, pathTo } from "./lib/base-path.ts";
import { browserStorage } from "./lib/storage.ts";

/**
 * A small script of its own on the pages that people come to first: the words of the app in the language of the browser are asked for while
 * the app is still on its way, and so is the share that somebody who follows a link came for. build.ts says in the page where both are;
 * exchange.ts takes the answer.
 */
function prefetch({ look, ...words }: DOMStringMap): void {
  const language = languageOf(browserStorage, preferredLanguages());
  for (const href of words[language]?.split(" ") ?? [])
    document.head.append(
      Object.assign(document.createElement("link"), {
        rel: "modulepreload",
        crossOrigin: "",
        fetchPriority: "low",
        href: pathTo(href),
      }),
    );

  const slug = look && slugIn(ownPath());
  // The app asks by itself where it came first, and for whoever is signed in.
  if (!slug || "servedPage" in window || browserStorage.get(ADMIN.token) || browserStorage.get(KEY.key)) return;
  const url = `${window.appConfig?.backendUrl ?? ""}${pathTo(look.replace(":slug", encodeURIComponent(slug)))}`;
  const stop = new AbortController();
  const answer = fetch(url, { headers: { "accept-language": language }, signal: stop.signal });
  const forget = (): void => {
    window.sharePrefetch = undefined;
  };
  // One that failed early is no answer: the app asks anew.
  answer.catch(forget);
  setTimeout(() => {
    if (!window.sharePrefetch) return;
    forget();
    stop.abort();
  }, REQUEST_TIMEOUT);
  window.sharePrefetch = { url, language, answer, stop: () => stop.abort() };
}

/** The slug in the address of a share, as the app reads it. */
function slugIn(path: string): string | undefined {
  try {
    return decodeURIComponent(/^\/\w+\/([^/]+)\/?$/.exec(path)?.[1] ?? "");
  } catch {
    return undefined;
  }
}

const here = document.currentScript?.dataset;
if (here) prefetch(here);
