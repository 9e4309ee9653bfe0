import { urlUploads } from "#contract/url-uploads";
import { apiBase, failureOf } from "../api/call.ts";
import { authorizationOf, credential } from "../api/credential.ts";
import { i18n } from "../i18n/i18n.ts";
import type { OpenUrl, Way } from "./download.ts";
import { failed } from "./failures.ts";

/** Asks a source itself, which learns nothing of who asks but where from. */
const direct: OpenUrl = async (url, signal) => {
  const response = await fetch(url, { signal, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" });
  if (!response.ok) throw failed("network", response.status);
  return response;
};

/** Has the server ask it. Throws ApiFailure. */
const proxy: OpenUrl = async (url, signal) => {
  const { method, path } = urlUploads.fetch;
  const headers = new Headers({ "content-type": "application/json", "accept-language": i18n.language.get() });
  const carried = authorizationOf(credential.state.get());
  if (carried) headers.set("authorization", carried);
  const response = await fetch(apiBase() + path, { method, headers, body: JSON.stringify({ url }), signal });
  if (!response.ok) throw failureOf(response, await response.text());
  return response;
};

/** Both ways to a file on the web, as a browser has them. */
export const openUrl: Readonly<Record<Way, OpenUrl>> = { direct, proxy };
